/** The texts of the shell; those of a game come from the server (texts.svelte.ts). */

import en from "$web/text/en.json";
import ja from "$web/text/ja.json";
import { settings } from "./settings.svelte";

export type Key = keyof typeof en;

const spoken: Record<string, Record<string, string>> = { en, ja };

export type Details = Record<string, string | number>;

/** Fill the gaps of a sentence: "{name} is away". */
export function filled(text: string, details: Details = {}): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => String(details[name] ?? gap));
}

export function t(key: Key, details: Details = {}): string {
  return filled(spoken[settings.language]?.[key] ?? en[key], details);
}

/** A time of day in the page's language. */
export function hour(seconds: number): string {
  return new Intl.DateTimeFormat(settings.language, { timeStyle: "short" }).format(seconds * 1000);
}

/** A date and time in the page's language. */
export function moment(seconds: number): string {
  return new Intl.DateTimeFormat(settings.language, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(seconds * 1000);
}
