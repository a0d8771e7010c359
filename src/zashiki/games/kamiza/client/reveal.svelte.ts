/** The last reveal on the table: played step by step, kept, cleared, replayed. */

import { telling, tells } from "$web/shared/settings.svelte";
import type { TableModel } from "$web/table/model";
import {
  HUSH,
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
  /** True if it is on the table now. */
  shown = $state(false);
  /** The number of steps shown. */
  taken = $state(0);
  #asked = false;
  /** True if nothing follows: the match is over, or this is a replay. */
  #isLast = false;
  /** When it is cleared, unless its seat places a card earlier. */
  #readUntil = 0;
  readonly #onread: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly done: readonly Step[] = $derived(this.judgement?.steps.slice(0, this.taken) ?? []);
  readonly isOver: boolean = $derived(this.taken >= (this.judgement?.steps.length ?? 0));

  constructor(onread: () => void = () => undefined) {
    this.#onread = onread;
  }

  has(kind: StepKind): boolean {
    return this.done.some((step) => step.kind === kind);
  }

  /** Follow the news: play a new reveal; the next card clears it. */
  follow(table: TableModel): void {
    const { history = [], placed = [] } = viewed(table.view);
    const fresh = judged(table.news, table.view);
    const last = history.at(-1);
    if (fresh) {
      const again = this.judgement && isSame(this.judgement.round, fresh.round);
      this.judgement = fresh;
      this.#isLast = table.over || table.isReplay;
      if (!again) {
        this.#asked = false;
        this.#play();
      }
    } else if (!this.judgement || !last || !isSame(this.judgement.round, last)) {
      const lies = placed.length === 0 && (table.over || table.isReplay);
      this.#stand(last ? still(last) : null, lies);
    } else if (placed.length > 0 && this.shown && !this.#asked) {
      const isOurs = table.news.some((one) => one.fact === "laid");
      const isRead = this.isOver && Date.now() >= this.#readUntil;
      if (table.isReplay || isOurs || isRead || tells()) this.leave();
    }
  }

  /** Show it again, even during the next round. */
  again(): void {
    this.#asked = true;
    this.#play();
  }

  /** Skip to the end. */
  skip(): void {
    clearTimeout(this.#timer);
    this.taken = this.judgement?.steps.length ?? 0;
  }

  /** Skip to the end, with a moment to read it. */
  finish(): void {
    this.skip();
    this.#rest();
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
    this.taken = 0;
    if (tells()) {
      this.#timer = setTimeout(() => this.#step(), telling(HUSH));
    } else {
      this.finish();
    }
  }

  /** After the last step, wait a moment and clear the room for the next round. */
  #rest(): void {
    this.#readUntil = Date.now() + READ;
    if (this.#isLast || this.#asked) return;
    this.#timer = setTimeout(() => {
      this.leave();
      this.#onread();
    }, READ);
  }

  #step(): void {
    const judgement = this.judgement;
    const step = judgement?.steps[this.taken];
    if (!judgement) return;
    if (!step) {
      this.#rest();
      return;
    }
    this.taken += 1;
    this.#timer = setTimeout(() => this.#step(), lastsFor(step, judgement.cards.length));
  }
}

function isSame(one: Round, other: Round): boolean {
  return one.game === other.game && one.round === other.round;
}
