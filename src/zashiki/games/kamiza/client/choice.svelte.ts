/**
 * The card that is about to be placed: chosen from the legal ones, or planned while others think.
 */

import { Intent } from "$web/table/intent.svelte";
import type { TableModel } from "$web/table/model";
import { areas, printed, read, type Area, type Card } from "./cards";
import { viewed } from "./view";

export class Choice {
  #card: Card | null = $state(null);
  #area: Area | null = $state(null);
  #isDoubted = $state(false);
  /** A phrase by its key, typed words, or nothing. */
  says = $state("");
  /** The placement that is sent in a moment, and can be cancelled until then. */
  readonly intent: Intent;
  readonly #table: () => TableModel;
  readonly #onchosen: () => void;

  constructor(table: () => TableModel, onchosen: () => void) {
    this.#table = table;
    this.#onchosen = onchosen;
    this.intent = new Intent(table, () => this.#forget());
  }

  get #legal(): readonly string[] {
    return this.#table().legal;
  }

  /** True if a card may be placed now. */
  get isAsked(): boolean {
    return this.#legal.length > 0;
  }

  /** True if a card may be chosen now, for this turn or for the next. */
  get canPlan(): boolean {
    const { seat, over, isReplay, view } = this.#table();
    const isOut = seat !== null && (viewed(view).dropped ?? []).includes(seat);
    return seat !== null && !over && !isReplay && !isOut;
  }

  /** True if this card may be placed anywhere, now or in this seat's next turn. */
  allows(card: Card): boolean {
    if (this.isAsked) return this.#legal.some((action) => read(action).card === card);
    return this.canPlan && (viewed(this.#table().view).hand ?? []).includes(card);
  }

  /** True if the chosen card, or any card, may be placed there. */
  allowsAt(area: Area): boolean {
    if (!this.isAsked) return this.canPlan;
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

  /** The chosen action. */
  get action(): string | null {
    return this.area && this.actionAt(this.area);
  }

  /** The action that places the chosen card there, in notation; null if it is illegal. */
  actionAt(area: Area): string | null {
    const action = this.card ? `${this.card}@${area}` : null;
    return action !== null && this.#legal.includes(action) ? action : null;
  }

  /** True if the chosen card would be removed there and score nothing. */
  isWorthlessAt(area: Area): boolean {
    return this.card !== null && !printed[this.card].takenAt.includes(area);
  }

  /** True while the player is asked to confirm a worthless placement. */
  get isDoubted(): boolean {
    return this.#isDoubted && this.action !== null;
  }

  take(card: Card): void {
    if (!this.allows(card)) {
      if (this.isAsked) void this.#table().whyNot(`${card}@${this.#area ?? "top"}`);
      return;
    }
    this.intent.takeBack();
    this.#isDoubted = false;
    this.#card = this.#card === card ? null : card;
    const possible = areas.filter((area) => this.allowsAt(area));
    if (this.#card && possible.length === 1) this.#area = possible[0] ?? null;
    this.#onchosen();
  }

  /** Press an area: the chosen card is placed there, or planned for it. */
  go(area: Area, fallback: Card): void {
    if (this.intent.action !== null) return;
    if (!this.allowsAt(area)) {
      if (this.isAsked) void this.#table().whyNot(`${this.card ?? fallback}@${area}`);
      return;
    }
    const isAgain = this.#area === area && this.actionAt(area) === null;
    this.#area = isAgain ? null : area;
    this.#onchosen();
    if (this.action === null) return;
    this.#isDoubted = this.isWorthlessAt(area);
    if (!this.#isDoubted) this.place();
  }

  /** Drag a card to an area, or press it twice if it suits only one area. */
  bring(card: Card, area: Area | null): void {
    if (!this.allows(card)) return;
    this.intent.takeBack();
    this.#card = card;
    const [only, other] = printed[card].takenAt;
    const place = area ?? this.area ?? (other ? null : only);
    if (!place) return;
    if (this.#area === place && !this.isAsked) return; // it is already planned so
    this.go(place, card);
  }

  /** Place the chosen card after a moment. */
  place(): void {
    const { action } = this;
    const table = this.#table();
    if (action === null || table.busy) return;
    this.#isDoubted = false;
    this.intent.begin(action, this.says.trim() || undefined);
    table.skip?.();
  }

  /** Cancel the placement: the card remains chosen, the area does not. */
  doubt(): void {
    this.#isDoubted = false;
    this.#area = null;
  }

  #forget(): void {
    this.#card = null;
    this.#area = null;
    this.says = "";
  }
}
