/** The milliseconds for which each fact is shown. */

import type { News } from "$web/table/model";

const LENGTHS: Readonly<Record<string, number>> = {
  boss_lost: 2800,
  ended: 1600,
  hands_passed: 2000,
  decided: 1600,
  sets_exchanged: 1500,
  hands_taken: 1200,
  hitmen_split: 900,
  hitmen_split_unseen: 900,
  hired: 900,
  hired_unseen: 900,
  red_three_seen: 1300,
  took_waiting: 1000,
  went_out: 1100,
  war_ended: 900,
  cut_short: 900,
  played: 700,
  discarded: 600,
  round_began: 600,
  has_passed: 400,
};
const SHORTEST = 120;

/** Facts that arrive together are shown together, so the longest duration counts. */
export function lengthOf(news: readonly News[]): number {
  return Math.max(0, ...news.map((one) => LENGTHS[one.fact] ?? SHORTEST));
}
