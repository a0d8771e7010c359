/** The table of both editions of KAMIZA. */

import type { GameClient, News, View } from "$lib/table";

import { judged, lengthOf } from "./judgement";

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

export const score: GameClient["score"] = (table, seat) =>
  table.say("end-score", { points: table.outcome?.scores[seat] ?? 0 });
