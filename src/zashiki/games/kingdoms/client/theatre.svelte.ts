/** The battle on show: its story, the progress, and the table before its end. */

import { telling, tells } from "$web/shared/settings.svelte";
import type { TableModel, View } from "$web/table/model";
import type { Book } from "./book";
import { beforeEnd, settled, stepsOf, storyIn, storyOf, type Story } from "./story";
import { known, type KingdomsView } from "./view";

/** The views: the viewer's, and each seat's if all cards are open. */
export interface Sight {
  view: KingdomsView;
  views: readonly KingdomsView[] | null;
}

export class Theatre {
  story: Story | null = $state.raw(null);
  step = $state(0);
  playing = $state(false);
  /** The battle's number: another battle replaces it. */
  number = $state(0);
  /** True if the whole arithmetic is shown, false if only the result is. */
  open = $state(false);
  /** The view before the end, which is not revealed before the story is over. */
  before: Sight | null = $state.raw(null);

  #last: Sight | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Follow the news. */
  follow(table: TableModel, book: Book): void {
    const now = sightOf(table.view, table.views);
    const told = storyIn(table.news, table.view);
    if (now.view.battle && !this.#last?.view.battle) this.number += 1;
    if (told) {
      this.story = told;
      this.before = {
        view: beforeEnd(this.#last?.view ?? null, now.view, told, table.seat, book),
        views:
          now.views?.map((view, seat) =>
            beforeEnd(this.#last?.views?.[seat] ?? null, view, told, seat, book),
          ) ?? null,
      };
      this.open = true;
      this.play();
    } else {
      this.#stop();
      const lying = storyOf(now.view, book);
      this.story = lying ?? storyIn(table.past, table.view) ?? this.#kept(table);
      this.open = lying !== null;
      if (this.story) this.step = stepsOf(this.story).length - 1;
    }
    this.#last = now;
  }

  /** In a replay the last battle is remembered from step to step, and forgotten after a jump. */
  #kept(table: TableModel): Story | null {
    if (!table.isReplay || !this.story || table.news.length === 0) return null;
    return settled(this.story, table.news);
  }

  play(): void {
    clearTimeout(this.#timer);
    this.step = 0;
    this.playing = true;
    if (tells()) this.#wait(performance.now());
    else this.skip();
  }

  skip(): void {
    this.#stop();
  }

  close(): void {
    this.#stop();
    this.open = false;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Each step has its own due time, so that late timers do not add up. */
  #wait(begun: number): void {
    if (!this.story) return;
    const steps = stepsOf(this.story);
    if (this.step + 1 === steps.length) this.before = null;
    const due = begun + telling(steps[this.step] ?? 0);
    this.#timer = setTimeout(() => {
      if (this.step + 1 < steps.length) {
        this.step += 1;
        this.#wait(due);
      } else {
        this.#stop();
      }
    }, due - performance.now());
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.story) this.step = stepsOf(this.story).length - 1;
    this.playing = false;
    this.before = null;
  }
}

export function sightOf(view: View, views: readonly View[] | null): Sight {
  return { view: known(view), views: views?.map(known) ?? null };
}
