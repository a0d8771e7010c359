/** Frames and tables as a server writes them. */

import type * as wire from "$lib/wire";

export function player(name: string, kind: wire.Player["kind"] = "guest", id = name): wire.Player {
  return { id, name, kind };
}

export function seat(who: wire.Player | null, more: Partial<wire.Seat> = {}): wire.Seat {
  const kind = who === null ? "open" : who.kind === "bot" ? "bot" : "player";
  const usual = { here: who !== null, ready: false, stand_in: null, until: null, resigned: false };
  return { kind, player: who, ...usual, ...more };
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
    pace: { kind: "relaxed" },
    paused: false,
    next: null,
    wishes: [],
    to_act: [],
    spectators_muted: false,
    ...more,
  };
}

export function welcome(more: Partial<wire.Welcome> = {}): wire.Welcome {
  return { is: "welcome", table: table(), seat: 0, chat: [], ...more };
}

/** Facts with the numbers from `first` on, and one decision that is owed. */
export function told(
  first: number,
  facts: readonly string[],
  more: Partial<wire.Told> = {},
): wire.Told {
  return {
    is: "told",
    first,
    facts: facts.map((fact, place) => ({ n: first + place, own: false, fact, with: {} })),
    to_act: [0],
    decision: 1,
    legal: ["a", "b"],
    over: false,
    outcome: null,
    view: { after: first + facts.length - 1 },
    words: { said: facts.map((fact) => `${fact}!`), labels: ["A", "B"], asked: "Choose." },
    ...more,
  };
}

export function chatted(n: number, text: string, who = "ben"): wire.Chatted {
  return { is: "chatted", n, player: who, name: who, seat: 1, text };
}
