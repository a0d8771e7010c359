/** The table of Red Kingdom & Blue Kingdom. */

import { telling } from "$web/shared/settings.svelte";
import type { GameClient, News, View } from "$web/table/model";
import { lengthOf, storyIn } from "./story";

export { draws } from "./draws";
export { verdict } from "./verdict";
export const games = ["kingdoms"];

export const sides = ["red", "blue"];
export const side: GameClient["side"] = () => import("./Side.svelte");

export const table = () => import("./Table.svelte");
export const log: GameClient["log"] = () => import("./log");

/** How long one fact is shown. */
const LOOK: Record<string, number> = {
  attacked: 700,
  occupied: 500,
  swapped: 650,
  drew: 450,
  took_hold: 500,
};

const USUAL = 350;
/** The extra time that a table waits after a battle's story, so that late presses are not lost. */
const GRACE = 100;

/** A battle is shown line by line; any other fact takes one glance. */
export function dwell(news: readonly News[], view: View): number {
  const story = storyIn(news, view);
  if (story) return Math.max(USUAL, telling(lengthOf(story)) + GRACE);
  return Math.max(USUAL, ...news.map((one) => LOOK[one.fact] ?? 0));
}

export const sounds: GameClient["sounds"] = {
  attacked: "card",
  drew: "flip",
  emptied: "swept",
  occupied: "card",
  revealed: "reveal",
  swapped: "card",
};

/** The last battle: the step before its attack, or for the defender the step before the answer. */
export const decisive: GameClient["decisive"] = (steps, seat) => {
  const attack = steps.findLastIndex(({ facts }) => facts.some((one) => one.fact === "attacked"));
  if (attack < 0) return undefined;
  const attacker = steps[attack]?.seat;
  const answer = steps.findIndex((step, number) => number > attack && step.seat === seat);
  const own = seat === null || seat === attacker || answer < 0 ? attack : answer;
  return Math.max(0, own - 1);
};

/** No scores: one side has won. */
export const score: GameClient["score"] = () => "";

const NOW: Readonly<Record<string, readonly string[]>> = {
  draft: ["RB 2.1", "RB 2.2"],
  deploy: ["RB 2.4", "RB 2.5", "RB 2.6"],
  defend: ["RB 3.1", "RB 3.2", "RB 3.3", "RB 3.4", "RB 3.5"],
  leave: ["RB 3.4"],
};

export const now: GameClient["now"] = (table) => NOW[String(table.view.phase)] ?? [];

export const goal: GameClient["goal"] = () => import("./Goal.svelte");
