/** What has been picked for the next action: an area, cards, and which actions that makes. */

import type { TableModel } from "$lib/table";

import type { Book } from "./book";
import { choicesIn, same, within, written, type Choice } from "./choices";
import { known } from "./view";

export interface Picked {
  /** Which of several copies. */
  key: string;
  name: string;
}

export class Picking {
  area: string | null = $state(null);
  picked: readonly Picked[] = $state.raw([]);
  readonly choices: readonly Choice[];

  readonly #table: () => TableModel;
  readonly #book: () => Book;

  constructor(table: () => TableModel, book: () => Book) {
    this.#table = table;
    this.#book = book;
    this.choices = $derived(choicesIn(table().legal));
  }

  get cards(): string[] {
    return this.picked.map((one) => one.name);
  }

  /** The actions that say exactly what is picked. */
  get complete(): readonly Choice[] {
    return this.choices.filter(
      (choice) =>
        choice.area === this.area && choice.cards.length > 0 && same(choice.cards, this.cards),
    );
  }

  /** The actions that need neither area nor cards. */
  get plain(): readonly Choice[] {
    return this.choices.filter((choice) => choice.area === null && choice.cards.length === 0);
  }

  /** Does some action have these cards, on this area if one is named? */
  fits(area: string | null, cards: readonly string[]): boolean {
    return this.choices.some(
      (choice) => (area === null || choice.area === area) && within(cards, choice.cards),
    );
  }

  /** Can it be picked, perhaps in the place of another? */
  offers(name: string): boolean {
    return this.fits(this.area, [name]);
  }

  offersArea(area: string): boolean {
    const last = this.cards.slice(-1);
    return this.choices.some((choice) => choice.area === area && within(last, choice.cards));
  }

  has(key: string): boolean {
    return this.picked.some((one) => one.key === key);
  }

  clear(): void {
    this.area = null;
    this.picked = [];
  }

  press(key: string, name: string): void {
    if (this.choices.length === 0) return;
    if (this.has(key)) {
      this.picked = this.picked.filter((one) => one.key !== key);
      return;
    }
    for (let first = 0; first <= this.picked.length; first += 1) {
      const kept = this.picked.slice(first);
      const cards = [...kept.map((one) => one.name), name];
      if (this.fits(this.area, cards)) {
        this.picked = [...kept, { key, name }];
        return;
      }
    }
    void this.#table().whyNot(this.#attempt(this.area, [name]));
  }

  pressArea(area: string): void {
    if (this.choices.length === 0) return;
    if (this.area === area) {
      this.area = null;
      return;
    }
    const fewest = Math.min(1, this.picked.length);
    for (let first = 0; first <= this.picked.length - fewest; first += 1) {
      const kept = this.picked.slice(first);
      const cards = kept.map((one) => one.name);
      if (this.choices.some((one) => one.area === area && within(cards, one.cards))) {
        this.area = area;
        this.picked = kept;
        return;
      }
    }
    const cards = this.cards.length > 0 ? this.cards : this.#view.hand?.slice(0, 1);
    if (cards?.length) void this.#table().whyNot(this.#attempt(area, cards));
  }

  get #view() {
    return known(this.#table().view);
  }

  /** What somebody seems to want that is not offered, for the rules to answer. */
  #attempt(area: string | null, cards: readonly string[]): string {
    const { phase, areas } = this.#view;
    if (phase === "defend" || phase === "leave") return written(phase, null, cards);
    const where = area ?? Object.keys(areas)[0] ?? "";
    return written(this.#verb(where, cards), where, cards);
  }

  #verb(area: string, cards: readonly string[]): string {
    const offered = this.choices.find((choice) => choice.area === area);
    if (offered) return offered.verb;
    const held = this.#view.areas[area];
    if (!held) return "occupy";
    if (held.seat !== this.#table().seat) return "attack";
    const liaison = cards.length === 1 && this.#book().card(cards[0] ?? "").skill === "liaison";
    return liaison ? "swap" : "occupy";
  }
}
