/**
 * The state of a table on its page: the numbered facts, the view, and requests.
 *
 * `socket.ts` keeps the connection, `deal.ts` answers the fair shuffle, and `pacing.ts` decides
 * when the next news are shown.
 */

import { Fault } from "$web/shared/api";
import { clientOf } from "$web/shared/clients";
import { refusalText } from "$web/shared/faults";
import { t, type Details } from "$web/shared/i18n.svelte";
import { keyOf } from "$web/shared/keys";
import { botOf, nameOf, standInName } from "$web/shared/levels";
import { me } from "$web/shared/me.svelte";
import { lasting, settings } from "$web/shared/settings.svelte";
import { texts } from "$web/shared/texts.svelte";
import type * as wire from "$web/shared/wire";
import { heard } from "$web/verify/witness";
import { knownAt, rememberAt } from "./away";
import { DealAnswers } from "./deal";
import type { News, Person, TableModel, View, Why } from "./model";
import { Pacing } from "./pacing";
import type { Beside } from "./panel/log";
import { TableSocket, type Connect, type SocketState } from "./socket";
import { whole, type Told } from "./told";

const USUAL_DWELL = 350;

export class TableStore implements TableModel {
  /** The public state of the table; null until it has arrived. */
  info: wire.Table | null = $state.raw(null);
  seat: number | null = $state(null);
  view: View = $state.raw({});
  /** The seat's legal actions. */
  #allowed: readonly string[] = $state.raw([]);
  #resigned = $derived(this.info?.seats[this.seat ?? -1]?.resigned ?? false);
  /** Empty after the player has resigned: a bot plays. */
  legal: readonly string[] = $derived(this.#resigned ? [] : this.#allowed);
  toAct: readonly number[] = $state.raw([]);
  decision: number | null = $state(null);
  asked = $state("");
  over = $state(false);
  outcome: wire.Outcome | null = $state.raw(null);
  news: readonly News[] = $state.raw([]);
  /** All facts so far, for the log. */
  log: readonly News[] = $state.raw([]);
  /** Absences and returns, at their places in the log. */
  beside: readonly Beside[] = $state.raw([]);
  chat: readonly wire.Chatted[] = $state.raw([]);
  busy = $state(false);
  why: Why | null = $state.raw(null);
  state: SocketState = $state("connecting");
  /** The server's reason for ending the connection for good. */
  bye = $state("");
  started = $state(false);
  /** True if all animations have finished. */
  settled = $state(true);
  /** True while a story is shown whose end is the latest news. */
  telling = $state(false);
  /** The number of stand-in decisions for this seat that its player has not been told of. */
  missed = $state(0);
  /** The table of the rematch, which has taken over the connection. */
  next: TableStore | null = null;

  readonly views = null;
  readonly isReplay = false;
  readonly #socket: TableSocket;
  readonly #pacing: Pacing<Told>;
  #labels: Readonly<Record<string, string>> = $state.raw({});
  #language = settings.language;
  /** The player who uses this page. */
  me: string | null = null;
  readonly #deal: DealAnswers;

  constructor(
    readonly id: string,
    connect?: Connect,
    /** The connection of the previous table, if this is its rematch. */
    before?: TableSocket,
  ) {
    const key = keyOf(id);
    const asked = key ? `?key=${encodeURIComponent(key)}` : ""; // the chat of a private table
    const path = `/api/tables/${encodeURIComponent(id)}/socket${asked}`;
    const owner = {
      hello: () => this.#hello(),
      hear: (news: Exclude<wire.News, wire.Answer>) => this.#hear(news),
      changed: (state: SocketState) => (this.state = state),
    };
    this.#socket = before ?? new TableSocket(path, owner, connect);
    if (before) before.goOn(path, owner);
    this.#deal = new DealAnswers(id, (what) => this.#socket.ask(what));
    this.#pacing = new Pacing({
      show: (told) => this.#show(told),
      changed: (settled, telling) => {
        this.settled = settled;
        this.telling = telling;
      },
    });
  }

  // A table --------------------------------------------------------------------------------------

  get game(): string {
    return this.info?.game ?? "";
  }

  get options(): Record<string, unknown> {
    return this.info?.options ?? {};
  }

  get people(): readonly Person[] {
    return (this.info?.seats ?? []).map((seat, number) => ({
      seat: number,
      name: seat.player ? nameOf(seat.player) : "",
      kind: seat.player?.kind ?? "open",
      bot: botOf(seat.player),
      me: number === this.seat,
      here: seat.here || seat.player?.kind === "bot",
      standIn: seat.stand_in,
      until: seat.until === null ? null : seat.until * 1000,
      resigned: seat.resigned,
      last: seat.last,
      since: seat.since === null ? null : seat.since * 1000,
      claim: seat.claim === null ? null : seat.claim * 1000,
      player: seat.player?.id,
    }));
  }

  get past(): readonly News[] {
    return this.log;
  }

  /** The facts that are fully shown: the log, without the current story. */
  get heard(): readonly News[] {
    return this.telling ? this.log.slice(0, -this.news.length) : this.log;
  }

  get blame(): ReadonlySet<string> {
    return new Set(this.why?.blame ?? []);
  }

  get speech(): number {
    return texts.offer(this.game)?.speech ?? 0;
  }

  get phrases(): Record<string, string> {
    return texts.of(this.game).phrases;
  }

  label(action: string): string {
    return this.#labels[action] ?? action;
  }

  word(key: string): string {
    return texts.word(this.game, key);
  }

  say(key: string, details: Details = {}): string {
    return texts.say(this.game, key, details);
  }

  async play(action: string, says?: string): Promise<boolean> {
    if (this.decision === null || this.busy) return false;
    this.busy = true;
    this.why = null;
    try {
      const ask: Omit<wire.Play, "key"> = { do: "play", decision: this.decision, action };
      const answer = await this.#socket.ask(says ? { ...ask, says } : ask);
      if (!answer.ok && answer.fault) this.#refused(action, answer.fault);
      return answer.ok;
    } finally {
      this.busy = false;
    }
  }

  async whyNot(action: string): Promise<void> {
    const answer = await this.#socket.ask({ do: "why_not", action });
    if (answer.fault) this.#refused(action, answer.fault);
  }

  dismiss(): void {
    this.why = null;
  }

  #refused(action: string, fault: wire.Fault): void {
    if (fault.code === "stale") return; // the news that explain it are on their way
    const blame = (fault.details.blame ?? []) as string[];
    const ruling = String(fault.details.ruling ?? "");
    const { code } = fault;
    const text = ruling ? fault.text.slice(ruling.length + 2) : refusalText(code, fault.text);
    this.why = { action, ruling, text, blame };
  }

  /** Send a line of chat; returns the reason if it is refused. */
  async talk(text: string): Promise<string> {
    const { fault } = await this.#socket.ask({ do: "say", text });
    if (fault?.code === "muted") me.muted(fault.details.until);
    return fault ? refusalText(fault.code, fault.text, fault.details) : "";
  }

  /** True if the others have let a bot play for us although we are here. */
  get isClaimed(): boolean {
    const own = this.seat === null ? undefined : this.info?.seats[this.seat];
    if (!own || own.resigned || this.over || this.info?.pace.kind !== "relaxed") return false;
    return own.stand_in !== null;
  }

  /** Let a bot play for those who do not move; returns the reason if it is refused. */
  async claim(): Promise<string> {
    const { fault } = await this.#socket.ask({ do: "claim" });
    return fault ? refusalText(fault.code, fault.text) : "";
  }

  /** Take back a seat for which the others had a bot play. */
  async takeBack(): Promise<void> {
    await this.#socket.ask({ do: "take_back" });
  }

  async resign(): Promise<void> {
    await this.#socket.ask({ do: "resign" });
  }

  /** Move to the table of the rematch, over the same connection. Throws if it is refused. */
  async playOn(): Promise<TableStore> {
    const { fault } = await this.#socket.ask({ do: "rematch" });
    if (this.next) return this.next;
    throw new Fault(403, fault?.code ?? "ended", fault?.text ?? "");
  }

  /** Start the match, as the host. */
  async start(): Promise<void> {
    await this.#socket.ask({ do: "start" });
  }

  /** Note that the player knows of the stand-in's decisions. */
  acknowledge(): void {
    rememberAt(this.id, knownAt(this.id) + this.missed);
    this.missed = 0;
  }

  // The connection -------------------------------------------------------------------------------

  /** Connect to the table, and stay until `close`. Throws if the server refuses for good. */
  open(): Promise<void> {
    return this.#socket.open();
  }

  get closed(): boolean {
    return this.next !== null || this.#socket.closed;
  }

  close(): void {
    if (!this.next) this.#socket.close();
    this.#pacing.skip();
  }

  /** Switch the language: the server sends everything again. */
  async speak(): Promise<void> {
    if (this.#language === settings.language || !this.#socket.connected) return;
    this.#language = settings.language;
    await texts.fetch(this.game).catch(() => undefined);
    if (this.closed) return;
    this.log = [];
    this.#pacing.clear();
    await this.#socket.reopen();
  }

  #hello(): wire.Hello {
    this.#language = settings.language;
    const language = this.#language;
    return { do: "hello", have: this.#have, views: true, language, version: 2 };
  }

  /** The number of facts received, including those that wait to be shown. */
  get #have(): number {
    const waiting = this.#pacing.last;
    return waiting ? waiting.first + waiting.facts.length - 1 : this.log.length;
  }

  #hear(news: Exclude<wire.News, wire.Answer>): void {
    switch (news.is) {
      case "welcome":
        if (news.table.id !== this.id) {
          this.#passOn(news);
          return;
        }
        this.#noteStandIns(news.table);
        this.info = news.table;
        this.seat = news.seat;
        this.chat = merged(this.chat, news.chat);
        this.#deal.forget(); // after a restart the server has forgotten what we sent
        this.#deal.follow(news.table, this.seat);
        break;
      case "changed":
        this.#noteStandIns(news.table);
        // Only the welcome contains a complete card set; the options of a table never change.
        this.info = { ...news.table, options: this.info?.options ?? news.table.options };
        this.seat = this.#mySeat(news.table);
        this.#deal.follow(this.info, this.seat);
        break;
      case "told":
        this.#told(whole(news));
        break;
      case "chatted":
        this.chat = [...this.chat.filter((one) => one.n !== news.n), news];
        break;
      case "bye":
        if (!news.again) this.bye = refusalText(news.code, news.text);
        break;
    }
  }

  /** Note in the log when a bot starts to stand in, and when a player is back. */
  #noteStandIns(table: wire.Table): void {
    if (table.state !== "playing") return;
    const after = this.#have;
    const lines = table.seats.flatMap((seat, number) => {
      const before = this.info?.seats[number];
      const text = () => standInText(seat, before); // translated when it is read
      return number === this.seat || text() === "" ? [] : [{ after, text }];
    });
    if (lines.length > 0) this.beside = [...this.beside, ...lines];
  }

  /** The connection now belongs to the table of the rematch, and another page listens to it. */
  #passOn(news: wire.Welcome): void {
    this.next = new TableStore(news.table.id, undefined, this.#socket);
    this.next.me = this.me;
    this.next.#hear(news);
  }

  #told(news: Told): void {
    const have = this.#have;
    heard(this.id, this.seat, news.first, news.facts);
    if (news.first > have + 1) {
      this.#socket.drop(); // facts are missing: reconnect and say which ones are here
    } else if (news.first + news.facts.length > have) {
      this.#pacing.add(news);
    } // otherwise it is a repetition, and the table has changed since
  }

  /** Keep the page's seat in step with the table: players may change seats before the start. */
  #mySeat(table: wire.Table): number | null {
    const me = this.me;
    if (me === null) return this.seat;
    const found = table.seats.findIndex((seat) => seat.player?.id === me);
    return found < 0 ? null : found;
  }

  // News, one after the other --------------------------------------------------------------------

  /** Skip the running animations. */
  skip(): void {
    this.#pacing.skip();
  }

  /** Apply these news. Returns the duration of their animation; null if nothing moves. */
  #show(told: Told): number | null {
    const fresh = told.facts.slice(Math.max(0, this.log.length + 1 - told.first));
    const isFirst = this.log.length === 0; // a new page, or another language
    this.log = [...this.log, ...fresh];
    this.#labels = told.labels;
    this.decision = told.decision;
    this.missed = Math.max(0, told.stoodIn - knownAt(this.id));
    this.view = told.view ?? this.view;
    if (told.legal.join() !== this.#allowed.join()) this.#allowed = told.legal; // else as picked
    this.toAct = told.toAct;
    this.asked = told.asked;
    this.outcome = told.outcome;
    this.over = told.over;
    this.news = isFirst ? [] : fresh;
    this.why = null;
    this.started = true;
    if (this.news.length === 0) return null;
    return lasting(clientOf(this.game).dwell?.(this.news, this.view) ?? USUAL_DWELL);
  }
}

/** Merge known and new lines of a chat; a new copy of a line replaces the old one. */
function merged(known: readonly wire.Chatted[], told: readonly wire.Chatted[]) {
  const again = new Set(told.map((line) => line.n));
  return [...known.filter((line) => !again.has(line.n)), ...told].sort((a, b) => a.n - b.n);
}

/** The log's line when a bot starts to stand in or a player is back; otherwise empty. */
export function standInText(now: wire.Seat, before: wire.Seat | undefined): string {
  const name = now.player ? nameOf(now.player) : "";
  const [bot, earlier] = [now.stand_in, before?.stand_in ?? null];
  if (bot === null)
    return earlier !== null && !before?.here && now.here ? t("log.back", { name }) : "";
  const details = { name, bot: standInName(bot) };
  if (now.resigned) return before?.resigned ? "" : t("log.resigned", details);
  if (earlier !== null) return "";
  return t(now.here ? "log.late" : "log.away", details);
}
