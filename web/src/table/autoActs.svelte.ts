/** Automatic actions: the only answer to a decision, and passes declared in advance. */

import { settings } from "$web/shared/settings.svelte";
import type { Passing, TableModel } from "./model";

/** The milliseconds for which an automatic action is announced before it is sent. */
export const BEAT = 1000;

export interface Watched extends TableModel {
  /** True if nothing moves and nothing waits to be shown. */
  readonly settled: boolean;
  readonly telling: boolean;
  readonly state: string;
}

export class AutoActs {
  /** The action that will be sent soon, in notation; null if there is none. */
  coming: string | null = $state(null);
  /** True if the player chose to pass every turn for now. */
  isPassing = $state(false);
  #decision: number | null = null;
  /** The last decision that was answered here; no decision is answered twice. */
  #answered: number | null = null;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #table: () => Watched;
  readonly #passing: () => Passing | undefined;

  constructor(table: () => Watched, passing: () => Passing | undefined) {
    this.#table = table;
    this.#passing = passing;
  }

  /** True if passing in advance may be chosen or cancelled. */
  get isOffered(): boolean {
    const table = this.#table();
    const passing = this.#passing();
    if (!passing || table.isReplay || table.over || table.seat === null) return false;
    return this.isPassing || passing.isOffered(table);
  }

  pass(ahead: boolean): void {
    this.isPassing = ahead;
    this.#since = lastOf(this.#table());
    this.follow();
  }

  /**
   * Prepare the current decision's action, or drop one that is no longer asked. Called on changes.
   */
  follow(): void {
    const table = this.#table();
    if (this.isPassing && this.#isPassingOver(table)) this.isPassing = false;
    const action = this.#answerTo(table);
    if (action === this.coming && table.decision === this.#decision) return;
    this.stop();
    if (action === null) return;
    this.coming = action;
    this.#decision = table.decision;
    this.#timer = setTimeout(() => this.#act(), BEAT);
  }

  /** Cancel the announced action. */
  stop(): void {
    clearTimeout(this.#timer);
    this.coming = null;
    this.#decision = null;
  }

  #isPassingOver(table: Watched): boolean {
    const ends = this.#passing()?.ends ?? [];
    const isPast = table.past.some(({ n, fact }) => n > this.#since && ends.includes(fact));
    return table.over || isPast;
  }

  #answerTo(table: Watched): string | null {
    const { decision, legal } = table;
    const own = table.people.find((person) => person.me);
    const isAsked = decision !== null && decision !== this.#answered && !table.busy;
    const isShown = table.settled && !table.telling && table.state === "open";
    if (!isAsked || !isShown || table.isReplay || table.over || own?.standIn) return null;
    const pass = this.isPassing ? this.#passing()?.action : undefined;
    if (pass !== undefined && legal.includes(pass)) return pass;
    return legal.length === 1 && !settings.asksAlways ? (legal[0] ?? null) : null;
  }

  /** The table may have changed: answer only a decision that is still open. */
  #act(): void {
    const table = this.#table();
    const { coming } = this;
    const isOwed = table.decision === this.#decision && this.#answerTo(table) === coming;
    this.stop();
    if (coming === null || !isOwed) return;
    this.#answered = table.decision;
    void table.play(coming);
  }
}

function lastOf(table: Watched): number {
  return table.past.at(-1)?.n ?? 0;
}
