import { describe, expect, test } from "vitest";

import type * as wire from "$web/shared/wire";
import { isJoinable, offeredTables } from "./order";

const somebody: wire.Player = { id: "p1", name: "Aki", kind: "guest" };

function seat(more: Partial<wire.Seat> = {}): wire.Seat {
  return { kind: "player", player: somebody, here: true, ...more } as wire.Seat;
}

const free = seat({ kind: "open", player: null, here: false });
const away = seat({ here: false });

function table(id: string, more: Partial<wire.Table> = {}): wire.Table {
  const usual = { state: "open", watch: "live", paused: false, pace: { kind: "relaxed" } };
  return { id, seats: [seat(), free], ...usual, ...more } as wire.Table;
}

const ids = (tables: readonly wire.Table[]) => tables.map((one) => one.id);

describe("the tables of a lobby", () => {
  test("those that can be joined come before those that can be watched", () => {
    const playing = table("playing", { state: "playing", seats: [seat(), seat()] });
    expect(ids(offeredTables([playing, table("open")], []))).toEqual(["open", "playing"]);
  });

  test("nobody is sent to a dead table", () => {
    const dead = [
      table("left", { seats: [away, free] }),
      table("paused", { state: "playing", paused: true }),
      table("full", { seats: [seat(), seat()] }),
      table("by link", { seats: [seat(), seat({ kind: "link", player: null, here: false })] }),
      table("secret", { state: "playing", watch: "off" }),
    ];
    expect(offeredTables(dead, [])).toEqual([]);
  });

  test("a bot that waits is not a person who does", () => {
    const bot = seat({ kind: "bot", player: { ...somebody, kind: "bot" } });
    expect(isJoinable(table("bots", { seats: [away, bot, free] }))).toBe(false);
  });

  test("with days for a decision nobody has to be there", () => {
    const pace: wire.Days = { kind: "days", days: 2 };
    expect(isJoinable(table("slow", { pace, seats: [away, free] }))).toBe(true);
  });

  test("one's own are elsewhere", () => {
    const mine = table("mine");
    expect(ids(offeredTables([mine, table("open")], [mine]))).toEqual(["open"]);
  });
});
