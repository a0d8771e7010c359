/** The legal actions, parsed from notation; nothing else is offered. */

import { COST } from "./view";

export interface Choice {
  action: string;
  verb: string;
  area: string | null;
  cards: readonly string[];
}

export interface Draft {
  action: string;
  normal: number;
  ace: number;
}

const DRAFT = /^draft:(?:0|(?:N(\d+))?(?:A(\d+))?)$/;

export function draftsIn(legal: readonly string[]): Draft[] {
  return legal.flatMap((action) => {
    const found = DRAFT.exec(action);
    return found ? [{ action, normal: Number(found[1] ?? 0), ace: Number(found[2] ?? 0) }] : [];
  });
}

/** The draft that spends the most; among equals, the one with the most cards. */
export function largestDraft(drafts: readonly Draft[]): Draft | null {
  const costs = ({ normal, ace }: Draft) => normal * COST.normal + ace * COST.ace;
  const more = (one: Draft, other: Draft) =>
    costs(other) - costs(one) || other.normal + other.ace - one.normal - one.ace;
  return drafts.toSorted(more)[0] ?? null;
}

export function draftOf(normal: number, ace: number): string {
  return `draft:${(normal ? `N${normal}` : "") + (ace ? `A${ace}` : "") || "0"}`;
}

/** All but the drafts. */
export function choicesIn(legal: readonly string[]): Choice[] {
  return legal.filter((action) => !DRAFT.test(action)).map(read);
}

function read(action: string): Choice {
  const parts = action.split(":");
  const verb = parts[0] ?? action;
  const cards = (parts.length > 1 ? (parts.at(-1) ?? "") : "")
    .split("+")
    .filter((card) => card !== "" && card !== "none");
  return { action, verb, area: parts.length > 2 ? (parts[1] ?? null) : null, cards };
}

/** True if all these cards are among those, each as often. */
export function within(part: readonly string[], cards: readonly string[]): boolean {
  const left = [...cards];
  return part.every((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

export function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && within(one, other);
}

/** Notation with its cards in alphabetical order. */
export function written(verb: string, area: string | null, cards: readonly string[]): string {
  const named = [...cards].sort().join("+") || "none";
  return area === null ? `${verb}:${named}` : `${verb}:${area}:${named}`;
}
