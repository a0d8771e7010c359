/** What lies in the room at this moment: the round as it goes, or the last one as it was judged. */

import type { TableModel } from "$lib/table";

import type { Area, Card } from "./cards";
import { fateOf, type Fate } from "./judgement";
import type { Reveal } from "./reveal.svelte";
import { laysOf } from "./view";

export interface Lying {
  seat: number;
  card: Card | null;
  area: Area;
  /** In the order of placing. */
  place: number;
  isUp: boolean;
  /** Known, but not to be told before it is turned up. */
  isSecret: boolean;
  fate: Fate | null;
  points: number | null;
}

export function lyingNow(table: TableModel, reveal: Reveal): readonly Lying[] {
  const { judgement } = reveal;
  if (!reveal.shown || !judgement) {
    return laysOf(table).map((lay, place) => {
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
