/** The notation of actions, and a parser for it. */

import { colourOf, numberOf, type CardName, type Colour } from "./view";

export const RED_BANK = ["r1", "r2", "r3", "r4"] as const;
export const BLACK_BANK = ["b1", "b2", "b3", "b4"] as const;
export const LOCATIONS: readonly string[] = [...RED_BANK, ...BLACK_BANK];

/**
 * The requirement of a tile: a colour per card, or both if either is allowed; equal or rising
 * numbers.
 */
export interface Demand {
  cards: readonly (Colour | "either")[];
  rising: boolean;
  effect: "discard" | "end" | null;
}

export const DEMANDS: Readonly<Record<string, Demand>> = {
  r1: { cards: ["R"], rising: false, effect: null },
  r2: { cards: ["R", "R"], rising: true, effect: null },
  r3: { cards: ["R", "R", "either"], rising: true, effect: null },
  r4: { cards: ["R", "R", "R", "R"], rising: true, effect: "discard" },
  b1: { cards: ["B"], rising: false, effect: null },
  b2: { cards: ["B", "B"], rising: false, effect: null },
  b3: { cards: ["B", "B", "either"], rising: true, effect: null },
  b4: { cards: ["B", "B", "B", "B"], rising: false, effect: "end" },
};

/** Cards at a location. */
export interface Play {
  action: string;
  location: string;
  cards: readonly CardName[];
}

/** The plays among some actions. */
export function playsIn(actions: readonly string[]): Play[] {
  return actions.flatMap((action) => {
    const [location = "", cards] = action.split(":");
    if (cards === undefined || !LOCATIONS.includes(location)) return [];
    return [{ action, location, cards: cards.split(",") }];
  });
}

/** True if all of these are among those, each as often. */
export function isPart(some: readonly CardName[], all: readonly CardName[]): boolean {
  const left = [...all];
  return some.every((card) => {
    const at = left.indexOf(card);
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

export function isSame(some: readonly CardName[], others: readonly CardName[]): boolean {
  return some.length === others.length && isPart(some, others);
}

const HITMAN_RANK = 99;
const rank = (card: CardName) => numberOf(card) ?? HITMAN_RANK;

/** Red before black, ascending numbers, Hitmen after the numbers of their colour. */
export function byColour(one: CardName, other: CardName): number {
  const colours = Number(colourOf(one) === "B") - Number(colourOf(other) === "B");
  return colours || rank(one) - rank(other);
}

/** Ascending numbers, red before black, Hitmen last. */
export function byNumber(one: CardName, other: CardName): number {
  return rank(one) - rank(other) || byColour(one, other);
}

const hitmenOf = (play: Play) => play.cards.filter((card) => numberOf(card) === null).length;
const lowestOf = (play: Play) => Math.min(...play.cards.map(rank));

/** The best first: the fewest Hitmen, then the most cards, then the lowest number. */
export function byWorth(one: Play, other: Play): number {
  return (
    hitmenOf(one) - hitmenOf(other) ||
    other.cards.length - one.cards.length ||
    lowestOf(one) - lowestOf(other)
  );
}

export function written(location: string, cards: readonly CardName[]): string {
  return `${location}:${[...cards].sort(byColour).join(",")}`;
}

/** The location for which the cards seem to be meant, for asking why. */
export function likeliest(cards: readonly CardName[]): string {
  const reds = cards.filter((card) => colourOf(card) === "R").length;
  const bank = reds * 2 >= cards.length ? "r" : "b";
  return `${bank}${Math.min(4, Math.max(1, cards.length))}`;
}
