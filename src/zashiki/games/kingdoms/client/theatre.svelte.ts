/** The battle on show: its story, how far it is told, and the row of areas as it was before. */

import { lasting, moves } from "$lib/settings.svelte";
import type { TableModel } from "$lib/table";

import type { Book } from "./book";
import { settled, stepsOf, storyIn, storyOf, type Story } from "./story";
import { known, type KingdomsView } from "./view";

export class Theatre {
  story: Story | null = $state.raw(null);
  step = $state(0);
  playing = $state(false);
  /** Is the whole arithmetic shown, or only how it ended? */
  open = $state(false);
  /** The areas before the battle: the row does not tell its end before it is played. */
  before: KingdomsView["areas"] | null = $state.raw(null);

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** News have come. */
  follow(table: TableModel, book: Book): void {
    const view = known(table.view);
    const told = storyIn(table.news, table.view);
    if (told) {
      this.story = told;
      const defender = { seat: 1 - told.attacker, card: told.defender };
      this.before = { ...view.areas, [told.area]: defender };
      this.open = true;
      this.play();
    } else {
      this.#stop();
      if (this.story && table.news.length > 0) this.story = settled(this.story, table.news);
      const lying = storyOf(view, book);
      if (lying) {
        this.story = lying;
        this.open = true;
        this.step = stepsOf(lying).length - 1;
      } else if (table.news.length > 0) {
        this.open = false;
      }
      if (table.news.length === 0 && !view.battle) this.story = null;
    }
  }

  play(): void {
    clearTimeout(this.#timer);
    this.step = 0;
    this.playing = true;
    if (moves()) this.#wait();
    else this.skip();
  }

  skip(): void {
    if (this.story) this.step = stepsOf(this.story).length - 1;
    this.#stop();
  }

  close(): void {
    this.#stop();
    this.open = false;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (!this.story) return;
    const steps = stepsOf(this.story);
    this.#timer = setTimeout(
      () => {
        if (this.step + 1 < steps.length) {
          this.step += 1;
          this.#wait();
        } else {
          this.#stop();
        }
      },
      lasting(steps[this.step] ?? 0),
    );
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.story) this.step = stepsOf(this.story).length - 1;
    this.playing = false;
    this.before = null;
  }
}
