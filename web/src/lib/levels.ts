/** The bots of the house in words: how strong they are, and what they are called at a table. */

import english from "../text/en.json";
import { t, type Key } from "./i18n.svelte";

const HOUSE = "bot:";

const known: Record<string, Key> = {
  random: "level.random",
  greedy: "level.greedy",
  sensible: "level.sensible",
  strong: "level.strong",
};

const called: Record<string, Key> = {
  Random: "bot.random",
  Greedy: "bot.greedy",
  Sensible: "bot.sensible",
};

/** As the server writes the names of the people of the house. */
const people = english["bot.names"].split(" ");

/** A level by the name of its bot; one that nobody has named yet stands for itself. */
export function levelName(bot: string): string {
  const key = known[bot];
  return key ? t(key) : bot;
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
