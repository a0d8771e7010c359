/** A finished match as a table that can be stepped through. */

import { clientOf } from "./clients";
import { faultText } from "./faults";
import type { Details } from "./i18n.svelte";
import { botOf, nameOf } from "./levels";
import { settings, type Language } from "./settings.svelte";
import { Sights, type Seer } from "./sights.svelte";
import type { News, Person, TableModel, View } from "./table";
import { texts } from "./texts.svelte";
import type * as wire from "./wire";

/** Whose knowledge is shown: a seat's, a watcher's ("all"), or every seat's ("open"). */
export type Reader = Seer | "open";

export const SPEEDS = [0.5, 1, 2, 4] as const;

const USUAL_DWELL = 900;

/** What a step said: to everybody, or to one seat only. */
export interface Line {
  text: string;
  seat: number | null;
}

export interface LoggedStep {
  step: number;
  lines: readonly Line[];
}

interface Place {
  reader: Reader;
  step: number;
  language: Language;
}

export class ReplayModel implements TableModel {
  reader: Reader = $state("all");
  step = $state(0);
  view: View = $state.raw({});
  views: readonly View[] | null = $state.raw(null);
  news: readonly News[] = $state.raw([]);
  playing = $state(false);
  speed: number = $state(1);
  fault = $state("");
  /** The language of what is shown. */
  language: Language = $state(settings.language);
  /** Has the first step come? */
  ready = $state(false);

