/** The last reveal on the table: played step by step, kept, left, seen again. */

import { lasting, moves } from "$lib/settings.svelte";
import type { TableModel } from "$lib/table";

import {
  judged,
  lastsFor,
  READ,
  still,
  type Judgement,
  type Step,
  type StepKind,
} from "./judgement";
import { viewed, type Round } from "./view";

export class Reveal {
  judgement: Judgement | null = $state.raw(null);
  /** Does it lie on the table now? */
  shown = $state(false);
  /** So many steps have been taken. */
  taken = $state(0);
  #asked = false;
  /** Without motion it stands at once, and still has its time to be read. */
  #readUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly done: readonly Step[] = $derived(this.judgement?.steps.slice(0, this.taken) ?? []);
  readonly isOver: boolean = $derived(this.taken >= (this.judgement?.steps.length ?? 0));

  has(kind: StepKind): boolean {
    return this.done.some((step) => step.kind === kind);
  }

  /** Follow the news: a reveal is played, the next card sweeps it away. */
  follow(table: TableModel): void {
    const { history = [], placed = [] } = viewed(table.view);
    const fresh = judged(table.news, table.view);
    const last = history.at(-1);
    if (fresh) {
      const again = this.judgement && isSame(this.judgement.round, fresh.round);
      this.judgement = fresh;
      if (!again) this.#play();
    } else if (!this.judgement || !last || !isSame(this.judgement.round, last)) {
      const lies = placed.length === 0 && (table.over || table.isReplay);
      this.#stand(last ? still(last) : null, lies);
    } else if (placed.length > 0 && this.shown && !this.#asked) {
      clearTimeout(this.#timer);
      const isOurs = table.news.some((one) => one.fact === "laid");
      const left = table.isReplay || isOurs ? 0 : this.#readUntil - Date.now();
      if (left > 0) this.#timer = setTimeout(() => this.leave(), left);
      else this.leave();
    }
  }

  /** Show it once more, also while the next round goes on. */
  again(): void {
    this.#play();
    this.#asked = true;
  }

  /** To the end at once. */
  skip(): void {
    clearTimeout(this.#timer);
    this.taken = this.judgement?.steps.length ?? 0;
  }

  leave(): void {
    this.skip();
    this.shown = false;
    this.#asked = false;
    this.#readUntil = 0;
  }

  #stand(judgement: Judgement | null, shown: boolean): void {
    this.judgement = judgement;
    this.leave();
    this.shown = judgement !== null && shown;
  }

  #play(): void {
    clearTimeout(this.#timer);
    this.shown = true;
    this.#asked = false;
    this.taken = 0;
    if (moves()) {
      this.#timer = setTimeout(() => this.#step(), lasting(350));
    } else {
      this.skip();
      this.#readUntil = Date.now() + READ;
    }
  }

  #step(): void {
    const judgement = this.judgement;
    const step = judgement?.steps[this.taken];
    if (!judgement || !step) return;
    this.taken += 1;
    this.#timer = setTimeout(() => this.#step(), lastsFor(step, judgement.cards.length));
  }
}

function isSame(one: Round, other: Round): boolean {
  return one.game === other.game && one.round === other.round;
}
