/** How strong the bots are, in words. */

import { t, type Key } from "./i18n.svelte";

const known: Record<string, Key> = {
  random: "level.random",
  greedy: "level.greedy",
  sensible: "level.sensible",
  strong: "level.strong",
};

/** A level by the name of its bot; one that nobody has named yet stands for itself. */
export function levelName(bot: string): string {
  const key = known[bot];
  return key ? t(key) : bot;
}
