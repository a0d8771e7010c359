/** Animations of cards: each starts where it was last seen, as far as the viewer can follow it. */

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

import { lasting, moves } from "$web/shared/settings.svelte";
import type { Book } from "./book";
import { isClass, type Class } from "./view";

/** A place on the table and its card, or the card's class if it is face down. */
export interface Spot {
  place: string;
  seat: number;
  card: string;
}

/** A card moving to the discards, where cards are not shown individually. */
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
/** The start and the goal of moving cards: the pile, or the planner during a draft. */
export const pilePlace = (rank: Class) => `pile ${rank}`;
export const plannerPlace = (rank: Class) => `planner ${rank}`;

const LASTS = 260;

export class Travel {
  gone: readonly Gone[] = $state.raw([]);

  readonly #nodes = new Map<string, Element>();
  readonly #from = new Map<string, DOMRect>();
  #spots: readonly Spot[] | null = null;
  #count = 0;

  /** An attachment: registers an element as this place. */
  at(place: string): (node: Element) => () => void {
    return (node) => {
      this.#nodes.set(place, node);
      return () => {
        if (this.#nodes.get(place) === node) this.#nodes.delete(place);
      };
    };
  }

  /**
   * Called before the page shows these: find where each card comes from while the old places exist.
   */
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

  /** A transition from the card's old place to its new one. */
  readonly arrive = (node: Element, place: string): TransitionConfig => {
    const from = this.#from.get(place);
    this.#from.delete(place);
    return from ? flight(from, node.getBoundingClientRect()) : { duration: 0 };
  };

  /** A transition of a removed card, which is still drawn at its old place. */
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

/** True if it can be the same card, possibly turned over. */
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
