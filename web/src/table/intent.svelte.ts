/** An action that is about to be sent; it can be cancelled for a second. */

import type { TableModel } from "./model";

/** The milliseconds in which an action can be cancelled. */
export const REGRET = 1000;

export class Intent {
  /** The action that will be sent, in notation; null if there is none. */
  action: string | null = $state(null);
  #says: string | undefined;
  #decision: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #table: () => TableModel;
  readonly #onaccepted: () => void;

  constructor(table: () => TableModel, onaccepted: () => void) {
    this.#table = table;
    this.#onaccepted = onaccepted;
  }

  begin(action: string, says?: string): void {
    this.takeBack();
    this.action = action;
    this.#says = says;
    this.#decision = this.#table().decision;
    this.#timer = setTimeout(() => void this.#send(), REGRET);
  }

  takeBack(): void {
    clearTimeout(this.#timer);
    this.action = null;
  }

  /** Drop an action whose decision is no longer open. Called when news arrive. */
  follow(): void {
    if (this.action !== null && !this.#isOwed) this.takeBack();
  }

  get #isOwed(): boolean {
    return this.#decision !== null && this.#table().decision === this.#decision;
  }

  async #send(): Promise<void> {
    const table = this.#table();
    const action = this.action;
    if (action === null) return;
    if (!this.#isOwed || !table.legal.includes(action)) {
      this.action = null;
      return;
    }
    const isAccepted = await table.play(action, this.#says);
    if (this.action === action) this.action = null;
    if (isAccepted) this.#onaccepted();
  }
}
