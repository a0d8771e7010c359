/** A queue of news, each shown for as long as its animation lasts. */

/** With more news than this waiting, the table catches up without animation. */
const FAR_BEHIND = 4;
/**
 * News that last longer than this many milliseconds are a story: the log does not reveal its end
 * early.
 */
const STORY = 1500;

export interface Stage<News> {
  /** Show the news. Returns the duration of its animation in milliseconds, or null for none. */
  show: (news: News) => number | null;
  /** `settled`: nothing moves and nothing waits. `telling`: a story is being shown. */
  changed: (settled: boolean, telling: boolean) => void;
}

export class Pacing<News> {
  #waiting: News[] = [];
  #wake: (() => void) | null = null;
  #running = false;

  constructor(readonly stage: Stage<News>) {}

  /** The newest news that have not been shown. */
  get last(): News | undefined {
    return this.#waiting.at(-1);
  }

  /** Show these news as soon as the earlier ones are finished. */
  add(news: News): void {
    this.#waiting.push(news);
    void this.#run();
  }

  /** Drop all news that have not been shown. */
  clear(): void {
    this.#waiting = [];
  }

  /** Skip the running animation. */
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
