import { beforeEach, expect, test } from "vitest";

import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import { tell } from "./log";

beforeEach(() => void (settings.language = "en"));

test("cards that lose are named with their owners", () => {
  const table = new FakeTable({ game: "kamiza-second", seat: 0 });
  const groups = tell(
    [
      news("revealed", { cards: ["boss@bottom", "hitman@top", "hitman@top"] }),
      news("judged", { misplaced: [0], cancelled: [1, 2], beaten: [], points: [0, 0, 0] }),
    ],
    table,
  );
  const lines = groups.flatMap(({ lines }) => lines);
  const told = lines.map(({ text, cards }) => [text.split("(")[0], cards]);
  expect(told).toEqual([
    [
      "log-revealed",
      [
        { card: "hitman", seat: 1 },
        { card: "hitman", seat: 2 },
      ],
    ],
    ["log-revealed", [{ card: "boss", seat: 0 }]],
    ["log-misplaced", [{ card: "boss", seat: 0 }]],
    [
      "log-cancelled",
      [
        { card: "hitman", seat: 1 },
        { card: "hitman", seat: 2 },
      ],
    ],
    ["log-no-points", []],
  ]);
});
