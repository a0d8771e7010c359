/** This browser's part in the fair shuffle: first the hash of a nonce, then the nonce. */

import type * as wire from "$web/shared/wire";
import { acknowledged, ownHash, shown } from "$web/verify/witness";
import type { Ask } from "./socket";

export class DealAnswers {
  /** The phase of the deal that was answered last. */
  #answered: string | null = null;

  constructor(
    readonly table: string,
    readonly ask: (what: Ask) => Promise<wire.Answer>,
  ) {}

  forget(): void {
    this.#answered = null;
  }

  /** Answer the table's current phase, once. */
  follow(table: wire.Table, seat: number | null): void {
    if (table.state !== "starting" || seat === null || !table.commitment) return;
    const { commitment, hashes, options, unrated } = table;
    const kept = shown(this.table, seat, commitment, hashes, options, unrated === "scene");
    const phase = JSON.stringify([table.commitment, table.hashes]);
    if (table.seats[seat]?.ready || this.#answered === phase) return;
    this.#answered = phase;
    const isOnly = kept.commitments.length === 1 && kept.seat === seat;
    if (table.hashes === null) {
      const hash = isOnly ? ownHash(kept) : "";
      void this.#give({ do: "ready", hash }, "accepted", isOnly ? kept.nonce : "");
    } else if (isOnly && kept.lists.length === 1 && table.hashes[seat] === ownHash(kept)) {
      void this.#give({ do: "reveal", nonce: kept.nonce }, "revealed", kept.nonce);
    }
  }

  async #give(what: Ask, then: "accepted" | "revealed", nonce: string): Promise<void> {
    const { ok } = await this.ask(what);
    if (ok) acknowledged(this.table, then, nonce);
  }
}
