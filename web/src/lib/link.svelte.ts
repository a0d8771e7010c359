/** The line to a table: its stream of numbered facts, the view they lead to, and what we ask. */

import { Fault } from "./api";
import { knownAt, rememberAt } from "./away";
import { clientOf } from "./clients";
import { refusalText } from "./faults";
import type { Details } from "./i18n.svelte";
import { botOf, nameOf } from "./levels";
import { rememberPromise } from "./promises";
import { lasting, settings } from "./settings.svelte";
import type { News, Person, TableModel, View, Why } from "./table";
import { texts } from "./texts.svelte";
import type * as wire from "./wire";

const USUAL_DWELL = 350;
const FAR_BEHIND = 4;
/** What takes longer is a story: its end is not told before it. */
const STORY = 1500;
const SLOWEST_RETRY = 10_000;
const ANSWERED_WITHIN = 10_000;
const TRY_AGAIN = 1_000;

type Ask =
  | Omit<wire.Play, "key">
  | Omit<wire.WhyNot, "key">
  | Omit<wire.Say, "key">
  | Omit<wire.Ready, "key">
  | Omit<wire.Resign, "key">;

interface Pending {
  frame: string;
  answered: (answer: wire.Answer) => void;
}

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
  state: "connecting" | "open" | "lost" | "ended" = $state("connecting");
  /** What the server said when it ended the connection for good. */
  bye = $state("");
  started = $state(false);
  /** Has all that was told had its time to move? */
  settled = $state(true);
  /** Is the table telling a story, of which the last news are the end? */
  telling = $state(false);
  /** How many decisions a bot took for this seat, of which its owner does not know yet. */
  missed = $state(0);

  readonly views = null;
  readonly isReplay = false;
  #socket: WebSocket | null = null;
  #labels: Record<string, string> = $state.raw({});
  #decision: number | null = null;
  #queue: wire.Told[] = [];
  #wake: (() => void) | null = null;
  #pumping = false;
  #pending = new Map<string, Pending>();
  #number = 0;
  #retries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #language = settings.language;
  /** Keys of this page are its own, also when two pages play for one seat. */
  readonly #page = crypto.randomUUID().slice(0, 8);

  constructor(readonly id: string) {}

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
      const answer = await this.#ask(says ? { ...ask, says } : ask);
      if (!answer.ok && answer.fault) this.#refused(action, answer.fault);
      return answer.ok;
    } finally {
      this.busy = false;
    }
  }

  async whyNot(action: string): Promise<void> {
    const answer = await this.#ask({ do: "why_not", action });
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
    const { fault } = await this.#ask({ do: "say", text });
    return fault ? refusalText(fault.code, fault.text) : "";
  }

  async resign(): Promise<void> {
    await this.#ask({ do: "resign" });
  }

  /** It is known that a bot has played. */
  acknowledge(): void {
    rememberAt(this.id, knownAt(this.id) + this.missed);
    this.missed = 0;
  }

  // The socket -----------------------------------------------------------------------------------

  /** Come to the table, and stay until `close`. It throws where one is turned away for good. */
  open(): Promise<void> {
    this.#closed = false;
    this.state = this.#retries === 0 ? "connecting" : "lost";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = `/api/tables/${encodeURIComponent(this.id)}/socket`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#language = settings.language;
      const hello = { do: "hello", have: this.#have, views: true, language: this.#language };
      socket.send(JSON.stringify(hello));
      for (const { frame } of this.#pending.values()) socket.send(frame);
    };
    addEventListener("offline", this.#lose);
    addEventListener("online", this.#back);
    return new Promise((come, turnBack) => {
      socket.onmessage = (event) => {
        const news = JSON.parse(event.data) as wire.News;
        if (this.#socket === socket) this.#hear(news);
        if (news.is === "bye" && !news.again) turnBack(new Fault(403, news.code, news.text));
        else come();
      };
      socket.onclose = () => {
        if (this.#socket === socket) this.#lose();
        come();
      };
    });
  }

  /** How many facts were told, those included that wait to be shown. */
  get #have(): number {
    const waiting = this.#queue.at(-1);
    return waiting ? waiting.first + waiting.facts.length - 1 : this.log.length;
  }

  /** The line is gone, or dead: an answer is overdue, or the network says so. */
  #lose = (): void => {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    socket.close();
    if (!this.#closed && this.state !== "ended") this.#again();
  };

  #back = (): void => {
    if (this.state !== "lost" || this.#closed || this.#socket !== null) return;
    clearTimeout(this.#retry);
    this.open().catch(() => undefined);
  };

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    removeEventListener("offline", this.#lose);
    removeEventListener("online", this.#back);
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
    this.#wake?.();
  }

  /** The same table in another language: all that was told is told again. */
  async speak(): Promise<void> {
    if (this.#language === settings.language || this.#socket === null) return;
    this.#language = settings.language;
    await texts.fetch(this.game).catch(() => undefined);
    if (this.#closed) return;
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.log = [];
    this.#queue = [];
    await this.open();
  }

  #again(): void {
    this.state = "lost";
    const wait = Math.min(SLOWEST_RETRY, 400 * 2 ** this.#retries) * (0.75 + Math.random() / 2);
    this.#retries += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (!this.#closed) this.open().catch(() => undefined);
    }, wait);
  }

  #ask(ask: Ask): Promise<wire.Answer> {
    const key = `${this.#page}-${(this.#number += 1)}`;
    const frame = JSON.stringify({ ...ask, key });
    return new Promise((answered) => {
      this.#pending.set(key, { frame, answered });
      this.#send(frame);
      setTimeout(() => this.#pending.has(key) && this.#lose(), ANSWERED_WITHIN);
    });
  }

  #send(frame: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  #hear(news: wire.News): void {
    switch (news.is) {
      case "welcome":
        this.#retries = 0;
        this.state = "open";
        this.table = news.table;
        this.seat = news.seat;
        this.chat = merged(this.chat, news.chat);
        this.#greet();
        break;
      case "changed":
        this.table = news.table;
        this.seat = this.#mySeat(news.table);
        this.#greet();
        break;
      case "told": {
        const have = this.#have;
        if (news.first > have + 1) {
          this.#lose(); // something is missing: come back and say what is here
        } else if (news.first + news.facts.length > have) {
          this.#queue.push(news);
          void this.#pump();
        } // else it is told once more, and things have gone on since
        break;
      }
      case "answer": {
        const pending = this.#pending.get(news.key);
        if (pending && news.fault?.code === "busy") {
          setTimeout(() => this.#send(pending.frame), TRY_AGAIN); // the same key: it is done once
          break;
        }
        if (pending && news.fault?.code === "hello-first") {
          this.#lose(); // it has overtaken our hello, and is sent again
          break;
        }
        this.#pending.delete(news.key);
        pending?.answered(news);
        break;
      }
      case "chatted":
        this.chat = [...this.chat.filter((one) => one.n !== news.n), news];
        break;
      case "bye":
        if (!news.again) {
          this.state = "ended";
          this.bye = refusalText(news.code, news.text);
        }
        break;
    }
  }

  /** A page that sits keeps its seat in step with the table: people may move before the start. */
  #mySeat(table: wire.Table): number | null {
    const me = this.me;
    if (me === null) return this.seat;
    const found = table.seats.findIndex((seat) => seat.player?.id === me);
    return found < 0 ? null : found;
  }

  /** Whose page this is. */
  me: string | null = null;

  /** Having been shown the commitment, add a nonce of our own to the deal. */
  #greet(): void {
    const table = this.table;
    if (!table || table.state !== "starting" || this.seat === null) return;
    if (table.seats[this.seat]?.ready || this.#readyFor === table.commitment) return;
    this.#readyFor = table.commitment;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const { id, seat } = this;
    rememberPromise({ table: id, commitment: table.commitment ?? "", seat, nonce });
    void this.#ask({ do: "ready", nonce });
  }

  #readyFor: string | null = null;

  // News, one after the other --------------------------------------------------------------------

  /** Do not wait for what moves. */
  skip(): void {
    this.#wake?.();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#queue.length > 0) {
      const told = this.#queue.shift() as wire.Told;
      const fresh = this.#show(told);
      if (this.#queue.length > FAR_BEHIND || document.hidden || fresh.length === 0) continue;
      const dwell = clientOf(this.game).dwell?.(fresh, this.view) ?? USUAL_DWELL;
      this.settled = false;
      this.telling = lasting(dwell) > STORY;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, lasting(dwell));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
      this.#wake = null;
      this.telling = false;
    }
    this.settled = true;
    this.#pumping = false;
  }

  /** Stand where these news lead; what was new in them. */
  #show(told: wire.Told): readonly News[] {
    const missing = told.facts.slice(Math.max(0, this.log.length + 1 - told.first));
    const words = told.words?.said.slice(told.facts.length - missing.length) ?? [];
    const fresh = missing.map((fact, place) => ({ ...fact, text: words[place] ?? "" })) as News[];
    const isFirst = this.log.length === 0; // as the page comes, or all is told again in other words
    this.log = [...this.log, ...fresh];
    const labels = told.words?.labels ?? [];
    this.#labels = Object.fromEntries(
      told.legal.map((action, place) => [action, labels[place] ?? action]),
    );
    this.#decision = told.decision;
    this.missed = Math.max(0, (told.stood_in ?? 0) - knownAt(this.id));
    this.view = told.view ?? this.view;
    if (told.legal.join() !== this.#allowed.join()) this.#allowed = told.legal; // else as picked
    this.toAct = told.to_act;
    this.asked = told.words?.asked ?? "";
    this.outcome = told.outcome;
    this.over = told.over;
    this.news = isFirst ? [] : fresh;
    this.why = null;
    this.started = true;
    return isFirst ? [] : fresh;
  }
}

/** What is known of a chat and what is told of it now; who is muted since is told no more. */
function merged(known: readonly wire.Chatted[], told: readonly wire.Chatted[]) {
  const again = new Set(told.map((line) => line.n));
  return [...known.filter((line) => !again.has(line.n)), ...told].sort((a, b) => a.n - b.n);
}
