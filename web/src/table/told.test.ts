import { describe, expect, test } from "vitest";

import { told } from "$test/wire";
import type * as wire from "$web/shared/wire";
import { whole } from "./told";

const news: wire.Told = {
  is: "told",
  first: 7,
  public: {
    facts: [
      ["all", "played", { seat: 1 }],
      ["all", "began", {}],
    ],
    to_act: [0],
    over: false,
    outcome: null,
    view: { round: 2, placed: [{ seat: 0, card: null }] },
    words: { said: ["Ben plays.", "Round 2."], asked: "Choose." },
  },
  own: {
    facts: [
      [0, "saw", { card: "x" }],
      [0, "drew", { card: "y" }],
    ],
    at: [0, 2],
    decision: 3,
    legal: ["a", "b"],
    view: { hand: ["y"], placed: [{ seat: 0, card: "boss" }] },
    words: { said: ["You see x.", "You draw y."], labels: ["A", "B"] },
    stood_in: 2,
  },
};

describe("news", () => {
  test("are the public part, with a seat's own facts at their places", () => {
    expect(whole(news).facts).toEqual([
      { n: 7, own: true, fact: "saw", with: { card: "x" }, text: "You see x." },
      { n: 8, own: false, fact: "played", with: { seat: 1 }, text: "Ben plays." },
      { n: 9, own: true, fact: "drew", with: { card: "y" }, text: "You draw y." },
      { n: 10, own: false, fact: "began", with: {}, text: "Round 2." },
    ]);
  });

  test("show the seat's own keys in the place of the public ones", () => {
    const placed = [{ seat: 0, card: "boss" }];
    expect(whole(news).view).toEqual({ round: 2, placed, hand: ["y"] });
    expect(whole(news)).toMatchObject({
      first: 7,
      toAct: [0],
      decision: 3,
      labels: { a: "A", b: "B" },
      asked: "Choose.",
      stoodIn: 2,
    });
  });

  test("of who watches are the public part alone", () => {
    const seen = whole({ ...news, own: null });
    expect(seen.facts.map((one) => one.fact)).toEqual(["played", "began"]);
    expect(seen.view).toEqual(news.public.view);
    expect([seen.decision, seen.legal, seen.stoodIn]).toEqual([null, [], 0]);
  });

  test("without words an action stands for itself", () => {
    const bare = whole(told(1, ["dealt"], { words: undefined }));
    expect([bare.labels, bare.asked, bare.facts[0]?.text]).toEqual([{ a: "a", b: "b" }, "", ""]);
  });
});
