/** The server's own bots in words: their levels, and their names at a table. */

import english from "$web/text/en.json";
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

/** The first names of the server's own bots, as the server writes them. */
const people = english["bot.names"].split(" ");

/** A level by the name of its bot; a level without a translation is shown as it is. */
export function levelName(bot: string): string {
  const key = known[bot];
  return key ? t(key) : bot;
}

/** The default level, between the weakest and the strongest. */
export function usualLevel(game: wire.OfferedGame): string {
  return game.levels[Math.floor(game.levels.length / 2)] ?? "";
}

/** The server's bot that a player is; null for every other player. */
export function botOf(player: { id: string } | null): string | null {
  return player?.id.startsWith(HOUSE) ? player.id.slice(HOUSE.length) : null;
}

/** A player's name; the server's own bots have one per language. */
export function nameOf({ name, kind }: { name: string; kind: string }): string {
  const [first = "", letter = ""] = name.split(" ");
  if (kind !== "bot") return name;
  const person = t("bot.names").split(" ")[people.indexOf(first)];
  if (person) return `${person} ${letter}`.trim();
  const key = called[first];
  return key ? t(key, { letter }).trim() : name;
}

/** The name of the stand-in. */
export function standInName(bot: string): string {
  return nameOf({ name: bot.charAt(0).toUpperCase() + bot.slice(1), kind: "bot" });
}
