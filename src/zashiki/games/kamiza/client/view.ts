/** A seat's view of a match, as the rules of KAMIZA define it. */

import type { TableModel, View } from "$web/table/model";
import type { Area, Card } from "./cards";

/** A card on the table; null if it is face down and not the viewer's own. */
export interface Lay {
  seat: number;
  card: Card | null;
  area: Area;
  open: boolean;
}

/** A judged round. */
export interface Round {
  game: number;
  round: number;
  starter: number;
  /** By seat, in notation; null for a seat that had dropped out. */
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

/** The words of a phrase, given by its key or typed; null if nothing was said. */
export function spoken(table: TableModel, words: string | undefined): string | null {
  return words === undefined ? null : (table.phrases[words] ?? words);
}

/** The hand of a seat; null if it may not be seen. */
export function handOf(table: TableModel, seat: number): readonly Card[] | null {
  const open = table.views?.[seat];
  if (open) return viewed(open).hand ?? null;
  return seat === table.seat ? (viewed(table.view).hand ?? null) : null;
}

/** The cards on the table, with everything that the viewer may know. */
export function laysOf(table: TableModel): readonly Lay[] {
  const placed = viewed(table.view).placed ?? [];
  return placed.map((lay) => {
    const open = table.views?.[lay.seat];
    const own = open && viewed(open).placed.find((one) => one.seat === lay.seat);
    return own ?? lay;
  });
}
