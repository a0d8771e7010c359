/** One's own tables: where one sits, and which of them wait for oneself. */

import { get } from "./api";
import { me } from "./me.svelte";
import type * as wire from "./wire";

class Mine {
  tables: readonly wire.Table[] = $state.raw([]);
  /** The ids of those that wait for oneself. */
  turns: ReadonlySet<string> = $state.raw(new Set());
  #looking: Promise<void> | null = null;

  /** Whoever asks while somebody looks gets the same answer. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  forget(): void {
    this.tables = [];
    this.turns = new Set();
  }

  async #look(): Promise<void> {
    if (me.player === null) {
      this.forget();
      return;
    }
    try {
      const [tables, turns] = await Promise.all([
        get<wire.Table[]>("/api/my-tables"),
        get<string[]>("/api/my-turns"),
      ]);
      this.tables = tables;
      this.turns = new Set(turns);
    } catch {
      // the next look will tell
    }
  }
}

export const mine = new Mine();
