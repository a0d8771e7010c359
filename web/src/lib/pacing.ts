/** News shown one after the other, each for as long as its motion takes. */

/** With more than this waiting, the table catches up without motion. */
const FAR_BEHIND = 4;
/** News that take longer than this many milliseconds are a story: its end is not told before it. */
const STORY = 1500;

export interface Stage<News> {
  /** Show the news. The result is how long they move in milliseconds, or null for no motion. */
  show: (news: News) => number | null;
  /** `settled`: nothing moves and nothing waits. `telling`: a story is on the table. */
  changed: (settled: boolean, telling: boolean) => void;
}

export class Pacing<News> {
  #waiting: News[] = [];
  #wake: (() => void) | null = null;
  #running = false;

  constructor(readonly stage: Stage<News>) {}

  /** The newest of the news that have not been shown. */
  get last(): News | undefined {
    return this.#waiting.at(-1);
  }

  /** Show these news as soon as those before them have had their time. */
  add(news: News): void {
    this.#waiting.push(news);
    void this.#run();
  }

  /** Forget what has not been shown. */
  clear(): void {
    this.#waiting = [];
  }

  /** Do not wait for what moves now. */
  skip(): void {
    this.#wake?.();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let news = this.#waiting.shift(); news !== undefined; news = this.#waiting.shift()) {
      const moving = this.stage.show(news);
      const isSeen = this.#waiting.length <= FAR_BEHIND && !document.hidden;
      if (moving !== null && isSeen) await this.#rest(moving);
    }
    this.stage.changed(true, false);
    this.#running = false;
  }

  async #rest(milliseconds: number): Promise<void> {
    this.stage.changed(false, milliseconds > STORY);
    await new Promise<void>((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
    this.#wake = null;
    this.stage.changed(false, false);
  }
}
