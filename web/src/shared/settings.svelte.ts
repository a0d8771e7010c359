/** The player's settings, stored in this browser. */

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
  /** The pace of reveals and battles. */
  pace: "full" | "quick" | "instant";
  /** True to ask even if a decision has only one answer. */
  asksAlways: boolean;
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
  pace: "full",
  asksAlways: false,
};

const offered: { [Name in keyof Chosen]: readonly Chosen[Name][] } = {
  language: ["en", "ja"],
  theme: ["system", "dark", "light"],
  motion: ["system", "on", "off"],
  sound: [false, true],
  patterns: [false, true],
  cards: ["small", "medium", "large"],
  hints: [false, true],
  pace: ["full", "quick", "instant"],
  asksAlways: [false, true],
};

/** The stored choices that are still offered. */
function chosen(): Partial<Chosen> {
  const kept = stored(KEY, isRecord, {});
  const isOffered = ([name, values]: [string, readonly unknown[]]) => values.includes(kept[name]);
  const names = Object.entries(offered).filter(isOffered);
  return Object.fromEntries(names.map(([name]) => [name, kept[name]]));
}

export const settings: Chosen = $state({ ...usual, ...chosen() });

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** True if animations are wanted. */
export function moves(): boolean {
  return settings.motion === "system" ? !still.matches : settings.motion === "on";
}

/** A duration in milliseconds, or almost zero if motion is reduced. */
export function lasting(milliseconds: number): number {
  return moves() ? milliseconds : Math.min(milliseconds, 80);
}

const QUICK = 0.4;

/** True if a reveal or a battle is shown step by step, false if only its end is shown. */
export function tells(): boolean {
  return moves() && settings.pace !== "instant";
}

/** The milliseconds for a step of a reveal or a battle, given its full duration. */
export function telling(milliseconds: number): number {
  if (!tells()) return 0;
  return settings.pace === "quick" ? Math.round(milliseconds * QUICK) : milliseconds;
}

/** Keep the page and the browser's storage in step with the settings; called once. */
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
