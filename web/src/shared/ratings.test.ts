import { describe, expect, test } from "vitest";

import { poolQuery, ratedForms, ratingOf, unratedText } from "./ratings";
import type * as wire from "./wire";

const option: wire.OfferedOption = {
  name: "form",
  values: ["standard", "short", "two"],
  default: "standard",
  by_seats: { "2": ["two"], "4": ["standard", "short"] },
  content: false,
  form: true,
};

function offered(options: wire.OfferedOption[]): wire.OfferedGame {
  const usual = {
    title: "",
    bots: [],
    levels: [],
    titles: {},
    summaries: {},
    speech: 0,
    sides: [],
    minutes: 0,
    difficulty: 0,
    credits: {},
    website: "",
  };
  return { id: "town", seats: [2, 4], options, ...usual };
}

function rating(more: Partial<wire.Rating>): wire.Rating {
  const pool = { game: "town", form: "short", seats: 4, rivals: "people" as const };
  return { ...pool, mean: 25, low: 0, high: 50, matches: 1, ...more };
}

function sitter(name: string, kind: wire.Player["kind"]): wire.Sitter {
  return { name, player: { id: name, name, kind } };
}

function played(players: wire.Sitter[]): wire.Played {
  const result = {
    rated: true,
    ranks: null,
    scores: null,
    unrated: null,
    rated_ranks: null,
    changes: null,
  };
  const when = { started: 0, ended: 1 };
  return {
    id: "m",
    table: null,
    game: "town",
    form: "short",
    seats: 4,
    players,
    ...when,
    ...result,
  };
}

describe("a pool of ratings", () => {
  test("is one of the forms that fit the seats", () => {
    expect(ratedForms(offered([option]), 4)).toEqual(["standard", "short"]);
    expect(ratedForms(offered([option]), 2)).toEqual(["two"]);
    expect(ratedForms(offered([{ ...option, form: false }]), 4)).toEqual([""]);
  });

  test("has an address", () => {
    expect(poolQuery(rating({}))).toBe("game=town&seats=4&form=short&rivals=people");
  });

  test("is that of a match by form, seats and rivals", () => {
    const ratings = [
      rating({ form: "standard" }),
      rating({ seats: 2 }),
      rating({ rivals: "bots", mean: 1 }),
      rating({ mean: 2 }),
    ];
    const people = played([sitter("Aki", "guest"), sitter("Ben", "account")]);
    const alone = played([sitter("Aki", "guest"), sitter("bot:master", "bot")]);
    expect(ratingOf(people, ratings)?.mean).toBe(2);
    expect(ratingOf(alone, ratings)?.mean).toBe(1);
    expect(ratingOf(alone, [])).toBeNull();
  });
});

test("a match that is not rated says why", () => {
  expect(unratedText("pair")).toContain("five rated matches");
  expect(unratedText(null)).not.toBe("");
});
