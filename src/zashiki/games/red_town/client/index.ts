import type { GameClient, News } from "$lib/table";
import { lengthOf } from "./pace";

/** The table of Red Town: a river town at night. */
export const games = ["red-town"];
export const table: GameClient["table"] = () => import("./Table.svelte");

/** How long the motion takes that these news start. */
export function dwell(news: readonly News[]): number {
  return lengthOf(news);
}

export const sounds: GameClient["sounds"] = {
  dealt: "flip",
  decided: "reveal",
  hands_passed: "flip",
  hands_taken: "flip",
  played: "card",
  war_ended: "swept",
};

/** Bosses are what counts, except where there are none. */
export const score: GameClient["score"] = (table, seat) =>
  table.options.form === "short"
    ? ""
    : table.say("end-score", { count: table.outcome?.scores[seat] ?? 0 });
