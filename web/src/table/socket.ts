/**
 * A connection to a table that reconnects by itself, with answers to requests.
 *
 * An unanswered request is sent again on every new connection, with the same key, so that the
 * server carries it out once.
 */

import { Fault } from "$web/shared/api";
import type * as wire from "$web/shared/wire";

const FIRST_RETRY = 400;
const SLOWEST_RETRY = 10_000;
const ANSWERED_WITHIN = 10_000;
const TRY_AGAIN = 1_000;
const OPEN = 1; // WebSocket.OPEN

/** The part of a WebSocket that is used here. */
export type Transport = Pick<
  WebSocket,
  "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose"
>;

export type Connect = (path: string) => Transport;

/** `lost`: a reconnect follows. `ended`: the server refuses further connections. */
export type SocketState = "connecting" | "open" | "lost" | "ended";

export type Ask =
  | Omit<wire.Play, "key">
  | Omit<wire.WhyNot, "key">
  | Omit<wire.Say, "key">
  | Omit<wire.Ready, "key">
  | Omit<wire.Reveal, "key">
  | Omit<wire.Resign, "key">
  | Omit<wire.Claim, "key">
  | Omit<wire.TakeBack, "key">
  | Omit<wire.Start, "key">
  | Omit<wire.Rematch, "key">;

/** The callbacks of a socket's owner. */
export interface SocketOwner {
  /** The first frame of a connection. */
  hello: () => object;
  /** Called for each frame that is not an answer. */
  hear: (news: Exclude<wire.News, wire.Answer>) => void;
  changed: (state: SocketState) => void;
}

interface Pending {
  what: Ask["do"];
  frame: string;
  answered: (answer: wire.Answer) => void;
}

/** A WebSocket to the server that sent this page. */
export function connectHere(path: string): Transport {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${path}`);
}

export class TableSocket {
  #transport: Transport | null = null;
  #state: SocketState = "connecting";
  #pending = new Map<string, Pending>();
  #number = 0;
  #retries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** Keys are unique to this page, even if two pages play for one seat. */
  readonly #page = crypto.randomUUID().slice(0, 8);

  constructor(
    private path: string,
    private owner: SocketOwner,
    readonly connect: Connect = connectHere,
  ) {}

  get closed(): boolean {
    return this.#closed;
  }

  /** True if connected or connecting. */
  get connected(): boolean {
    return this.#transport !== null;
  }

  /** Connect, and stay connected until `close`. Throws if the server refuses for good. */
  open(): Promise<void> {
    this.#closed = false;
    this.#become(this.#retries === 0 ? "connecting" : "lost");
    const transport = this.connect(this.path);
    this.#transport = transport;
    transport.onopen = () => {
      transport.send(JSON.stringify(this.owner.hello()));
      for (const { frame } of this.#pending.values()) transport.send(frame);
    };
    addEventListener("offline", this.drop);
    addEventListener("online", this.#back);
    return new Promise((come, turnBack) => {
      transport.onmessage = (event) => {
        const news = JSON.parse(event.data) as wire.News;
        if (this.#transport === transport) this.#hear(news);
        if (news.is === "bye" && !news.again) turnBack(new Fault(403, news.code, news.text));
        else come();
      };
      transport.onclose = () => {
        if (this.#transport === transport) this.drop();
        come();
      };
    });
  }

  /** Drop this connection and try another: an answer is overdue, or frames are missing. */
  readonly drop = (): void => {
    if (this.#transport === null) return;
    this.#leave();
    if (!this.#closed && this.#state !== "ended") this.#again();
  };

  /** The server has moved this connection to another table, as a rematch requests. */
  goOn(path: string, owner: SocketOwner): void {
    this.path = path;
    this.owner = owner;
    owner.changed(this.#state);
    for (const [key, { what }] of this.#pending) {
      if (what === "rematch") this.#answered({ is: "answer", key, ok: true, fault: null });
    }
  }

  /** Drop this connection and open another at once. */
  reopen(): Promise<void> {
    this.#leave();
    return this.open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("offline", this.drop);
    removeEventListener("online", this.#back);
    clearTimeout(this.#retry);
    this.#leave();
  }

  ask(ask: Ask): Promise<wire.Answer> {
    const key = `${this.#page}-${(this.#number += 1)}`;
    const frame = JSON.stringify({ ...ask, key });
    return new Promise((answered) => {
      this.#pending.set(key, { what: ask.do, frame, answered });
      this.#send(frame);
      setTimeout(() => this.#pending.has(key) && this.drop(), ANSWERED_WITHIN);
    });
  }

  #send(frame: string): void {
    if (this.#transport?.readyState === OPEN) this.#transport.send(frame);
  }

  #become(state: SocketState): void {
    this.#state = state;
    this.owner.changed(state);
  }

  /** Ignore everything that this connection sends from now on. */
  #leave(): void {
    const transport = this.#transport;
    this.#transport = null;
    transport?.close();
  }

  #again(): void {
    this.#become("lost");
    const longest = Math.min(SLOWEST_RETRY, FIRST_RETRY * 2 ** this.#retries);
    this.#retries += 1;
    clearTimeout(this.#retry);
    // Random delay: not all pages that lost a server return at the same moment.
    this.#retry = setTimeout(() => this.#tryOpen(), longest * (0.75 + Math.random() / 2));
  }

  /** The network is back: reconnect at once. */
  readonly #back = (): void => {
    if (this.#state !== "lost" || this.#transport !== null) return;
    clearTimeout(this.#retry);
    this.#tryOpen();
  };

  #tryOpen(): void {
    if (!this.#closed) this.open().catch(() => undefined);
  }

  #hear(news: wire.News): void {
    if (news.is === "answer") {
      this.#answered(news);
      return;
    }
    if (news.is === "welcome") {
      this.#retries = 0;
      this.#become("open");
    } else if (news.is === "bye" && !news.again) {
      this.#become("ended");
      this.#giveUp({ code: news.code, text: news.text, details: {} });
    }
    this.owner.hear(news);
  }

  /** Reject all pending requests. */
  #giveUp(fault: wire.Fault): void {
    for (const key of [...this.#pending.keys()]) {
      this.#answered({ is: "answer", key, ok: false, fault });
    }
  }

  #answered(answer: wire.Answer): void {
    const pending = this.#pending.get(answer.key);
    if (pending && answer.fault?.code === "busy") {
      setTimeout(() => this.#send(pending.frame), TRY_AGAIN); // the same key, so it is done once
    } else if (pending && answer.fault?.code === "hello-first") {
      this.drop(); // the request overtook our hello, and is sent again
    } else {
      this.#pending.delete(answer.key);
      pending?.answered(answer);
    }
  }
}
