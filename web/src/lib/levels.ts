/** The bots of the house in words: how strong they are, and what they are called at a table. */

import english from "../text/en.json";
import { t, type Key } from "./i18n.svelte";
import type * as wire from "./wire";

const HOUSE = "bot:";

const known: Record<string, Key> = {
  newcomer: "level.newcomer",
  casual: "level.casual",
  regular: "level.regular",
  strong: "level.strong",
  master: "level.master",
  random: "level.random",
  greedy: "level.greedy",
  sensible: "level.sensible",
  solved: "level.solved",
};

const called: Record<string, Key> = {
  Newcomer: "bot.newcomer",
  Casual: "bot.casual",
  Regular: "bot.regular",
  Strong: "bot.strong",
  Master: "bot.master",
  Random: "bot.random",
  Greedy: "bot.greedy",
  Sensible: "bot.sensible",
  Solved: "bot.solved",
};

/** As the server writes the names of the people of the house. */
const people = english["bot.names"].split(" ");

/** A level by the name of its bot; one that nobody has named yet stands for itself. */
export function levelName(bot: string): string {
  const key = known[bot];
  return key ? t(key) : bot;
}

/** The one in the middle: neither a child's nor a master's. */
export function usualLevel(game: wire.OfferedGame): string {
  return game.levels[Math.floor(game.levels.length / 2)] ?? "";
}

/** Which bot of the house somebody is; null for everybody else. */
export function botOf(player: { id: string } | null): string | null {
  return player?.id.startsWith(HOUSE) ? player.id.slice(HOUSE.length) : null;
}

/** A name of a player; a bot of the house has one in each language. */
export function nameOf({ name, kind }: { name: string; kind: string }): string {
  const [first = "", letter = ""] = name.split(" ");
  if (kind !== "bot") return name;
  const person = t("bot.names").split(" ")[people.indexOf(first)];
  if (person) return `${person} ${letter}`.trim();
  const key = called[first];
  return key ? t(key, { letter }).trim() : name;
}

/** The bot that plays for somebody. */
export function standInName(bot: string): string {
  return nameOf({ name: bot.charAt(0).toUpperCase() + bot.slice(1), kind: "bot" });
}
