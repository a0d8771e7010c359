/** Each reader's view of a finished match, fetched in pieces and cached. */

import { get } from "$web/shared/api";
import type { Language } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";

/** Steps per response of the server. */
export const PIECE = 40;

export type Seer = number | "all";

export class Sights {
  /** By language and reader; pieces that have not arrived yet are holes. */
  #kept: Record<string, readonly (wire.Sight | undefined)[]> = $state.raw({});
  #coming = new Map<string, Promise<void>>();

  constructor(
    readonly match: string,
    readonly steps: number,
  ) {}

  of(reader: Seer, language: Language): readonly (wire.Sight | undefined)[] {
    return this.#kept[`${language} ${reader}`] ?? [];
  }

  /** The number of steps of a reader that have arrived. */
  count(reader: Seer, language: Language): number {
    return this.of(reader, language).filter(Boolean).length;
  }

  /** Fetch the piece that contains a step, for each of these readers. */
  async need(readers: readonly Seer[], step: number, language: Language): Promise<void> {
    await Promise.all(readers.map((reader) => this.#need(reader, step, language)));
  }

  /** Fetch everything else: forward from a step first, then the steps before it. */
  async needAll(
    readers: readonly Seer[],
    step: number,
    language: Language,
    goOn: () => boolean,
  ): Promise<void> {
    const first = Math.floor(step / PIECE);
    const pieces = Math.floor(this.steps / PIECE) + 1;
    for (let place = 0; place < pieces && goOn(); place += 1) {
      await this.need(readers, ((first + place) % pieces) * PIECE, language);
    }
  }

  #need(reader: Seer, step: number, language: Language): Promise<void> {
    const first = Math.floor(step / PIECE) * PIECE;
    const key = `${language} ${reader} ${first}`;
    const known = this.#coming.get(key);
    if (known) return known;
    const coming = this.#fetch(reader, first, language).catch((fault: unknown) => {
      this.#coming.delete(key);
      throw fault;
    });
    this.#coming.set(key, coming);
    return coming;
  }

  async #fetch(reader: Seer, first: number, language: Language): Promise<void> {
    const asked = `seat=${reader}&first=${first}&language=${language}`;
    const piece = await get<wire.Sight[]>(`/api/matches/${this.match}/sights?${asked}`);
    const who = `${language} ${reader}`;
    const kept = [...(this.#kept[who] ?? new Array<undefined>(this.steps + 1))];
    for (const sight of piece) kept[sight.step] = sight;
    this.#kept = { ...this.#kept, [who]: kept };
  }
}