  readonly past: readonly News[] = $derived(this.news);
  readonly legal: readonly string[] = [];
  readonly asked = "";
  readonly busy = false;
  readonly isReplay = true;
  readonly blame: ReadonlySet<string> = new Set();
  readonly speech = 0;
  readonly steps: number;
  readonly sights: Sights;
  #wanted: Place = { reader: "all", step: 0, language: settings.language };
  #reading: Place | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly match: wire.Match) {
    this.steps = match.steps ?? 0;
    this.sights = new Sights(match.match.id, this.steps);
  }

  // A table --------------------------------------------------------------------------------------

  get game(): string {
    return this.match.match.game;
  }

  get options(): Record<string, unknown> {
    return (this.match.header.options ?? {}) as Record<string, unknown>;
  }

  get seat(): number | null {
    return typeof this.reader === "number" ? this.reader : null;
  }

  get people(): readonly Person[] {
    return this.match.match.players.map((sitter, seat) => ({
      seat,
      name: nameOf({ name: sitter.name, kind: sitter.player?.kind ?? "bot" }),
      kind: sitter.player?.kind ?? "bot",
      bot: botOf(sitter.player),
      me: seat === this.seat,
      here: true,
      standIn: null,
      until: null,
      resigned: false,
      last: false,
      since: null,
      claim: null,
    }));
  }

  /** Who acted next, where that is known already. */
  get toAct(): readonly number[] {
    const next = this.sights.of(this.#seers()[0] ?? "all", this.language)[this.step + 1]?.seat;
    return next === null || next === undefined ? [] : [next];
  }

  get over(): boolean {
    return this.step === this.steps;
  }

  get outcome(): wire.Outcome | null {
    const { ranks, scores } = this.match.match;
    return this.over && ranks && scores ? { ranks, scores } : null;
  }

  /** What was said is told by its key. */
  get phrases(): Record<string, string> {
    return texts.of(this.game).phrases;
  }

  label(action: string): string {
    return action;
  }

  word(key: string): string {
    return texts.word(this.game, key);
  }

  say(key: string, details: Details = {}): string {
    return texts.say(this.game, key, details);
  }

  async play(): Promise<boolean> {
    return false;
  }

  async whyNot(): Promise<void> {
    // nothing is refused where nothing can be done
  }

  // Standing somewhere ---------------------------------------------------------------------------

  /** Show what a reader knew after so many actions; what is not here yet is fetched first. */
  async stand(reader: Reader, step: number): Promise<void> {
    const asked: Place = { reader, step: this.#within(step), language: settings.language };
    this.#wanted = asked;
    const seers = this.#seers(reader);
    try {
      const sights = this.sights.need(seers, asked.step, asked.language);
      await Promise.all([sights, texts.fetch(this.game, asked.language)]);
    } catch (caught) {
      if (this.#wanted === asked) this.fault = faultText(caught);
      this.pause();
      return;
    }
    if (this.#wanted !== asked || this.#closed) return;
    this.fault = "";
    this.#show(asked);
    void this.#readOn(asked, seers);
  }

  /** Fetch the rest while somebody looks, for as long as they look with the same eyes. */
  async #readOn(from: Place, seers: readonly Seer[]): Promise<void> {
    if (this.#reading?.reader === from.reader && this.#reading.language === from.language) return;
    this.#reading = from;
    try {
      const goOn = () => this.#reading === from && !this.#closed;
      await this.sights.needAll(seers, from.step, from.language, goOn);
    } catch {
      if (this.#reading === from) this.#reading = null; // the next step asks again
    }
  }

  #within(step: number): number {
    return Math.min(this.steps, Math.max(0, Math.trunc(step) || 0));
  }

  /** Whose sights are needed for a reader, the one whose view is shown first. */
  #seers(reader: Reader = this.reader): readonly Seer[] {
    return reader === "open" ? ["all", ...this.match.match.players.keys()] : [reader];
  }

  #show({ reader, step, language }: Place): void {
    const isNext = this.ready && reader === this.reader && step === this.step + 1;
    const seers = this.#seers(reader);
    const found = seers.map((seer) => this.sights.of(seer, language)[step]);
    this.news = isNext ? this.#newsOf(found) : [];
    this.view = found[0]?.view ?? {};
    this.views = reader === "open" ? found.slice(1).map((sight) => sight?.view ?? {}) : null;
    this.reader = reader;
    this.step = step;
    this.language = language;
    this.ready = true;
  }

  /** What all were told, and after it what only some were. */
  #newsOf(found: readonly (wire.Sight | undefined)[]): readonly News[] {
    const facts = found.flatMap((sight, place) =>
      (sight?.facts ?? [])
        .map((fact, number) => ({ ...fact, text: sight?.said[number] ?? "" }) as News)
        .filter((news) => place === 0 || news.own),
    );
    return facts.map((news, number) => ({ ...news, n: number + 1 }));
  }

  /** Go somewhere by hand: which stops the playing. */
  go(step: number): void {
    this.pause();
    void this.stand(this.#wanted.reader, step);
  }

  /** One step on or back from where one is going. */
  by(count: number): void {
    this.go(this.#wanted.step + count);
  }

  look(reader: Reader): void {
    void this.stand(reader, this.#wanted.step);
  }

  /** The same step in the language that has been chosen. */
  async speak(): Promise<void> {
    if (this.ready) await this.stand(this.#wanted.reader, this.#wanted.step);
  }

  // Playing --------------------------------------------------------------------------------------

  toggle(): void {
    if (this.playing) this.pause();
    else void this.run();
  }

  async run(): Promise<void> {
    this.playing = true;
    if (this.over) await this.stand(this.reader, 0);
    this.#tick();
  }

  /** Do not wait for what moves: go on at once. */
  skip(): void {
    if (this.playing) void this.#next();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #tick(): void {
    clearTimeout(this.#timer);
    const asked = clientOf(this.game).dwell?.(this.news, this.view) ?? 0;
    this.#timer = setTimeout(() => void this.#next(), Math.max(asked, USUAL_DWELL) / this.speed);
  }

  async #next(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.playing) return;
    await this.stand(this.reader, this.step + 1);
    if (!this.playing) return;
    if (this.over) this.pause();
    else this.#tick();
  }

  close(): void {
    this.#closed = true;
    this.pause();
  }

  // The log --------------------------------------------------------------------------------------

  /** How many steps have been read. */
  get read(): number {
    return this.sights.count(this.#seers()[0] ?? "all", this.language);
  }

  get log(): readonly LoggedStep[] {
    const told = this.#seers().map((seer) => ({
      seer,
      sights: this.sights.of(seer, this.language),
    }));
    const steps: LoggedStep[] = [];
    for (let step = 0; step <= this.steps; step += 1) {
      const lines = told.flatMap(({ seer, sights }, place) =>
        this.#lines(sights[step], seer, place > 0),
      );
      if (lines.length > 0) steps.push({ step, lines });
    }
    return steps;
  }

  #lines(sight: wire.Sight | undefined, seer: Seer, onlyOwn: boolean): Line[] {
    return (sight?.said ?? []).flatMap((text, place) => {
      const own = Boolean(sight?.facts[place]?.own);
      if (text === "" || (onlyOwn && !own)) return [];
      return [{ text, seat: own && seer !== "all" ? seer : null }];
    });
  }
}
