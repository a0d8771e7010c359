/** Card sets: their structure, their text, and the place of each fault. */

import { get, post } from "$web/shared/api";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";

export const GAME = "kingdoms";
export const OPTION = "card_set";

export interface Names {
  en: string;
  ja: string;
}

export interface Area {
  name: string;
  names: Names;
  red_funds: number;
  blue_funds: number;
  offset: number;
}

export interface Monarch {
  name: string;
  names: Names;
  side: string;
  attack: number;
  defence: number;
}

export interface Card {
  name: string;
  names: Names;
  class: string;
  copies: number;
  attack: number;
  defence: number;
  skill?: string;
  amount?: number;
}

export interface SetContent {
  name: string;
  names: Names;
  areas: Area[];
  monarchs: Monarch[];
  cards: Card[];
}

/**
 * The server's reading of a set, which is sent as a text, a mapping, or the name of a built-in one.
 */
export function checked(content: string | SetContent): Promise<wire.CheckedCardSet> {
  return post<wire.CheckedCardSet>(spoken("/api/card-sets/check"), asked(content));
}

export function saved(content: string | SetContent): Promise<wire.CardSet> {
  return post<wire.CardSet>(spoken("/api/card-sets"), asked(content));
}

export function found(id: string): Promise<wire.CardSet> {
  return get<wire.CardSet>(spoken(`/api/card-sets/${encodeURIComponent(id)}`));
}

/** Faults and remarks come in the language of the page. */
function spoken(path: string): string {
  return `${path}?language=${settings.language}`;
}

function asked(content: string | SetContent): wire.CardSetContent {
  return { game: GAME, option: OPTION, content: content as string | Record<string, unknown> };
}

/** A copy of a set under the next name: "mine" becomes "mine-2", "mine-2" becomes "mine-3". */
export function renamed(content: SetContent): SetContent {
  const copy = structuredClone(content);
  const number = Number(/-(\d+)$/.exec(content.name)?.[1] ?? 1) + 1;
  copy.name = `${content.name.replace(/-\d+$/, "").slice(0, 26)}-${number}`;
  copy.names.en = `${content.names.en.replace(/ \d+$/, "").slice(0, 36)} ${number}`;
  copy.names.ja = `${content.names.ja.replace(/ \d+$/, "").slice(0, 36)} ${number}`;
  return copy;
}

/** A skill, named after the first card that has it; some skills need an amount. */
export interface Skill {
  names: Names;
  hasAmount: boolean;
}

/** The skills that these sets define. */
export function skillsOf(...sets: readonly SetContent[]): Map<string, Skill> {
  const known = new Map<string, Skill>();
  for (const { skill, names, amount } of sets.flatMap((set) => set.cards)) {
    const first = skill ? known.get(skill) : undefined;
    const hasAmount = first?.hasAmount || amount !== undefined;
    if (skill) known.set(skill, { names: first?.names ?? names, hasAmount });
  }
  return known;
}

/** The number of cards of a class, copies included. */
export function count(content: SetContent, cardClass: string): number {
  return content.cards
    .filter((card) => card.class === cardClass)
    .reduce((sum, card) => sum + (card.copies || 0), 0);
}

export function newCard(content: SetContent): Card {
  const taken = new Set(content.cards.map((card) => card.name));
  let number = content.cards.length + 1;
  while (taken.has(`card-${number}`)) number += 1;
  const names = { en: `Card ${number}`, ja: `カード${number}` };
  return { name: `card-${number}`, names, class: "normal", copies: 1, attack: 1, defence: 1 };
}

// Faults ------------------------------------------------------------------------------------------

/** A fault, and the field of the form that has it. */
export interface Fault {
  text: string;
  /** "" for the set itself, "none" if no field is at fault. */
  group: string;
  place: number | null;
  key: string;
  line: number | null;
}

/** The server names a field like `cards[3].attack`. */
export function placed({ text, path, line }: wire.ContentFault): Fault {
  const entry = /^(\w+)\[(\d+)\](?:\.(.+))?$/.exec(path);
  if (entry) {
    const [, group = "", place, key = ""] = entry;
    return { text, group, place: Number(place), key, line };
  }
  return { text, group: path ? "" : "none", place: null, key: path, line };
}

// Text --------------------------------------------------------------------------------------------

function written(value: string | number | undefined): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value ?? "");
}

function entry(value: object): string {
  const lines = Object.entries(value)
    .filter(([, one]) => one !== undefined && one !== null)
    .map(([key, one]) =>
      typeof one === "object"
        ? `${key} = { en = ${written(one.en)}, ja = ${written(one.ja)} }`
        : `${key} = ${written(one)}`,
    );
  return `${lines.join("\n")}\n`;
}

/** The set as a file that the server, the command line and people can read. */
export function toToml(content: SetContent): string {
  const { name, names } = content;
  const groups = (["areas", "monarchs", "cards"] as const).flatMap((group) =>
    content[group].map((one) => `\n[[${group}]]\n${entry(one)}`),
  );
  return entry({ name, names }) + groups.join("");
}

/** Download a text as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
