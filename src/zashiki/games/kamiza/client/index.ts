/** The table of both editions of KAMIZA. */

import { t } from "$web/shared/i18n.svelte";
import type { GameClient, News, TableModel, View } from "$web/table/model";
import type { Card } from "./cards";
import { judged, lengthOf } from "./judgement";
import { viewed } from "./view";

export { draws } from "./draws";
export const games = ["kamiza-2014", "kamiza-second"];

export const table = () => import("./Table.svelte");
export const log: GameClient["log"] = () => import("./log");

const PLACING = 500;
const LISTENING = 1100;

/** The time of a reveal, or a moment to read a threat. */
export function dwell(news: readonly News[], view: View): number {
  const judgement = judged(news, view);
  if (judgement) return lengthOf(judgement);
  return news.some((one) => one.fact === "said") ? LISTENING : PLACING;
}

export const sounds: GameClient["sounds"] = {
  placed: "card",
  placed_open: "card",
  revealed: "reveal",
  raided: "swept",
};

export const verdict: GameClient["verdict"] = (table) => {
  const { ranks = [], scores = [] } = table.outcome ?? {};
  const winners = table.people.filter((person) => ranks[person.seat] === 1);
  const names = winners.map((person) => person.name).join(t("shell.comma"));
  const most = scores[winners[0]?.seat ?? 0] ?? 0;
  if (table.seat === null) return table.say("end-won", { names, points: most });
  const points = scores[table.seat] ?? 0;
  if (ranks[table.seat] === 1) return table.say("end-mine-won", { points });
  if (isOut(table, table.seat)) return table.say("end-mine-out");
  if (points >= most) return table.say("end-mine-tied", { points, name: names });
  return table.say("end-mine-behind", { points, behind: most - points, name: names });
};

/** The viewer's costliest placement: in the round in which the best rival gained most. */
export const decisive: GameClient["decisive"] = (steps, seat) => {
  if (seat === null) return undefined;
  let [worst, found, placed] = [0, -1, -1];
  for (const [number, step] of steps.entries()) {
    if (step.seat === seat) placed = number;
    for (const { fact, with: given } of step.facts) {
      if (fact !== "judged") continue;
      const points = given.points as readonly number[];
      const lost = Math.max(...points) - (points[seat] ?? 0);
      if (lost >= worst && lost > 0) [worst, found] = [lost, placed];
    }
  }
  return found < 1 ? undefined : found - 1;
};

/** Players who dropped out rank behind all others, whatever their score. */
export const score: GameClient["score"] = (table, seat) => {
  const points = table.say("end-score", { points: table.outcome?.scores[seat] ?? 0 });
  return isOut(table, seat) ? `${table.say("out")} · ${points}` : points;
};

/** The lower card breaks a tie, unless the options say otherwise. */
export const tie: GameClient["tie"] = (table) => {
  const { ranks = [], scores = [] } = table.outcome ?? {};
  const still = table.people.map(({ seat }) => seat).filter((seat) => !isOut(table, seat));
  const isBroken = still.some((seat) =>
    still.some((other) => scores[other] === scores[seat] && ranks[other] !== ranks[seat]),
  );
  return isBroken ? table.say("end-tie") : "";
};

function isOut(table: TableModel, seat: number): boolean {
  return (viewed(table.view).dropped ?? []).includes(seat);
}

/** The rules on where a card may go, what it can win there, and what it loses to. */
export const now: GameClient["now"] = (table) =>
  table.game === "kamiza-2014"
    ? ["K1 2.1", "K1 3.1", "K1 3.2", "K1 3.3", "K1 3.4", "K1 3.5"]
    : ["K2 2.1", "K2 3.1", "K2 3.2", "K2 3.4", "K2 3.5", "K2 3.7"];

/** Hints about a card, for as long as the viewer holds it. */
const ABOUT: Readonly<Record<string, Card>> = { "boss-top": "boss", "hitman-four": "hitman" };

export const isApt: GameClient["isApt"] = (table, hint) => {
  const card = ABOUT[hint];
  return card === undefined || (viewed(table.view).hand ?? []).includes(card);
};

export const goal: GameClient["goal"] = () => import("./Goal.svelte");
