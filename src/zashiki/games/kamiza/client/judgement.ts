/** A reveal in steps, as the facts tell it: nothing is judged here. */

import type { News, View } from "$lib/table";

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
  | "next";

export interface Step {
  kind: StepKind;
  /** Whose cards it is about. */
  seats: readonly number[];
  /** What the fact says in words, where it is one. */
  text: string;
}

export interface Shown {
  seat: number;
  card: Card;
  area: Area;
}

/** A round that was judged, and how. */
export interface Judgement {
  round: Round;
  /** In the order of placing: from the starter clockwise. */
  cards: readonly Shown[];
  points: readonly number[];
  steps: readonly Step[];
}

/** Why a card left the room. */
export type Fate = "raided" | "misplaced" | "cancelled" | "shot" | "beaten";

const fates: readonly StepKind[] = ["raided", "misplaced", "cancelled", "shot", "beaten"];

export const FLIP = 240;
export const BETWEEN = 120;
const STEP = 1100;
export const READ = 2200;

/** How long a step stands before the next. */
export function lastsFor(step: Step, cards: number): number {
  return step.kind === "turned" ? cards * BETWEEN + FLIP + 500 : STEP;
}

/** How long all of it takes, and a moment to read how it ended. */
export function lengthOf(judgement: Judgement): number {
  const steps = judgement.steps.map((step) => lastsFor(step, judgement.cards.length));
  return steps.reduce((sum, one) => sum + one, READ);
}

/** The reveal with which these news end; null where there is none, or cards were placed since. */
export function judged(news: readonly News[], view: View): Judgement | null {
  const start = news.findLastIndex((one) => one.fact === "revealed");
  const round = viewed(view).history?.at(-1);
  if (start < 0 || !round) return null;
  const facts = news.slice(start);
  if (facts.some((one) => one.fact.startsWith("placed"))) return null;
  return { ...still(round), ...told(facts, round) };
}

/** A round of which no more than the cards is known. */
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
  if (of("round_began"))
    add("next", [of("round_began")?.with["starter"] as number], of("round_began"));
  return { points, steps };
}

/** Who shared with the Policeman: who else scored where he sat. */
function payers(round: Round, points: readonly number[], taker: number): number[] {
  const areaOf = (seat: number) => round.cards[seat]?.split("@")[1];
  return points.flatMap((one, seat) =>
    one > 0 && seat !== taker && areaOf(seat) === areaOf(taker) ? [seat] : [],
  );
}

/** What has become of a seat's card after some of the steps. */
export function fateOf(steps: readonly Step[], seat: number): Fate | null {
  for (const step of steps) {
    if (!fates.includes(step.kind)) continue;
    const gone = step.kind === "shot" ? step.seats[0] === seat : step.seats.includes(seat);
    if (gone || step.kind === "raided") return step.kind as Fate;
  }
  return null;
}
