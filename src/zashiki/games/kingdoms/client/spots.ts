/** The place of every card that the viewer can see, even if only its back. */

import type { Book } from "./book";
import { kept, type HeldCard } from "./holding";
import type { Story } from "./story";
import { ADDED, areaPlace, attackPlace, handPlace, type Spot } from "./travel.svelte";
import { attackerOf, CLASSES, type HandShown, type KingdomsView } from "./view";

/** An open hand; or the known cards of a hand, after the backs of the rest. */
export function cardsShown(
  book: Book,
  shown: HandShown,
  hand: readonly string[] | null,
): readonly HeldCard[] {
  if (hand) return kept([], hand, []);
  const backs = CLASSES.flatMap((rank) => {
    const open = shown.known.filter((card) => book.back(card) === rank);
    return Array<string>(Math.max(0, shown[rank] - open.length)).fill(rank);
  });
  return kept([], [...backs, ...shown.known], []);
}

export function spotsOf(
  view: KingdomsView,
  hands: readonly (readonly HeldCard[])[],
  attackers: readonly string[],
  story: Story | null,
): Spot[] {
  const spots: Spot[] = hands.flatMap((cards, seat) =>
    cards.map(({ key, name }) => ({ place: handPlace(seat, key), seat, card: name })),
  );
  for (const [area, held] of Object.entries(view.areas)) {
    if (held) spots.push({ place: areaPlace(area), ...held });
  }
  if (!view.battle) return spots;
  const seat = attackerOf(view);
  for (const [place, card] of (story?.attackers ?? attackers).entries()) {
    spots.push({ place: attackPlace(place), seat, card });
  }
  const added = story?.added ?? view.battle.added;
  if (added) spots.push({ place: ADDED, seat: 1 - seat, card: added });
  return spots;
}
