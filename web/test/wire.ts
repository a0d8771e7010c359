/** Frames and tables in the server's format. */

import type * as wire from "$web/shared/wire";

export function player(name: string, kind: wire.Player["kind"] = "guest", id = name): wire.Player {
  return { id, name, kind };
}

export function seat(who: wire.Player | null, more: Partial<wire.Seat> = {}): wire.Seat {
  const kind = who === null ? "open" : who.kind === "bot" ? "bot" : "player";
  const usual = { ready: false, stand_in: null, until: null, resigned: false, last: false };
  const waited = { since: null, claim: null };
  return { kind, player: who, here: who !== null, ...usual, ...waited, ...more };
}

export function table(more: Partial<wire.Table> = {}): wire.Table {
  return {
    id: "t1",
    game: "some-game",
    options: {},
    host: "aki",
    state: "playing",
    public: false,
    watch: "live",
    seats: [seat(player("Aki")), seat(player("Ben"))],
    match: null,
    commitment: null,
    hashes: null,
    pace: { kind: "relaxed" },
    paused: false,
    next: null,
    next_seat: null,
    watching: 0,
    wishes: [],
    to_act: [],
    spectators_muted: false,
    seating: "fixed",
    unrated: null,
    ...more,
  };
}

export function welcome(more: Partial<wire.Welcome> = {}): wire.Welcome {
  return { is: "welcome", table: table(), seat: 0, chat: [], ...more };
}

/** The parts of news that a test may change. */
interface Situation {
  to_act: number[];
  decision: number | null;
  legal: string[];
  over: boolean;
  outcome: wire.Outcome | null;
  view: Record<string, unknown>;
  stood_in: number;
  /** Undefined for news without sentences. */
  words: { said: string[]; labels: string[]; asked: string } | undefined;
}

/** Public facts with the numbers from `first` on, and one open decision. */
export function told(
  first: number,
  facts: readonly string[],
  more: Partial<Situation> = {},
): wire.Told {
  const words = { said: facts.map((fact) => `${fact}!`), labels: ["A", "B"], asked: "Choose." };
  const said = "words" in more ? more.words : words;
  return {
    is: "told",
    first,
    public: {
      facts: facts.map((fact) => ["all", fact, {}]),
      to_act: more.to_act ?? [0],
      over: more.over ?? false,
      outcome: more.outcome ?? null,
      view: more.view ?? { after: first + facts.length - 1 },
      ...(said && { words: { said: said.said, asked: said.asked } }),
    },
    own: {
      facts: [],
      at: [],
      decision: more.decision === undefined ? 1 : more.decision,
      legal: more.legal ?? ["a", "b"],
      view: {},
      ...(said && { words: { said: [], labels: said.labels } }),
      ...(more.stood_in !== undefined && { stood_in: more.stood_in }),
    },
  };
}

export function chatted(n: number, text: string, who = "ben"): wire.Chatted {
  return { is: "chatted", n, player: who, name: who, seat: 1, text };
}
