/** A seat's view of Red Town, as its rules define it. */

import type { View } from "$web/table/model";

export type CardName = string;
export type Colour = "R" | "B";

/** One of the sets of the two-player form. */
export interface CardSet {
  cards: CardName[] | null;
  size: number;
  hitman: Colour | null;
  looked: boolean;
}

/** Letters if the colours are known, otherwise a number. */
export type Hitmen = string | number;

export interface RedTownView {
  form: "standard" | "two" | "short";
  seats: number;
  round: number;
  phase: string;
  turn: number | null;
  bosses: number[] | null;
  confirmed: number[];
  board: Partial<Record<string, CardName[]>>;
  declared: number | null;
  last: number | null;
  passed: number[];
  out: number[];
  discard: CardName[];
  sizes: number[];
  supply: Hitmen[];
  hitmen_held: Hitmen[];
  chosen: Partial<Record<string, string | null>>;
  red_three: number | null;
  plays: { seat: number; location: string | null; cards: CardName[] }[];
  sets?: CardSet[][] | null;
  waiting?: (CardSet | null)[] | null;
  // Private fields of a seat:
  seat?: number;
  hand?: CardName[];
  passed_on?: { round: number; to: number; cards: CardName[] }[];
  known?: Record<string, CardName[]>;
  unseen?: Record<string, number>;
}

export function asRedTown(view: View): RedTownView {
  return view as unknown as RedTownView;
}

export function colourOf(card: CardName): Colour {
  return card.startsWith("R") ? "R" : "B";
}

/** The number of a card; null for a Hitman. */
export function numberOf(card: CardName): number | null {
  return card.endsWith("H") ? null : Number(card.slice(1));
}

/** The Hitmen that letters represent, as cards; null if only their number is known. */
export function hitmenIn(hitmen: Hitmen): (CardName | null)[] {
  if (typeof hitmen === "number") return Array.from({ length: hitmen }, () => null);
  return Array.from(hitmen, (letter) => `${letter}H`);
}

const PREPARING = ["decide", "pick", "pick-many", "look", "give", "choose"];

/** True while hands are prepared. */
export function isPreparing(view: RedTownView): boolean {
  return PREPARING.includes(view.phase);
}

/** The seats clockwise, beginning with one. */
export function clockwise(seats: number, first: number): number[] {
  return Array.from({ length: seats }, (_, step) => (first + step) % seats);
}
