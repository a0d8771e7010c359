/** The place of each card of a hand. */

import type { Held } from "../choosing.svelte";
import { colourOf, numberOf } from "../view";

export type Sorting = "colour" | "number";

export interface Placed extends Held {
  /** The row: 0 is the lower one, which always exists. */
  row: number;
  place: number;
  /** How many steps its row has from the first card to the last. */
  steps: number;
  /** How many groups begin in its row up to this card, and in the whole row. */
  group: number;
  groups: number;
}

/** A hand this wide has one row; a narrower one has two, unless it has few cards. */
const ONE_ROW = 540;
const LEAST = 44;
const LONGEST_ROW = 10;

/** The places of sorted cards in a hand of this width in pixels. */
export function placed(cards: readonly Held[], sorting: Sorting, width: number): Placed[] {
  const half = halfOf(cards, sorting, width);
  return [cards.slice(0, half), cards.slice(half)].flatMap((row, number) => {
    let group = 0;
    const grouped = row.map((one, place) => {
      if (place > 0 && begins(row[place - 1], one, sorting)) group += 1;
      return { ...one, place, group };
    });
    const shape = { row: 1 - number, steps: row.length - 1, groups: group };
    return grouped.map((one) => ({ ...one, ...shape }));
  });
}

/** The number of cards in the upper row. */
function halfOf(cards: readonly Held[], sorting: Sorting, width: number): number {
  if (width === 0 || width >= ONE_ROW || cards.length * LEAST <= width) return 0;
  const change = cards.findIndex(({ card }) => colourOf(card) === "B");
  const isFair = change > 0 && Math.max(change, cards.length - change) <= LONGEST_ROW;
  return sorting === "colour" && isFair ? change : Math.ceil(cards.length / 2);
}

/** True if another group begins with this card. */
function begins(before: Held | undefined, one: Held, sorting: Sorting): boolean {
  if (before === undefined) return false;
  return sorting === "colour"
    ? colourOf(before.card) !== colourOf(one.card)
    : numberOf(before.card) !== numberOf(one.card);
}
