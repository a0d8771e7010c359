/** What a person has chosen, kept in this browser. */

import { isRecord, store, stored } from "./storage";

export type Language = "en" | "ja";

export interface Chosen {
  language: Language;
  theme: "system" | "dark" | "light";
  motion: "system" | "on" | "off";
  sound: boolean;
  patterns: boolean;
  cards: "small" | "medium" | "large";
  hints: boolean;
}

const KEY = "zashiki.settings";

const usual: Chosen = {
  language: navigator.language.startsWith("ja") ? "ja" : "en",
  theme: "system",
  motion: "system",
  sound: false,
  patterns: false,
  cards: "medium",
  hints: true,
};

const offered: { [Name in keyof Chosen]: readonly Chosen[Name][] } = {
  language: ["en", "ja"],
  theme: ["system", "dark", "light"],
  motion: ["system", "on", "off"],
  sound: [false, true],
  patterns: [false, true],
  cards: ["small", "medium", "large"],
  hints: [false, true],
};

/** What was chosen before, as far as it is still offered. */
function chosen(): Partial<Chosen> {
  const kept = stored(KEY, isRecord, {});
  const isOffered = ([name, values]: [string, readonly unknown[]]) => values.includes(kept[name]);
  const names = Object.entries(offered).filter(isOffered);
  return Object.fromEntries(names.map(([name]) => [name, kept[name]]));
}

export const settings: Chosen = $state({ ...usual, ...chosen() });

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Should things move? */
export function moves(): boolean {
  return settings.motion === "system" ? !still.matches : settings.motion === "on";
}

/** So many milliseconds, or almost none for who wants no motion. */
export function lasting(milliseconds: number): number {
  return moves() ? milliseconds : Math.min(milliseconds, 80);
}

/** Keep the page and the browser's storage as chosen; called once. */
export function follow(): void {
  $effect.root(() => {
    $effect(() => {
      const page = document.documentElement;
      const light = settings.theme === "light" || (settings.theme === "system" && !dark.matches);
      page.lang = settings.language;
      page.dataset.theme = light ? "light" : "dark";
      page.dataset.motion = settings.motion;
      page.dataset.cards = settings.cards;
      page.dataset.patterns = String(settings.patterns);
      store(KEY, settings);
    });
  });
  dark.addEventListener("change", () => {
    if (settings.theme === "system") {
      document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
    }
  });
}
