/** The player's own tables, and which of them wait for the player. */

import { get } from "./api";
import { me } from "./me.svelte";
import type * as wire from "./wire";

class Mine {
  tables: readonly wire.Table[] = $state.raw([]);
  /** The ids of the tables that wait for the player. */
  turns: ReadonlySet<string> = $state.raw(new Set());
  /** True once the server has been asked, even if it failed. */
  known = $state(false);
  /** Open invitations to tables of others. */
  invitations: readonly wire.Invitation[] = $state.raw([]);
  #looking: Promise<void> | null = null;

  /** Fetch the tables; callers during a request share its answer. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      this.known = true;
    });
    return this.#looking;
  }

  forget(): void {
    this.known = false;
    this.tables = [];
    this.turns = new Set();
    this.invitations = [];
  }

  /** Fetch the invitations. */
  async lookForInvitations(): Promise<void> {
    if (me.player === null) return;
    try {
      this.invitations = await get<wire.Invitation[]>("/api/my-invitations");
    } catch {
      // the next fetch will tell
    }
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
        this.lookForInvitations(),
      ]);
      this.tables = tables;
      this.turns = new Set(turns);
    } catch {
      // the next fetch will tell
    }
  }
}

export const mine = new Mine();

/** The key in an invitation to a table; null without one. */
export function invitedWith(table: string): string | null {
  return mine.invitations.find((one) => one.table === table)?.key || null;
}
