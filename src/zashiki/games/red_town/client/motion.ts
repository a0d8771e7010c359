/** A card always moves from its old place to its new one. */

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

import { lasting, moves } from "$web/shared/settings.svelte";
import type { CardName } from "./view";

/** The old places of the cards that are being played from this page, until they arrive. */
let departures: { card: CardName; place: DOMRect }[] = [];

function placeOf(selector: string): DOMRect | undefined {
  return document.querySelector(selector)?.getBoundingClientRect();
}

export function departFrom(cards: readonly { id: string; card: CardName }[]): void {
  departures = cards.flatMap(({ id, card }) => {
    const place = placeOf(`[data-held="${CSS.escape(id)}"]`);
    return place ? [{ card, place }] : [];
  });
}

function originOf(card: CardName, seat: number | null): DOMRect | undefined {
  const at = departures.findIndex((each) => each.card === card);
  if (at >= 0) return departures.splice(at, 1)[0]?.place;
  return seat === null ? undefined : placeOf(`[data-seat="${seat}"]`);
}

export interface Arrival {
  card: CardName;
  seat: number | null;
  delay?: number;
}

/** From its hand, or from its player. */
export function arrive(node: Element, { card, seat, delay = 0 }: Arrival): TransitionConfig {
  const from = originOf(card, seat);
  const to = node.getBoundingClientRect();
  if (!from || !moves()) return { duration: lasting(160), css: (t) => `opacity: ${t}` };
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const turn = Math.sign(x) * 8;
  return {
    delay,
    duration: 260,
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${u * x}px, ${u * y}px) rotate(${u * turn}deg); ` +
      `opacity: ${Math.min(1, t * 4)}; z-index: 3`,
  };
}

/** Into a hand, from below. Cards that are there when the page opens do not move. */
export function rise(
  _node: Element,
  { isNews, delay }: { isNews: boolean; delay: number },
): TransitionConfig {
  if (!isNews) return { duration: 0 };
  return {
    delay: lasting(delay),
    duration: lasting(240),
    easing: cubicOut,
    css: (t, u) => `transform: translateY(${u * 60}px); opacity: ${t}`,
  };
}

/**
 * The river takes it: first to the water, then downstream. The way is measured at each sweep, since
 * a card may be laid down again at the same location while it is still being swept.
 */
export function drift(node: Element): () => TransitionConfig {
  return () => {
    for (const arrival of node.getAnimations()) arrival.cancel(); // it is put down first
    return wayDownstream(node);
  };
}

function wayDownstream(node: Element): TransitionConfig {
  const river = placeOf("[data-river]");
  if (!river || !moves()) return { duration: lasting(80), css: (t) => `opacity: ${t}` };
  const from = node.getBoundingClientRect();
  const isAcross = river.width > river.height;
  const x = river.left + river.width / 2 - (from.left + from.width / 2);
  const y = river.top + river.height / 2 - (from.top + from.height / 2);
  return {
    duration: 620,
    easing: (t) => t * t,
    css: (t, u) => {
      const near = Math.min(1, u * 1.8);
      const along = Math.max(0, u - 0.4) * 1.2;
      const left = isAcross ? near * 40 + along * river.width : near * x;
      const top = isAcross ? near * y : near * 40 + along * river.height;
      return (
        `transform: translate(${left}px, ${top}px) rotate(${u * 14}deg) scale(${1 - 0.4 * near}); ` +
        `opacity: ${Math.min(1, t * 3)}; z-index: 5`
      );
    },
  };
}

/** A daruma that topples and rolls off. */
export function roll(daruma: Element): TransitionConfig {
  const far = daruma.clientWidth * 4;
  if (!moves()) return { duration: lasting(80), css: (t) => `opacity: ${t}` };
  return {
    delay: 500,
    duration: 1400,
    easing: (t) => t * t,
    css: (t, u) =>
      `transform: translate(${u * far}px, ${(u * u * far) / 8}px) rotate(${u * 560}deg); ` +
      `opacity: ${Math.min(1, t * 4)}; z-index: 5`,
  };
}
