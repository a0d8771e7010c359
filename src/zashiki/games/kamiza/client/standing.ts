/** Each player's standing; during a reveal, only what has been shown of it. */

import type { TableModel } from "$web/table/model";
import { read, type Card } from "./cards";
import type { Reveal } from "./reveal.svelte";
import { handOf, spoken, viewed, type KamizaView } from "./view";

export interface Standing {
  seat: number;
  score: number;
  /** The points of the reveal on the table. */
  gained: number | null;
  /** WANTED chips; null in the edition without them. */
  wanted: number | null;
  isOut: boolean;
  isStarter: boolean;
  spent: readonly Card[];
  /** The cards in hand, if they are known. */
  hand: readonly Card[] | null;
  left: number;
  threat: string | null;
}

export function standingOf(table: TableModel, reveal: Reveal, seat: number): Standing {
  const view = viewed(table.view);
  const judgement = reveal.shown ? reveal.judgement : null;
  const points = judgement?.points[seat] ?? 0;
  const isPaid = !judgement || reveal.has("scored") || reveal.isOver;
  const isTold = (kind: "wanted" | "dropped" | "next") =>
    !judgement?.steps.some((step) => step.kind === kind && step.seats[0] === seat) ||
    reveal.has(kind);
  const chips = view.wanted?.[seat] ?? null;
  const spent = judgement ? spentThen(view, reveal, seat) : (view.spent[seat] ?? []);
  const round = judgement?.round ?? view;
  const isNext = judgement === null || reveal.has("next");
  return {
    seat,
    score: (view.scores[seat] ?? 0) - (isPaid ? 0 : points),
    gained: judgement && isPaid && points > 0 ? points : null,
    wanted: chips === null ? null : chips - (isTold("wanted") ? 0 : 1),
    isOut: (view.dropped ?? []).includes(seat) && isTold("dropped"),
    isStarter: (isNext ? view.starter : round.starter) === seat,
    spent,
    hand: judgement ? null : handOf(table, seat),
    left: judgement ? 4 - spent.length : (view.left[seat] ?? 0),
    threat: spoken(table, round.threats[seat]),
  };
}

/** A seat's cards in the game of the reveal, up to those revealed so far. */
function spentThen(view: KamizaView, reveal: Reveal, seat: number): readonly Card[] {
  const now = reveal.judgement?.round;
  if (!now) return [];
  const isUp = reveal.has("turned");
  return view.history.flatMap((past) => {
    const isBefore = past.game === now.game && past.round < now.round + (isUp ? 1 : 0);
    const notation = past.cards[seat];
    return isBefore && notation ? [read(notation).card] : [];
  });
}
