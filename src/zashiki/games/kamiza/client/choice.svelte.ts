/** The card that is about to be placed: chosen from what is legal, and nothing else. */

import type { TableModel } from "$lib/table";

import { areas, read, type Area, type Card } from "./cards";

export class Choice {
  #card: Card | null = $state(null);
  #area: Area | null = $state(null);
  /** A phrase by its key, own words, or nothing. */
  says = $state("");
  readonly #table: () => TableModel;
  readonly #onchosen: () => void;

  constructor(table: () => TableModel, onchosen: () => void) {
    this.#table = table;
    this.#onchosen = onchosen;
  }

  get #legal(): readonly string[] {
    return this.#table().legal;
  }

  /** May this card be placed anywhere? */
  allows(card: Card): boolean {
    return this.#legal.some((action) => read(action).card === card);
  }

  /** May the chosen card, or any, be placed there? */
  allowsAt(area: Area): boolean {
    const card = this.card;
    return this.#legal.some((action) => {
      const one = read(action);
      return one.area === area && (card === null || one.card === card);
    });
  }

  get card(): Card | null {
    return this.#card && this.allows(this.#card) ? this.#card : null;
  }

  get area(): Area | null {
    return this.#area && this.allowsAt(this.#area) ? this.#area : null;
  }

  /** The action that stands chosen. */
  get action(): string | null {
    const action = this.card && this.area ? `${this.card}@${this.area}` : null;
    return action !== null && this.#legal.includes(action) ? action : null;
  }

  take(card: Card): void {
    if (!this.allows(card)) {
      const area = this.#area ?? "top";
      void this.#table().whyNot(`${card}@${area}`);
      return;
    }
    this.#card = this.#card === card ? null : card;
    const possible = areas.filter((area) => this.allowsAt(area));
    if (this.#card && possible.length === 1) this.#area = possible[0] ?? null;
    this.#onchosen();
  }

  go(area: Area, fallback: Card): void {
    if (!this.allowsAt(area)) {
      void this.#table().whyNot(`${this.card ?? fallback}@${area}`);
      return;
    }
    this.#area = area;
    this.#onchosen();
  }

  async place(): Promise<void> {
    const action = this.action;
    const table = this.#table();
    if (action === null || table.busy) return;
    const placed = table.play(action, this.says.trim() || undefined);
    table.skip?.();
    if (await placed) {
      this.#card = null;
      this.#area = null;
      this.says = "";
    }
  }
}
