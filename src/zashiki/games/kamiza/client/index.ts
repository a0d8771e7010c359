/** The table of both editions of KAMIZA. */

import { t } from "$lib/i18n.svelte";
import type { GameClient, News, TableModel, View } from "$lib/table";

import { judged, lengthOf } from "./judgement";
import { viewed } from "./view";

export { draws } from "./draws";
export const games = ["kamiza-2014", "kamiza-second"];

export const table = () => import("./Table.svelte");

const PLACING = 500;
const LISTENING = 1100;

/** A reveal has its time, a threat a moment to be read. */
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
  return table.say("end-won", { names, points: scores[winners[0]?.seat ?? 0] ?? 0 });
};

/** Who dropped out is behind all others, whatever they have. */
export const score: GameClient["score"] = (table, seat) => {
  const points = table.say("end-score", { points: table.outcome?.scores[seat] ?? 0 });
  return isOut(table, seat) ? `${table.say("out")} · ${points}` : points;
};

/** The lower card breaks a tie, where nobody agreed otherwise. */
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
