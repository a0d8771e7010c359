/** The table of Red Kingdom & Blue Kingdom. */

import type { GameClient, News, View } from "$lib/table";

import { lengthOf, storyIn } from "./story";

export { draws } from "./draws";
export const games = ["kingdoms"];

export const table = () => import("./Table.svelte");

/** What the eye needs to follow one fact. */
const LOOK: Record<string, number> = {
  attacked: 700,
  occupied: 500,
  swapped: 650,
  drew: 450,
  took_hold: 500,
};

const USUAL = 350;

/** A battle is read line by line; all else is one glance. */
export function dwell(news: readonly News[], view: View): number {
  const story = storyIn(news, view);
  if (story) return lengthOf(story);
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

/** Somebody has won, and nobody counts. */
export const score: GameClient["score"] = () => "";
