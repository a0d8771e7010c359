/** A card always travels from where it was to where it is. */

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";

import { lasting, moves } from "$lib/settings.svelte";
import type { CardName } from "./view";

/** Where the cards lay that are being played from this page, until they arrive. */
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

/** From the hand it was in, or from who holds it. */
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

/** The river takes it. */
export function drift(_: Element, { down }: { down: boolean }): TransitionConfig {
  if (!moves()) return { duration: lasting(80), css: (t) => `opacity: ${t}` };
  const y = down ? 70 : -70;
  return {
    duration: 420,
    easing: (t) => t * t,
    css: (t, u) => `transform: translate(${u * 55}vw, ${Math.min(1, u * 3) * y}%); opacity: ${t}`,
  };
}
