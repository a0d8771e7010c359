import { beforeEach, describe, expect, test } from "vitest";

import { serving } from "$test/server";
import { settings } from "$web/shared/settings.svelte";
import {
  checked,
  count,
  found,
  newCard,
  placed,
  renamed,
  saved,
  skillsOf,
  toToml,
} from "./cardSets";
import type { SetContent } from "./cardSets";

const names = { en: "Mine", ja: "自分の" };
const card = (name: string, more = {}) => ({
  name,
  names: { en: name, ja: name },
  class: "normal",
  copies: 2,
  attack: 1,
  defence: 1,
  ...more,
});
const SET: SetContent = {
  name: "mine",
  names,
  areas: [{ name: "border", names, red_funds: 1, blue_funds: 2, offset: 3 }],
  monarchs: [{ name: "prince", names, side: "red", attack: 3, defence: 5 }],
  cards: [
    card("soldier"),
    card("archer", { skill: "archer", amount: 2 }),
    card("ace", { class: "ace" }),
  ],
};

beforeEach(() => void (settings.language = "ja"));

test("the server is asked in the language of the page", async () => {
  const asked = serving(() => ({}));
  await checked("name = 1");
  await saved(SET);
  await found("a/b");
  expect(asked.map(({ path, data }) => [path, data])).toEqual([
    [
      "/api/card-sets/check?language=ja",
      { game: "kingdoms", option: "card_set", content: "name = 1" },
    ],
    ["/api/card-sets?language=ja", { game: "kingdoms", option: "card_set", content: SET }],
    ["/api/card-sets/a%2Fb?language=ja", undefined],
  ]);
});

describe("a set of one's own", () => {
  test("has a name of its own", () => {
    const second = renamed(SET);
    expect([second.name, second.names]).toEqual(["mine-2", { en: "Mine 2", ja: "自分の 2" }]);
    expect(renamed(second).name).toBe("mine-3");
    expect(renamed({ ...SET, name: "x".repeat(40) }).name).toBe(`${"x".repeat(26)}-2`);
    expect(SET.name, "the other keeps its own").toBe("mine");
  });

  test("gets cards with a name that is free", () => {
    expect(newCard(SET)).toMatchObject({ name: "card-4", names: { en: "Card 4", ja: "カード4" } });
    expect(newCard({ ...SET, cards: [card("card-2")] }).name).toBe("card-3");
  });

  test("counts its cards with all copies", () => {
    expect([count(SET, "normal"), count(SET, "ace"), count(SET, "none")]).toEqual([4, 2, 0]);
  });

  test("knows the skills by the first card that has them, with a number if any has", () => {
    const other = {
      ...SET,
      cards: [card("liaison", { skill: "liaison" }), card("bow", { skill: "archer" })],
    };
    const skills = skillsOf(SET, other);
    expect([...skills.keys()]).toEqual(["archer", "liaison"]);
    expect(skills.get("archer")).toEqual({
      names: { en: "archer", ja: "archer" },
      hasAmount: true,
    });
    expect(skills.get("liaison")?.hasAmount).toBe(false);
  });

  test("is written as text, without what is empty", () => {
    const text = toToml({ ...SET, name: 'a "b"', cards: [card("soldier", { skill: undefined })] });
    expect(text).toContain('name = "a \\"b\\""\nnames = { en = "Mine", ja = "自分の" }\n');
    expect(text).toContain("[[areas]]\n");
    expect(text).toContain("red_funds = 1\nblue_funds = 2\noffset = 3\n");
    expect(text).not.toContain("skill");
    expect(text.match(/\[\[\w+\]\]/g)).toEqual(["[[areas]]", "[[monarchs]]", "[[cards]]"]);
  });
});

test("a fault is placed in the form", () => {
  const at = (path: string) => placed({ text: "wrong", path, line: 3 } as never);
  expect(at("cards[3].attack")).toEqual({
    text: "wrong",
    group: "cards",
    place: 3,
    key: "attack",
    line: 3,
  });
  expect(at("areas[0]")).toMatchObject({ group: "areas", place: 0, key: "" });
  expect(at("name")).toMatchObject({ group: "", place: null, key: "name" });
  expect(at("")).toMatchObject({ group: "none", place: null });
});
