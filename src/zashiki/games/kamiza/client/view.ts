/** What a seat knows of a match, as the rules of KAMIZA lay it down. */

import type { TableModel, View } from "$lib/table";

import type { Area, Card } from "./cards";

/** A card on the table; null where it is face down and not one's own. */
export interface Lay {
  seat: number;
  card: Card | null;
  area: Area;
  open: boolean;
}

/** A round that was judged. */
export interface Round {
  game: number;
  round: number;
  starter: number;
  /** By seat, in notation; null for who had dropped out. */
  cards: readonly (string | null)[];
  threats: Readonly<Record<string, string>>;
}

export interface KamizaView {
  seat?: number;
  hand?: readonly Card[];
  seats: number;
  game: number;
  round: number;
  starter: number;
  scores: readonly number[];
  wanted?: readonly number[];
  dropped?: readonly number[];
  left: readonly number[];
  placed: readonly Lay[];
  spent: readonly (readonly Card[])[];
  threats: Readonly<Record<string, string>>;
  history: readonly Round[];
}

export function viewed(view: View): KamizaView {
  return view as unknown as KamizaView;
}

export function nameOf(table: TableModel, seat: number): string {
  return table.people[seat]?.name ?? "";
}

/** What was said: a phrase by its key, or words as they were typed. */
export function spoken(table: TableModel, words: string | undefined): string | null {
  return words === undefined ? null : (table.phrases[words] ?? words);
}

/** The hand of a seat, where it may be seen; cards that may be placed are in it in any case. */
export function handOf(table: TableModel, seat: number): readonly Card[] | null {
  const open = table.views?.[seat];
  if (open) return viewed(open).hand ?? null;
  return seat === table.seat ? (viewed(table.view).hand ?? null) : null;
}

/** What lies on the table, with all that whoever looks may know. */
export function laysOf(table: TableModel): readonly Lay[] {
  const placed = viewed(table.view).placed ?? [];
  return placed.map((lay) => {
    const open = table.views?.[lay.seat];
    const own = open && viewed(open).placed.find((one) => one.seat === lay.seat);
    return own ?? lay;
  });
}
