import { beforeEach, expect, test } from "vitest";

import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";
import { standInText } from "../store.svelte";
import { parted, pieces, plainLog, who, whoAll, withBeside } from "./log";

beforeEach(() => void (settings.language = "en"));

function fact(n: number, text: string) {
  return { ...news("any", {}), n, text };
}

test("a game without a log of its own is told as the server says it", () => {
  const groups = plainLog.tell([fact(1, "One."), fact(2, ""), fact(3, "Two.")], new FakeTable({}));
  expect(groups.map(({ lines }) => lines.map(({ text }) => text))).toEqual([["One.", "Two."]]);
});

test("the reader is You in what the server says", () => {
  const table = new FakeTable({ seat: 0 });
  const [own, other] = table.people.map(({ name }) => name);
  const said = [
    { ...news("chose", { seat: 0 }), n: 1, text: `${own} chose.` },
    { ...news("chose", { seat: 1 }), n: 2, text: `${other} chose.` },
  ];
  const lines = plainLog.tell(said, table).flatMap((group) => group.lines);
  expect(lines.map(({ text }) => text)).toEqual(["You chose.", `${other} chose.`]);
});

test("what happened beside the match stands where it happened", () => {
  const line = (n: number) => ({ n, text: `${n}`, cards: [], seat: null });
  const groups = [
    { heading: "a", lines: [line(1), line(3)] },
    { heading: "b", lines: [line(4), line(6)] },
  ];
  const beside = [2, 5, 9].map((after) => ({ after, text: () => `after ${after}` }));
  const woven = withBeside(groups, beside).map(({ lines }) => lines.map(({ text }) => text));
  expect(woven).toEqual([
    ["1", "after 2", "3"],
    ["4", "after 5", "6", "after 9"],
  ]);
  expect(withBeside([], beside)[0]?.lines).toHaveLength(3);
});

test("oneself is You, first or within a sentence", () => {
  const table = new FakeTable({ seat: 1 });
  expect(who(table, 1)).toBe("You");
  expect(whoAll(table, [0, 1])).toBe(`${table.people[0]?.name}, you`);
  expect(whoAll(table, [1, 0])).toBe(`You, ${table.people[0]?.name}`);
});

test("cards have their places in a text", () => {
  expect(pieces("a {cards} b")).toEqual(["a ", " b"]);
  expect(pieces("none")).toEqual(["none"]);
});

test("a take-over and a return are told once", () => {
  const seat = (more: Partial<wire.Seat>) =>
    ({
      player: { id: "p", name: "Hana", kind: "guest" },
      here: true,
      stand_in: null,
      resigned: false,
      ...more,
    }) as wire.Seat;
  const away = seat({ here: false, stand_in: "regular" });
  expect(standInText(away, seat({ here: false }))).toBe("Hana is away: a bot stands in (Regular).");
  expect(standInText(away, away)).toBe("");
  expect(standInText(seat({}), away)).toBe("Hana is back.");
  expect(standInText(seat({}), seat({ here: false })), "she was not away for long").toBe("");
  const late = seat({ stand_in: "regular" });
  expect(standInText(late, seat({}))).toBe("Hana ran out of time: a bot made this move (Regular).");
  expect(standInText(seat({}), late)).toBe("");
  const gone = seat({ resigned: true, stand_in: "regular" });
  expect(standInText(gone, seat({}))).toBe("Hana resigned: a bot takes over (Regular).");
  expect(standInText(gone, gone)).toBe("");
  settings.language = "ja";
  expect(standInText(away, undefined)).toContain("Hana");
});

test("punctuation after a card is kept apart from the text that follows", () => {
  expect(parted(". Then")).toEqual([".", " Then"]);
  expect(parted("、次に")).toEqual(["、", "次に"]);
  expect(parted(" at the Border")).toEqual(["", " at the Border"]);
});
