/** A finished match as a table model, one step at a time. */

import { post } from "$web/shared/api";
import { clientOf } from "$web/shared/clients";
import { faultText } from "$web/shared/faults";
import type { Details } from "$web/shared/i18n.svelte";
import { rememberKey } from "$web/shared/keys";
import { botOf, nameOf } from "$web/shared/levels";
import { me } from "$web/shared/me.svelte";
import { settings, type Language } from "$web/shared/settings.svelte";
import { texts } from "$web/shared/texts.svelte";
import type * as wire from "$web/shared/wire";
import type {
  GameLog,
  LogLine,
  News,
  Person,
  ReplayStep,
  TableModel,
  View,
} from "$web/table/model";
import { logOf } from "$web/table/panel/gameLog";
import { plainLog } from "$web/table/panel/log";
import { Sights, type Seer } from "./sights.svelte";

/** The reader whose knowledge is shown: a seat, a spectator ("all"), or every seat ("open"). */
export type Reader = Seer | "open";

export const SPEEDS = [0.5, 1, 2, 4] as const;

const USUAL_DWELL = 900;

/** A step's sentences, and the heading above it if a new part begins there. */
export interface LoggedStep {
  step: number;
  heading: string;
  lines: readonly LogLine[];
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
  /** The language of the step that is shown. */
  language: Language = $state(settings.language);
  /** True once the first step is loaded. */
  ready = $state(false);
  /** The game's own log. */
  teller: GameLog = $state.raw(plainLog);

  readonly past: readonly News[] = $derived(this.news);
  readonly legal: readonly string[] = [];
  readonly decision = null;
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
    void logOf(match.match.game).then((teller) => (this.teller = teller));
  }

  /** The viewer's own seat, if they played. */
  get own(): number | null {
    const players = this.match.match.players;
    const found = players.findIndex(({ player }) => player && player.id === me.player?.id);
    return found < 0 ? null : found;
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

  /** The seat that acted next, if it is loaded. */
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

  /** The game's phrases by key, as a record stores them. */
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
    // a replay offers no actions, so nothing is refused
  }

  // Navigation -----------------------------------------------------------------------------------

  /** Show what a reader knew after this many actions; fetch the step first if it is missing. */
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

  /** Fetch the remaining steps in the background, until the reader changes. */
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

  /** The readers whose steps are needed; the one whose view is shown comes first. */
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

  /** Public facts first, then facts that only some seats were told. */
  #newsOf(found: readonly (wire.Sight | undefined)[]): readonly News[] {
    const facts = found.flatMap((sight, place) =>
      (sight?.facts ?? [])
        .map((fact, number) => ({ ...fact, text: sight?.said[number] ?? "" }) as News)
        .filter((news) => place === 0 || news.own),
    );
    return facts.map((news, number) => ({ ...news, n: number + 1 }));
  }

  /** Go to a step by hand, which stops the playback. */
  go(step: number): void {
    this.pause();
    void this.stand(this.#wanted.reader, step);
  }

  /** Move one step forward or back from the step that is being loaded. */
  by(count: number): void {
    this.go(this.#wanted.step + count);
  }

  look(reader: Reader): void {
    void this.stand(reader, this.#wanted.step);
  }

  /** Show the same step in the chosen language. */
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

  /** Skip the animation and continue at once. */
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

  /** The number of steps that have been loaded. */
  get read(): number {
    return this.sights.count(this.#seers()[0] ?? "all", this.language);
  }

  /** The facts that the reader was told; with all cards open, the facts of every seat. */
  readonly #told: readonly ReplayStep[] = $derived.by(() => {
    const sights = this.sights.of(this.#seers()[0] ?? "all", this.language);
    let n = 0;
    return Array.from({ length: this.steps + 1 }, (_, step) => {
      const sight = sights[step];
      const facts = (sight?.facts ?? []).map(
        (fact, place) => ({ ...fact, n: (n += 1), text: sight?.said[place] ?? "" }) as News,
      );
      return { seat: sight?.seat ?? null, facts };
    });
  });

  readonly log: readonly LoggedStep[] = $derived.by(() => {
    const steps = this.#told.flatMap(({ facts }, step) => facts.map(() => step));
    const groups = this.teller.tell(
      this.#told.flatMap(({ facts }) => facts),
      this,
    );
    const logged: { step: number; heading: string; lines: LogLine[] }[] = [];
    for (const { heading, lines } of groups) {
      for (const [place, line] of lines.entries()) {
        const step = steps[line.n - 1] ?? 0;
        const last = logged.at(-1);
        if (place > 0 && last?.step === step) last.lines.push(line);
        else logged.push({ step, heading: place === 0 ? heading : "", lines: [line] });
      }
    }
    return logged;
  });

  // Decisions ------------------------------------------------------------------------------------

  /** The seat whose decisions are searched: the reader's, otherwise the viewer's own. */
  get decider(): number | null {
    if (typeof this.reader === "number") return this.reader;
    return this.own;
  }

  /**
   * The next step before which that seat decides; undefined if there is none or it is not loaded.
   */
  get nextDecision(): number | undefined {
    const seat = this.decider;
    const found = this.#told.findIndex((one, step) => step > this.step + 1 && one.seat === seat);
    return seat === null || found < 0 ? undefined : found - 1;
  }

  /** The step that decided the match for a reader: the game says which, else their last action. */
  async decisive(reader: Reader): Promise<number> {
    const seers = this.#seers(reader);
    const [first = "all"] = seers;
    const { language } = settings;
    await this.sights.needAll([first], 0, language, () => !this.#closed);
    const steps = this.sights.of(first, language).map((sight) => ({
      seat: sight?.seat ?? null,
      facts: (sight?.facts ?? []) as unknown as readonly News[],
    }));
    const seat = typeof reader === "number" ? reader : null;
    const own = steps.findLastIndex((one) => one.seat === seat);
    return clientOf(this.game).decisive?.(steps, seat) ?? Math.max(0, own - 1);
  }

  /** Open a table that continues from here against bots; return its id. */
  async playOn(): Promise<string> {
    this.pause();
    const seat = this.decider ?? this.toAct[0] ?? 0;
    const path = `/api/matches/${this.match.match.id}/play-on`;
    const made = await post<wire.OpenedTable>(path, { seat, step: this.step });
    rememberKey(made.table.id, made.key);
    await post(`/api/tables/${made.table.id}/start`);
    return made.table.id;
  }
}
