/**
 * A table as its page knows it: the numbered facts, the view they lead to, and what we ask.
 *
 * `socket.ts` keeps the connection, `pacing.ts` says when the next news are shown.
 */

import { Fault } from "./api";
import { knownAt, rememberAt } from "./away";
import { clientOf } from "./clients";
import { refusalText } from "./faults";
import type { Details } from "./i18n.svelte";
import { keyOf } from "./keys";
import { botOf, nameOf } from "./levels";
import { me } from "./me.svelte";
import { Pacing } from "./pacing";
import { lasting, settings } from "./settings.svelte";
import { TableSocket, type Ask, type Connect, type SocketState } from "./socket";
import type { News, Person, TableModel, View, Why } from "./table";
import { texts } from "./texts.svelte";
import { whole, type Told } from "./told";
import type * as wire from "./wire";
import { acknowledged, heard, ownHash, shown } from "./witness";

const USUAL_DWELL = 350;

export class TableLink implements TableModel {
  /** The table as all may see it; null until it has told. */
  table: wire.Table | null = $state.raw(null);
  seat: number | null = $state(null);
  view: View = $state.raw({});
  /** What the rules allow the seat. */
  #allowed: readonly string[] = $state.raw([]);
  #resigned = $derived(this.table?.seats[this.seat ?? -1]?.resigned ?? false);
  /** Who has resigned sees a bot play. */
  legal: readonly string[] = $derived(this.#resigned ? [] : this.#allowed);
  toAct: readonly number[] = $state.raw([]);
  asked = $state("");
  over = $state(false);
  outcome: wire.Outcome | null = $state.raw(null);
  news: readonly News[] = $state.raw([]);
  /** Everything told so far, for the log. */
  log: readonly News[] = $state.raw([]);
  chat: readonly wire.Chatted[] = $state.raw([]);
  busy = $state(false);
  why: Why | null = $state.raw(null);
  state: SocketState = $state("connecting");
  /** What the server said when it ended the connection for good. */
  bye = $state("");
  started = $state(false);
  /** Has all that was told had its time to move? */
  settled = $state(true);
  /** Is the table telling a story, of which the last news are the end? */
  telling = $state(false);
  /** How many decisions a bot took for this seat, of which its owner does not know yet. */
  missed = $state(0);
  /** The table of the rematch, to which the connection has gone on. */
  next: TableLink | null = null;

  readonly views = null;
  readonly isReplay = false;
  readonly #socket: TableSocket;
  readonly #pacing: Pacing<Told>;
  #labels: Readonly<Record<string, string>> = $state.raw({});
  #decision: number | null = null;
  #language = settings.language;
  /** Whose page this is. */
  me: string | null = null;
  /** The phase of the deal that we have answered. */
  #answered: string | null = null;

  constructor(
    readonly id: string,
    connect?: Connect,
    /** The connection of the table before, if this is its rematch. */
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
    return this.table?.game ?? "";
  }

  get options(): Record<string, unknown> {
    return this.table?.options ?? {};
  }

  get people(): readonly Person[] {
    return (this.table?.seats ?? []).map((seat, number) => ({
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

  /** What has been told in full: the log, without the story that is being told. */
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
    if (this.#decision === null || this.busy) return false;
    this.busy = true;
    this.why = null;
    try {
      const ask: Omit<wire.Play, "key"> = { do: "play", decision: this.#decision, action };
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

  #refused(action: string, fault: wire.Fault): void {
    if (fault.code === "stale") return; // the news that made it so are on their way
    const blame = (fault.details.blame ?? []) as string[];
    const ruling = String(fault.details.ruling ?? "");
    const { code } = fault;
    const text = ruling ? fault.text.slice(ruling.length + 2) : refusalText(code, fault.text);
    this.why = { action, ruling, text, blame };
  }

  /** Say something to the table; why not, where it may not be said. */
  async talk(text: string): Promise<string> {
    const { fault } = await this.#socket.ask({ do: "say", text });
    if (fault?.code === "muted") me.muted(fault.details.until);
    return fault ? refusalText(fault.code, fault.text, fault.details) : "";
  }

  /** Have the others let a bot play for us, although we are here? */
  get isClaimed(): boolean {
    const own = this.seat === null ? undefined : this.table?.seats[this.seat];
    if (!own || own.resigned || this.over || this.table?.pace.kind !== "relaxed") return false;
    return own.stand_in !== null;
  }

  /** Let a bot play for those who do not move; why not, where that is refused. */
  async claim(): Promise<string> {
    const { fault } = await this.#socket.ask({ do: "claim" });
    return fault ? refusalText(fault.code, fault.text) : "";
  }

  /** Play again on a seat that the others had a bot play for. */
  async takeBack(): Promise<void> {
    await this.#socket.ask({ do: "take_back" });
  }

  async resign(): Promise<void> {
    await this.#socket.ask({ do: "resign" });
  }

  /** Go on to the table of the rematch, by the same connection. It throws if that is refused. */
  async playOn(): Promise<TableLink> {
    const { fault } = await this.#socket.ask({ do: "rematch" });
    if (this.next) return this.next;
    throw new Fault(403, fault?.code ?? "ended", fault?.text ?? "");
  }

  /** Start the match, as the host. */
  async start(): Promise<void> {
    await this.#socket.ask({ do: "start" });
  }

  /** It is known that a bot has played. */
  acknowledge(): void {
    rememberAt(this.id, knownAt(this.id) + this.missed);
    this.missed = 0;
  }

  // The connection -------------------------------------------------------------------------------

  /** Come to the table, and stay until `close`. It throws if the server turns us away for good. */
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

  /** The same table in another language: all that was told is told again. */
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

  /** How many facts were told, those included that wait to be shown. */
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
        this.table = news.table;
        this.seat = news.seat;
        this.chat = merged(this.chat, news.chat);
        this.#answered = null; // a server that was started again has forgotten what we said
        this.#greet();
        break;
      case "changed":
        // Only the welcome has all of a card set; the options of a table never change.
        this.table = { ...news.table, options: this.table?.options ?? news.table.options };
        this.seat = this.#mySeat(news.table);
        this.#greet();
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

  /** The connection is at the table of the rematch now, and a page of its own hears it. */
  #passOn(news: wire.Welcome): void {
    this.next = new TableLink(news.table.id, undefined, this.#socket);
    this.next.me = this.me;
    this.next.#hear(news);
  }

  #told(news: Told): void {
    const have = this.#have;
    heard(this.id, this.seat, news.first, news.facts);
    if (news.first > have + 1) {
      this.#socket.drop(); // something is missing: come back and say what is here
    } else if (news.first + news.facts.length > have) {
      this.#pacing.add(news);
    } // else it is told once more, and things have gone on since
  }

  /** A page that sits keeps its seat in step with the table: people may move before the start. */
  #mySeat(table: wire.Table): number | null {
    const me = this.me;
    if (me === null) return this.seat;
    const found = table.seats.findIndex((seat) => seat.player?.id === me);
    return found < 0 ? null : found;
  }

  /** Shown the commitment, give the hash of a nonce; shown the list of hashes, give the nonce. */
  #greet(): void {
    const table = this.table;
    const { seat } = this;
    if (table?.state !== "starting" || seat === null || !table.commitment) return;
    const kept = shown(this.id, seat, table.commitment, table.hashes);
    const phase = JSON.stringify([table.commitment, table.hashes]);
    if (table.seats[seat]?.ready || this.#answered === phase) return;
    this.#answered = phase;
    const isOnly = kept.commitments.length === 1 && kept.seat === seat;
    if (table.hashes === null) {
      void this.#give({ do: "ready", hash: isOnly ? ownHash(kept) : "" }, "accepted");
    } else if (isOnly && kept.lists.length === 1 && table.hashes[seat] === ownHash(kept)) {
      void this.#give({ do: "reveal", nonce: kept.nonce }, "revealed");
    }
  }

  async #give(what: Ask, then: "accepted" | "revealed"): Promise<void> {
    const { ok } = await this.#socket.ask(what);
    if (ok) acknowledged(this.id, then);
  }

  // News, one after the other --------------------------------------------------------------------

  /** Do not wait for what moves. */
  skip(): void {
    this.#pacing.skip();
  }

  /** Stand where these news lead. The result is how long what is new moves; null if nothing does. */
  #show(told: Told): number | null {
    const fresh = told.facts.slice(Math.max(0, this.log.length + 1 - told.first));
    const isFirst = this.log.length === 0; // as the page comes, or all is told again in other words
    this.log = [...this.log, ...fresh];
    this.#labels = told.labels;
    this.#decision = told.decision;
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

/** What is known of a chat and what is told of it now; who is muted since is told no more. */
function merged(known: readonly wire.Chatted[], told: readonly wire.Chatted[]) {
  const again = new Set(told.map((line) => line.n));
  return [...known.filter((line) => !again.has(line.n)), ...told].sort((a, b) => a.n - b.n);
}
