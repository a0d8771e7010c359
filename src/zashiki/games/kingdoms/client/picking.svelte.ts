/**
 * The picks for the next action: an area, cards, and the actions that they make. While the opponent
 * decides, the picks are a plan, which is kept as far as the turn allows it.
 */

import type { TableModel } from "$web/table/model";
import type { Book } from "./book";
import { choicesIn, same, within, written, type Choice } from "./choices";
import { known } from "./view";

export interface Picked {
  /** Which of several copies. */
  key: string;
  name: string;
}

/** RB 2.4b: an attack takes one card or two. */
const MOST_PLANNED = 2;

interface Plan {
  area: string | null;
  picked: readonly Picked[];
}

export class Picking {
  area: string | null = $state(null);
  picked: readonly Picked[] = $state.raw([]);
  readonly choices: readonly Choice[];

  readonly #table: () => TableModel;
  readonly #book: () => Book;
  /** The picks for the viewer's next turn, while a battle asks for another decision. */
  #aside: Plan | null = null;

  constructor(table: () => TableModel, book: () => Book) {
    this.#table = table;
    this.#book = book;
    this.choices = $derived(choicesIn(table().legal));
  }

  get cards(): string[] {
    return this.picked.map((one) => one.name);
  }

  /** The actions that match exactly the picks. */
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

  /** The action that the picks make, if nothing could be added to it. */
  get only(): string | null {
    const [choice, ...more] = this.complete;
    if (!choice || more.length > 0) return null;
    const grows = this.choices.some(
      (one) =>
        one.area === choice.area &&
        one.cards.length > choice.cards.length &&
        within(choice.cards, one.cards),
    );
    return grows ? null : choice.action;
  }

  /** The only action of this card alone; null if there is none or more than one. */
  obvious(name: string): string | null {
    const [choice, ...more] = this.choices.filter((one) => one.cards.includes(name));
    return choice && more.length === 0 && choice.cards.length === 1 ? choice.action : null;
  }

  /** True if an action has these cards, on this area if one is given. */
  fits(area: string | null, cards: readonly string[]): boolean {
    return this.choices.some(
      (choice) => (area === null || choice.area === area) && within(cards, choice.cards),
    );
  }

  /** True if it can be picked, possibly in place of another. */
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

  /**
   * The legal actions have changed: keep the picks that are still in the hand and still fit
   * together.
   */
  follow(keys: readonly string[]): void {
    if (this.choices.some((choice) => choice.verb === "defend" || choice.verb === "leave")) {
      this.#aside ??= { area: this.area, picked: this.picked };
      this.clear();
      return;
    }
    const { area, picked } = this.#aside ?? this;
    this.#aside = null;
    const held = picked.filter((one) => keys.includes(one.key));
    const cards = held.map((one) => one.name);
    const isPlan = this.choices.length === 0;
    this.picked = isPlan || this.fits(null, cards) ? held : [];
    this.area = this.picked.length > 0 && (isPlan || this.fits(area, cards)) ? area : null;
  }

  press(key: string, name: string): void {
    if (this.has(key)) {
      this.picked = this.picked.filter((one) => one.key !== key);
      return;
    }
    if (this.choices.length === 0) {
      this.picked = [...this.picked.slice(1 - MOST_PLANNED), { key, name }];
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

  /** Move the picks there; of too many cards, the last picked ones. */
  pressArea(area: string): void {
    if (this.area === area) {
      this.area = null;
      return;
    }
    if (this.choices.length === 0) {
      if (this.picked.length > 0) this.area = area;
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

  /** Put a card on an area, together with the other picked cards if it is one of them. */
  put(key: string, name: string, area: string): void {
    if (!this.has(key)) this.picked = [{ key, name }];
    const { battle } = this.#view;
    if (this.choices.some((choice) => choice.verb === "defend")) {
      if (battle?.area !== area) this.picked = [];
      return;
    }
    if (this.area !== area) this.pressArea(area);
  }

  get #view() {
    return known(this.#table().view);
  }

  /** The action that the player seems to want although it is illegal, for asking why. */
  #attempt(area: string | null, cards: readonly string[]): string {
    const { phase, areas } = this.#view;
    if (phase === "defend" || phase === "leave") return written(phase, null, cards);
    const where = area ?? Object.keys(areas)[0] ?? "";
    const verb = this.#verb(where, cards);
    return written(verb, where, verb === "attack" ? cards : cards.slice(-1));
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
