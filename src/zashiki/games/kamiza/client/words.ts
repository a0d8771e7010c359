/** The texts of the room. */

import { t } from "$web/shared/i18n.svelte";
import type { TableModel } from "$web/table/model";
import type { Judgement, Step } from "./judgement";
import type { Lying } from "./lying";
import type { Reveal } from "./reveal.svelte";
import type { Standing } from "./standing";
import { nameOf, viewed } from "./view";

export function listed(parts: readonly string[]): string {
  return parts.join(t("shell.comma"));
}

/** A card on the tatami, for screen readers. */
export function describe(table: TableModel, lying: Lying): string {
  const player = nameOf(table, lying.seat);
  const card = lying.card ? table.word(lying.card) : "";
  if (!lying.isUp && (!lying.card || lying.isSecret)) return table.say("face_down", { player });
  if (!lying.isUp) return table.say("face_down_known", { player, card });
  if (lying.fate)
    return table.say("card_gone", { player, card, fate: table.say(`fate_${lying.fate}`) });
  if (lying.points !== null) return table.say("card_paid", { player, card, points: lying.points });
  return table.say("card_up", { player, card });
}

/** The meaning of a player's tokens, and that player's phrase. */
export function explained(table: TableModel, standing: Standing): string {
  const player = nameOf(table, standing.seat);
  const { score, wanted, threat } = standing;
  const parts = [table.say("explain_points", { player, points: score })];
  if (standing.isStarter && !table.over) parts.push(table.say("explain_starter", { player }));
  if (wanted !== null) parts.push(table.say("explain_wanted", { count: wanted }));
  if (threat !== null) parts.unshift(table.say("said", { player, words: threat }));
  return parts.join(" ");
}

/** Game, round and starter. */
export function standing(table: TableModel): string {
  const { game, round, starter } = viewed(table.view);
  if (table.over) return table.say("ended");
  return table.say("standing", { game, round, player: nameOf(table, starter) });
}

/** The text of the reveal's current step; at its end, the result. The fan shows who starts next. */
export function revealLine(table: TableModel, reveal: Reveal): string {
  const { judgement, done } = reveal;
  const last = done.at(-1);
  if (!judgement || !last) return table.say("turning");
  if (!reveal.isOver) return lineOf(table, judgement, last);
  const verdict = done.findLastIndex((step) => step.kind === "scored" || step.kind === "raided");
  const ending = done
    .slice(Math.max(0, verdict))
    .filter(({ kind }) => kind !== "standing" && kind !== "next")
    .map((step) => lineOf(table, judgement, step));
  return ending.filter(Boolean).join(" ");
}

function lineOf(table: TableModel, judgement: Judgement, step: Step): string {
  const cards = listed(step.seats.map((seat) => cardOf(table, judgement, seat)));
  const [first = 0, second = 0] = step.seats;
  switch (step.kind) {
    case "turned": {
      const { game, round } = judgement.round;
      return table.say("turned", { game, round });
    }
    case "misplaced":
      return table.say("misplaced", { cards });
    case "cancelled":
      return table.say("cancelled", { cards });
    case "beaten":
      return table.say("beaten", { cards });
    case "bribed":
      return table.say("bribed", { officer: nameOf(table, first), payer: nameOf(table, second) });
    case "standing":
      return table.say("standing_after", { game: judgement.round.game });
    case "scored":
      return scored(table, judgement, step.seats);
    default:
      return step.text;
  }
}

function cardOf(table: TableModel, judgement: Judgement, seat: number): string {
  const card = judgement.cards.find((one) => one.seat === seat)?.card;
  return table.say("card_of", {
    player: nameOf(table, seat),
    card: card ? table.word(card) : "",
  });
}

function scored(table: TableModel, judgement: Judgement, seats: readonly number[]): string {
  if (seats.length === 0) return table.say("scored_nobody");
  const points = seats.map((seat) =>
    table.say("points_of", { player: nameOf(table, seat), points: judgement.points[seat] ?? 0 }),
  );
  return table.say("scored", { points: listed(points) });
}
