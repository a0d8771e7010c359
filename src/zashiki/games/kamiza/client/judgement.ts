/** A reveal in steps, taken from the facts: nothing is judged here. */

import { telling } from "$web/shared/settings.svelte";
import type { News, View } from "$web/table/model";
import { read, type Area, type Card } from "./cards";
import { viewed, type Round } from "./view";

export type StepKind =
  | "turned"
  | "raided"
  | "misplaced"
  | "cancelled"
  | "shot"
  | "beaten"
  | "bribed"
  | "scored"
  | "wanted"
  | "dropped"
  | "standing"
  | "next";

export interface Step {
  kind: StepKind;
  /** The seats whose cards it is about. */
  seats: readonly number[];
  /** The sentence of its fact, if it has one. */
  text: string;
}

export interface Shown {
  seat: number;
  card: Card;
  area: Area;
}

/** A judged round. */
export interface Judgement {
  round: Round;
  /** In the order of placement: from the starter clockwise. */
  cards: readonly Shown[];
  points: readonly number[];
  steps: readonly Step[];
}

/** Why a card was removed. */
export type Fate = "raided" | "misplaced" | "cancelled" | "shot" | "beaten";

const fates: readonly StepKind[] = ["raided", "misplaced", "cancelled", "shot", "beaten"];

export const FLIP = 240;
export const BETWEEN = 120;
const STEP = 1100;
const STANDING = 2600;
/** The time before the first card is revealed. */
export const HUSH = 350;
/** The time to read the result, at any pace. */
export const READ = 2200;

/** How long a step is shown before the next. */
export function lastsFor(step: Step, cards: number): number {
  if (step.kind === "standing") return telling(STANDING);
  return telling(step.kind === "turned" ? cards * BETWEEN + FLIP + 500 : STEP);
}

/** The duration of the whole reveal, with a moment to read the result. */
export function lengthOf(judgement: Judgement): number {
  const steps = judgement.steps.map((step) => lastsFor(step, judgement.cards.length));
  return steps.reduce((sum, one) => sum + one, telling(HUSH) + READ);
}

/** The reveal at the end of these news; null if there is none, or cards were placed since. */
export function judged(news: readonly News[], view: View): Judgement | null {
  const start = news.findLastIndex((one) => one.fact === "revealed");
  const round = viewed(view).history?.at(-1);
  if (start < 0 || !round) return null;
  const facts = news.slice(start);
  if (facts.some((one) => one.fact.startsWith("placed"))) return null;
  return { ...still(round), ...told(facts, round) };
}

/** A round of which only the cards are known. */
export function still(round: Round): Judgement {
  const seats = round.cards.length;
  const order = Array.from({ length: seats }, (_, place) => (round.starter + place) % seats);
  const cards = order.flatMap((seat) => {
    const notation = round.cards[seat];
    return notation ? [{ seat, ...read(notation) }] : [];
  });
  return {
    round,
    cards,
    points: [],
    steps: [{ kind: "turned", seats: cards.map((one) => one.seat), text: "" }],
  };
}

function told(facts: readonly News[], round: Round): Pick<Judgement, "points" | "steps"> {
  const of = (fact: string) => facts.find((one) => one.fact === fact);
  const verdict = of("judged")?.with as
    Record<"misplaced" | "cancelled" | "beaten" | "points", number[]> | undefined;
  const points = verdict?.points ?? round.cards.map(() => 0);
  const seats = round.cards.flatMap((card, seat) => (card ? [seat] : []));
  const shot = of("boss_shot");
  const { boss, hitman } = (shot?.with ?? {}) as { boss?: number; hitman?: number };
  const beaten = (verdict?.beaten ?? []).filter((seat) => seat !== boss);
  const wanted = of("wanted_taken");
  const taker = wanted?.with["seat"] as number | undefined;
  const steps: Step[] = [{ kind: "turned", seats, text: "" }];
  const add = (kind: StepKind, about: readonly number[], fact?: News) =>
    steps.push({ kind, seats: about, text: fact?.text ?? "" });

  if (of("raided")) add("raided", [of("raided")?.with["seat"] as number], of("raided"));
  if (verdict?.misplaced.length) add("misplaced", verdict.misplaced);
  if (verdict?.cancelled.length) add("cancelled", verdict.cancelled);
  if (boss !== undefined && hitman !== undefined) add("shot", [boss, hitman], shot);
  if (beaten.length) add("beaten", beaten);
  if (taker !== undefined) add("bribed", [taker, ...payers(round, points, taker)]);
  if (verdict)
    add(
      "scored",
      seats.filter((seat) => points[seat]),
    );
  if (taker !== undefined) add("wanted", [taker], wanted);
  if (of("dropped_out"))
    add("dropped", [of("dropped_out")?.with["seat"] as number], of("dropped_out"));
  const began = of("round_began");
  if (began && (began.with["game"] as number) > round.game) add("standing", seats);
  if (began) add("next", [began.with["starter"] as number], began);
  return { points, steps };
}

/** The seats that shared with the Policeman: those that scored in his area. */
function payers(round: Round, points: readonly number[], taker: number): number[] {
  const areaOf = (seat: number) => round.cards[seat]?.split("@")[1];
  return points.flatMap((one, seat) =>
    one > 0 && seat !== taker && areaOf(seat) === areaOf(taker) ? [seat] : [],
  );
}

/** Why a seat's card was removed in these steps; null if it was not. */
export function fateOf(steps: readonly Step[], seat: number): Fate | null {
  for (const step of steps) {
    if (!fates.includes(step.kind)) continue;
    const gone = step.kind === "shot" ? step.seats[0] === seat : step.seats.includes(seat);
    if (gone || step.kind === "raided") return step.kind as Fate;
  }
  return null;
}
