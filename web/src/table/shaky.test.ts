/** A match over a network that drops, duplicates, delays and reorders frames. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { FakeTransport, no, yes, type Frame } from "$test/transport";
import { told, welcome } from "$test/wire";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";
import { TableStore } from "./store.svelte";

const DECISIONS = 20;
const EVIL = 0.12;
const DELAY = 200;
const OTHERS = 20;

/** A deterministic random generator (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Obeys the contract of a table's socket: hello first, each key once, facts in order. */
class Server {
  readonly facts: string[] = ["dealt"];
  readonly accepted: number[] = [];
  readonly #answers = new Map<string, wire.Answer>();
  readonly #greeted = new Set<FakeTransport>();

  get #decision(): number {
    return this.accepted.length + 1;
  }

  hear(line: FakeTransport, frame: Frame, send: (news: wire.News) => void): void {
    if (frame.do === "hello") {
      this.#greeted.add(line);
      send(welcome());
      send(this.#told(Number(frame.have)));
    } else if (!this.#greeted.has(line)) {
      send(no(frame.key, "hello-first"));
    } else {
      const before = this.facts.length;
      const answer = this.#answers.get(frame.key) ?? this.#play(frame);
      this.#answers.set(frame.key, answer);
      if (this.facts.length > before) {
        send(this.#told(before));
        setTimeout(() => this.#others(send), OTHERS);
      }
      send(answer);
    }
  }

  #play(frame: Frame): wire.Answer {
    if (frame.decision !== this.#decision) return no(frame.key, "stale");
    this.accepted.push(this.#decision);
    this.facts.push(`played ${frame.action as string}`, "scored");
    return yes(frame.key);
  }

  /** Another player acts, and the page has to be told without asking. */
  #others(send: (news: wire.News) => void): void {
    this.facts.push("somebody else");
    send(this.#told(this.facts.length - 1));
  }

  #told(have: number): wire.Told {
    const over = this.accepted.length === DECISIONS;
    const decision = over ? null : this.#decision;
    return told(have + 1, this.facts.slice(have), { decision, over, legal: over ? [] : ["a"] });
  }
}

class Network {
  mishaps = 0;
  constructor(
    readonly server: Server,
    readonly chance: () => number,
  ) {}

  #evil(): boolean {
    const is = this.chance() < EVIL;
    if (is) this.mishaps += 1;
    return is;
  }

  #pass(line: FakeTransport, deliver: () => void): void {
    const passed = () => line.readyState === 1 && deliver();
    if (this.#evil()) {
      line.readyState = 2;
      setTimeout(() => line.cut());
    }
    if (this.#evil()) setTimeout(passed);
    setTimeout(passed, this.#evil() ? DELAY : 0);
  }

  readonly connect = (): FakeTransport => {
    const line = new FakeTransport();
    const send = (news: wire.News) => this.#pass(line, () => line.tell(news));
    line.send = (text: unknown) => {
      const frame = JSON.parse(String(text)) as Frame;
      this.#pass(line, () => this.server.hear(line, frame, send));
    };
    setTimeout(() => line.accept());
    return line;
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(settings, { language: "en", motion: "off" });
});
afterEach(() => void vi.useRealTimers());

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  "comes to its end, seed %i",
  async (seed) => {
    const chance = chances(seed);
    vi.spyOn(Math, "random").mockImplementation(chance);
    const server = new Server();
    const network = new Network(server, chance);
    const link = new TableStore("t1", network.connect);
    void link.open();
    const refused: unknown[] = [];
    const seen: number[] = [];
    const isDone = () => link.over && link.log.length === server.facts.length && !link.busy;
    for (let turn = 0; turn < 20_000 && !isDone(); turn += 1) {
      if (link.legal.length > 0 && !link.busy)
        void link.play("a").then(() => refused.push(link.why));
      await vi.advanceTimersByTimeAsync(50);
      if (link.started) seen.push(Number(link.view.after));
    }
    await vi.advanceTimersByTimeAsync(DELAY + OTHERS);
    expect(link.over).toBe(true);
    expect(server.accepted, "each decision once").toEqual(
      Array.from({ length: DECISIONS }, (_, place) => place + 1),
    );
    expect(link.log.map(({ n, fact }) => [n, fact])).toEqual(
      server.facts.map((fact, place) => [place + 1, fact]),
    );
    expect(link.view).toEqual({ after: server.facts.length });
    expect(refused.filter(Boolean), "nothing is refused because of the network").toEqual([]);
    expect(seen, "no view is older than the one before").toEqual(seen.toSorted((a, b) => a - b));
    expect(network.mishaps).toBeGreaterThan(5);
    link.close();
  },
);
