/** Cards on their way: each starts where it was seen last, as far as whoever looks can follow it. */

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

import { lasting, moves } from "$lib/settings.svelte";

import type { Book } from "./book";
import { isClass, type Class } from "./view";

/** A place on the table, and what lies there: a card, or its class where it lies face down. */
export interface Spot {
  place: string;
  seat: number;
  card: string;
}

/** On its way to the discards, where no card is shown any more. */
export interface Gone {
  id: number;
  card: string;
  from: DOMRect;
  to: DOMRect;
}

export const handPlace = (seat: number, key: string) => `hand ${seat} ${key}`;
export const areaPlace = (area: string) => `area ${area}`;
export const attackPlace = (place: number) => `attack ${place}`;
export const ADDED = "added";
/** Where cards come from and go to: the heap, and nearer by while one drafts from it. */
export const pilePlace = (rank: Class) => `pile ${rank}`;
export const plannerPlace = (rank: Class) => `planner ${rank}`;

const LASTS = 260;

export class Travel {
  gone: readonly Gone[] = $state.raw([]);

  readonly #nodes = new Map<string, Element>();
  readonly #from = new Map<string, DOMRect>();
  #spots: readonly Spot[] | null = null;
  #count = 0;

  /** For an element: it is where this place is on the page. */
  at(place: string): (node: Element) => () => void {
    return (node) => {
      this.#nodes.set(place, node);
      return () => {
        if (this.#nodes.get(place) === node) this.#nodes.delete(place);
      };
    };
  }

  /** The page is about to show these: find out where each comes from while that is still to be seen. */
  turn(spots: readonly Spot[], book: Book, isNews: boolean): void {
    const before = this.#spots;
    this.#spots = spots;
    this.#from.clear();
    if (!before || !isNews) return;
    const alike = (one: Spot, other: Spot) => isAlike(one, other, book);
    const stays = (spot: Spot, others: readonly Spot[]) =>
      others.some((other) => other.place === spot.place && alike(spot, other));
    const left = before.filter((spot) => !stays(spot, spots));
    for (const spot of spots) {
      if (stays(spot, before)) continue;
      const old =
        taken(left, (one) => one.seat === spot.seat && one.card === spot.card) ??
        taken(left, (one) => alike(one, spot));
      const rect = old ? this.#rect(old.place) : this.#pile(book.back(spot.card), spot.seat);
      if (rect) this.#from.set(spot.place, rect);
    }
    this.gone = left.flatMap((spot) => {
      const [from, to] = [this.#rect(spot.place), this.#rect(pilePlace(book.back(spot.card)))];
      return from && to ? [{ id: (this.#count += 1), card: spot.card, from, to }] : [];
    });
  }

  /** A transition: from where the card was to where it is. */
  readonly arrive = (node: Element, place: string): TransitionConfig => {
    const from = this.#from.get(place);
    this.#from.delete(place);
    return from ? flight(from, node.getBoundingClientRect()) : { duration: 0 };
  };

  /** A transition of what is gone, which lies where it was. */
  readonly depart = (_: Element, { from, to }: Gone): TransitionConfig => {
    const { css, ...rest } = flight(to, from);
    return { ...rest, css: (t, u) => `${css?.(u, t) ?? ""};opacity:${Math.min(1, 2 * u)}` };
  };

  arrived(id: number): void {
    this.gone = this.gone.filter((one) => one.id !== id);
  }

  #rect(place: string): DOMRect | undefined {
    const rect = this.#nodes.get(place)?.getBoundingClientRect();
    return rect && rect.width > 0 ? rect : undefined;
  }

  #pile(rank: Class, seat: number): DOMRect | undefined {
    return this.#rect(`${plannerPlace(rank)} ${seat}`) ?? this.#rect(pilePlace(rank));
  }
}

function flight(from: DOMRect, to: DOMRect): TransitionConfig {
  const duration = lasting(LASTS);
  if (!moves()) return { duration, css: (t) => `opacity:${t}` };
  const [x, y] = [from.left - to.left, from.top - to.top];
  const scale = to.width > 0 ? from.width / to.width - 1 : 0;
  return {
    duration,
    easing: cubicOut,
    css: (_, u) =>
      `z-index:6;transform-origin:0 0;` +
      `transform:translate(${x * u}px,${y * u}px) scale(${1 + scale * u})`,
  };
}

/** Can it be the same card, turned over perhaps? */
function isAlike(one: Spot, other: Spot, book: Book): boolean {
  if (one.seat !== other.seat) return false;
  if (one.card === other.card) return true;
  return (
    (isClass(one.card) || isClass(other.card)) && book.back(one.card) === book.back(other.card)
  );
}

function taken(spots: Spot[], fits: (spot: Spot) => boolean): Spot | undefined {
  const place = spots.findIndex(fits);
  return place < 0 ? undefined : spots.splice(place, 1)[0];
}
