/** The dice of a match, reproduced from its seed and nonces (docs/research/randomness.md). */

import { blake2b } from "./blake2b";

const WORD = 1n << 64n;

export class Dice {
  readonly #key: Uint8Array;
  #action = 0;
  /** The number of words that each stream of this action has used. */
  #used = new Map<string, number>();

  constructor(seed: Uint8Array, nonces: readonly string[]) {
    const said = nonces.map((nonce) => `\0\0\0${String.fromCharCode(nonce.length)}${nonce}`);
    this.#key = blake2b(said.join(""), { length: 32, key: seed, person: "zashiki dice" });
  }

  /** Start the draws of this action; 0 is the set-up. */
  turnTo(action: number): void {
    if (action === this.#action) return;
    this.#action = action;
    this.#used.clear();
  }

  /** A uniform random integer from 0 to count - 1. */
  below(count: number, stream: string): number {
    const size = BigInt(count);
    for (let index = this.#used.get(stream) ?? 0; ; index += 1) {
      const word = this.#word(stream, index);
      this.#used.set(stream, index + 1);
      if (word < WORD - (WORD % size)) return Number(word % size);
    }
  }

  /** Shuffle a list in place, all orders equally likely. */
  shuffle<T>(items: T[], stream: string): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      swap(items, last, this.below(last + 1, stream));
    }
  }

  #word(stream: string, index: number): bigint {
    const place = `${this.#action}/${stream}/${index}`;
    const hash = blake2b(place, { length: 8, key: this.#key });
    return new DataView(hash.buffer).getBigUint64(0);
  }
}

export function swap<T>(items: T[], one: number, other: number): void {
  [items[one], items[other]] = [items[other] as T, items[one] as T];
}
