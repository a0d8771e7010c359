import { t } from "$lib/i18n.svelte";
import type { GameClient, News } from "$lib/table";
import { lengthOf } from "./pace";

/** The table of Red Town: a river town at night. */
export { draws } from "./draws";
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

export const firstForm = "short";

/** Bosses are what counts, except where there are none. */
export const score: GameClient["score"] = (table, seat) =>
  table.options.form === "short"
    ? ""
    : table.say("end-score", { count: table.outcome?.scores[seat] ?? 0 });

export const verdict: GameClient["verdict"] = (table) => {
  const { ranks = [] } = table.outcome ?? {};
  const named = (rank: number) =>
    table.people
      .filter((person) => ranks[person.seat] === rank)
      .map((person) => person.name)
      .join(t("shell.comma"));
  const last = named(Math.max(...ranks));
  return table.options.form === "short"
    ? table.say("end-short", { first: named(1), last })
    : table.say("end-boss", { names: last });
};
