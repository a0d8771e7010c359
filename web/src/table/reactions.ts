/**
 * Phrases that can be said with one press. They are sent as ordinary chat, and each page shows them
 * in its own language, so both languages are loaded here.
 */

import { settings } from "$web/shared/settings.svelte";

const REACTIONS = [
  { en: "Hello!", ja: "よろしく！" },
  { en: "Well played!", ja: "お見事！" },
  { en: "Oh no!", ja: "やられた！" },
  { en: "Ha ha!", ja: "ははは！" },
  { en: "One moment.", ja: "少しお待ちを。" },
  { en: "Thank you!", ja: "ありがとう！" },
] as const;

export function reactions(): string[] {
  return REACTIONS.map((one) => one[settings.language]);
}

/** A line of chat for display: a reaction in the page's language, anything else unchanged. */
export function inWords(line: string): string {
  const known = REACTIONS.find((one) => one.en === line || one.ja === line);
  return known ? known[settings.language] : line;
}
