import { t } from "$web/shared/i18n.svelte";
import type { GameClient, News, TableModel } from "$web/table/model";
import { nameOf } from "./names";
import { byNumber } from "./notation";
import { lengthOf } from "./pace";
import { asRedTown } from "./view";

/** The table of Red Town: a river town at night. */
export { draws } from "./draws";
export const games = ["red-town"];
export const table: GameClient["table"] = () => import("./Table.svelte");
export const log: GameClient["log"] = () => import("./log");

/** The duration of the animation that these news start. */
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

/** The note for a player who can only pass, or who leads and cannot pass. */
export const asked: GameClient["asked"] = (table) => {
  const { legal } = table;
  if (legal.length === 1 && legal[0] === "pass") return table.say("only-pass");
  const { phase } = asRedTown(table.view);
  return phase === "turn" && legal.length > 0 && !legal.includes("pass") ? table.say("lead") : "";
};

/** A player who has passed is out of this turf war anyway. */
export const passing: GameClient["passing"] = {
  action: "pass",
  ends: ["war_ended", "round_began"],
  label: (table) => table.say("pass-ahead"),
  isOffered: ({ view, seat }) => {
    const { phase, declared, passed } = asRedTown(view);
    return phase === "turn" && declared !== null && !passed.includes(seat ?? -1);
  },
};

export const firstForm = "short";

/** The score is the bosses, unless the form has none. */
export const score: GameClient["score"] = (table, seat) =>
  table.options.form === "short"
    ? ""
    : table.say("end-score", { count: table.outcome?.scores[seat] ?? 0 });

export const verdict: GameClient["verdict"] = (table) => {
  const { ranks = [] } = table.outcome ?? {};
  const named = (seats: readonly number[]) =>
    seats.map((seat) => table.people[seat]?.name ?? "").join(t("shell.comma"));
  const on = (rank: number) => [...ranks.keys()].filter((seat) => ranks[seat] === rank);
  const [first, last] = [on(1), on(Math.max(...ranks))];
  const isShort = table.options.form === "short";
  if (table.seat === null) {
    return isShort
      ? table.say("end-short", { first: named(first), last: named(last) })
      : table.say("end-boss", { names: named(last) });
  }
  if (last.includes(table.seat)) return leftText(table);
  if (!isShort) return table.say("end-mine-boss", { names: named(last) });
  const { out } = asRedTown(table.view);
  const before = out.slice(0, Math.max(0, out.indexOf(table.seat)));
  return before.length === 0
    ? table.say("end-mine-first")
    : table.say("end-mine-after", { names: named(before) });
};

/** The card left in the hand of the last player: the lowest was the hardest to play. */
function leftText(table: TableModel): string {
  const [card, ...more] = [...(asRedTown(table.view).hand ?? [])].sort(byNumber);
  if (card === undefined) return table.say("end-mine-last");
  const name = nameOf(table, card);
  if (more.length === 0) return table.say("end-mine-left", { card: name });
  return table.say("end-mine-left-more", { card: name, count: more.length + 1 });
}

/** The step in which a seat went out; for a seat left with cards, its last decision. */
export const decisive: GameClient["decisive"] = (steps, seat) => {
  const found = steps.findLastIndex(({ facts }) =>
    facts.some(
      ({ fact, with: given }) => fact === "went_out" && (seat === null || given.seat === seat),
    ),
  );
  return found < 0 ? undefined : Math.max(0, found - 1);
};

const NOW: Readonly<Record<string, readonly string[]>> = {
  decide: ["RT 2.2", "RT 2.3", "RT 2.4"],
  pick: ["RT 2.5"],
  "pick-many": ["RT 2.6"],
  look: ["RT 7.2"],
  give: ["RT 7.3"],
  choose: ["RT 7.4"],
  turn: ["RT 3.3", "RT 3.5", "RT 3.6", "RT 3.11"],
  discard: ["RT 4.5"],
  "end-war": ["RT 4.6"],
};

/** The short game has its own rule for Hitmen and for its end, and so have two players. */
export const now: GameClient["now"] = (table) => {
  const { phase, form } = asRedTown(table.view);
  if (form === "short" && phase === "pick") return ["RT 8.1"];
  const rules = NOW[phase] ?? [];
  if (phase !== "turn" || form === "standard") return rules;
  return [...rules, form === "short" ? "RT 8.2" : "RT 7.6"];
};

export const goal: GameClient["goal"] = () => import("./Goal.svelte");
