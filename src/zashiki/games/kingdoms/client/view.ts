/** A seat's view of a match, as the rules of the game define it. */

import type { View } from "$web/table/model";

export const AREAS = ["red-capital", "red-city", "border", "blue-city", "blue-capital"] as const;
export const CLASSES = ["normal", "ace"] as const;
export type Class = (typeof CLASSES)[number];

/** The cost of a card in the draft. */
export const COST: Record<Class, number> = { normal: 1, ace: 2 };
/** The number of consecutive turns without a placed card that ends the match. */
export const MOST_STILL = 4;

export interface Held {
  seat: number;
  card: string;
}

/** One line of a battle's arithmetic; an offset has no card. */
export interface Line {
  seat: number;
  card: string | null;
  area: string;
  source: string;
  amount: number;
}

export interface Battle {
  area: string;
  /** Names of cards, or of classes while they are face down. */
  attackers: string[];
  defender: string;
  added: string | null;
  winner: number | null;
  revealed: boolean;
  /** Known cards that are either attacking or in hand. */
  perhaps: string[];
  lines: Line[] | null;
  totals: { attack: number; defence: number } | null;
}

export interface HandShown {
  normal: number;
  ace: number;
  known: string[];
}

export interface KingdomsView {
  hand?: string[];
  phase: "draft" | "deploy" | "defend" | "leave" | "over";
  turn: number | null;
  number: number;
  still: number;
  placed: boolean;
  areas: Record<string, Held | null>;
  funds: number[];
  hands: HandShown[];
  piles: Record<Class, number>;
  discards: Record<Class, string[]>;
  battle: Battle | null;
}

export function known(view: View): KingdomsView {
  return view as unknown as KingdomsView;
}

/** The attacker: the seat that does not hold the area. */
export function attackerOf(view: KingdomsView): number {
  const holder = view.battle ? view.areas[view.battle.area]?.seat : undefined;
  return 1 - (holder ?? 0);
}

export function isClass(name: string): name is Class {
  return name === "normal" || name === "ace";
}
