/** The cards in the room now: those of the current round, or the last one as it was judged. */

import type { TableModel } from "$web/table/model";
import { read, type Area, type Card } from "./cards";
import { fateOf, type Fate } from "./judgement";
import type { Reveal } from "./reveal.svelte";
import { laysOf, viewed, type Lay } from "./view";

export interface Lying {
  seat: number;
  card: Card | null;
  area: Area;
  /** In the order of placement. */
  place: number;
  isUp: boolean;
  /** Known, but not announced before it is revealed. */
  isSecret: boolean;
  fate: Fate | null;
  points: number | null;
}

/** The cards in the room, with the one that is about to be placed, in notation. */
export function lyingNow(
  table: TableModel,
  reveal: Reveal,
  coming: string | null = null,
): readonly Lying[] {
  const { judgement } = reveal;
  if (!reveal.shown || !judgement) {
    return [...laysOf(table), ...laidSoon(table, coming)].map((lay, place) => {
      const standing = { place, isUp: lay.open, isSecret: false, fate: null, points: null };
      return { seat: lay.seat, card: lay.card, area: lay.area, ...standing };
    });
  }
  const isUp = reveal.has("turned");
  const isPaid = reveal.has("scored");
  const opened = table.options["open_start"] === true ? judgement.round.starter : null;
  return judgement.cards.map((shown, place) => {
    const fate = fateOf(reveal.done, shown.seat);
    const points = isPaid && !fate ? (judgement.points[shown.seat] ?? null) : null;
    return {
      ...shown,
      place,
      isUp: isUp || shown.seat === opened,
      isSecret: true,
      fate,
      points,
    };
  });
}

/** The viewer's own card at its planned place. */
function laidSoon({ seat, view, options }: TableModel, coming: string | null): readonly Lay[] {
  const { placed = [], starter } = viewed(view);
  if (coming === null || seat === null || placed.some((lay) => lay.seat === seat)) return [];
  return [{ seat, ...read(coming), open: options["open_start"] === true && starter === seat }];
}
