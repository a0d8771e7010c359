/** The texts of the shell: languages, fallbacks, bots, places, faults. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { game } from "$test/games";
import en from "$web/text/en.json";
import ja from "$web/text/ja.json";
import { Fault } from "./api";
import { faultText, refusalText } from "./faults";
import { filled, moment, t, type Key } from "./i18n.svelte";
import { botOf, levelName, nameOf, standInName, usualLevel } from "./levels";
import { numberText, placeText } from "./ranks";
import { settings } from "./settings.svelte";

beforeEach(() => void (settings.language = "en"));
afterEach(() => vi.restoreAllMocks());

describe("sentences", () => {
  test("have their gaps filled, and keep those for which nothing is known", () => {
    expect(filled("{name} has {count} of {count}", { name: "Aki", count: 0 })).toBe(
      "Aki has 0 of 0",
    );
    expect(filled("{name} and {other}", { name: "Aki" })).toBe("Aki and {other}");
    expect(filled("{a}", { a: "{b}", b: "no" })).toBe("{b}");
    expect(filled("plain")).toBe("plain");
  });

  test("are said in the language that is chosen", () => {
    expect(t("nav.lobby")).toBe(en["nav.lobby"]);
    settings.language = "ja";
    expect(t("nav.lobby")).toBe(ja["nav.lobby"]);
    expect(ja["nav.lobby"]).not.toBe(en["nav.lobby"]);
  });

  test("fall back to English where a language has none", () => {
    settings.language = "xx" as "ja";
    expect(t("nav.lobby")).toBe(en["nav.lobby"]);
    settings.language = "ja";
    const spoken = ja as Record<string, string | undefined>;
    const before = spoken["nav.lobby"];
    try {
      delete spoken["nav.lobby"];
      expect(t("nav.lobby")).toBe(en["nav.lobby"]);
    } finally {
      spoken["nav.lobby"] = before;
    }
  });

  test("a moment is written as people write it", () => {
    const noon = Date.UTC(2026, 1, 3, 12) / 1000;
    expect(moment(noon)).toContain("2026");
    const english = moment(noon);
    settings.language = "ja";
    expect(moment(noon)).not.toBe(english);
    expect(moment(noon)).toContain("2026/02/03");
  });
});

describe("bots", () => {
  test("have a level in each language; an unknown one stands for itself", () => {
    expect(levelName("strong")).toBe(en["level.strong"]);
    settings.language = "ja";
    expect(levelName("strong")).toBe(ja["level.strong"]);
    expect(levelName("somebody's")).toBe("somebody's");
  });

  test("of the middle level are usual", () => {
    expect(usualLevel(game())).toBe("regular");
    expect(usualLevel(game({ levels: ["a", "b"] }))).toBe("b");
    expect(usualLevel(game({ levels: [] }))).toBe("");
  });

  test("of the house are known by their id", () => {
    expect(botOf({ id: "bot:strong" })).toBe("strong");
    expect(botOf({ id: "bottom" })).toBeNull();
    expect(botOf(null)).toBeNull();
  });

  test("have a name in each language, with their letter", () => {
    const [person = ""] = en["bot.names"].split(" ");
    const [japanese = ""] = ja["bot.names"].split(" ");
    settings.language = "ja";
    expect(nameOf({ name: person, kind: "bot" })).toBe(japanese);
    expect(nameOf({ name: `${person} B`, kind: "bot" })).toBe(`${japanese} B`);
    expect(nameOf({ name: person, kind: "guest" }), "people keep theirs").toBe(person);
    expect(nameOf({ name: "Sensible A", kind: "bot" })).toBe(
      ja["bot.sensible"].replace("{letter}", "A").trim(),
    );
    expect(nameOf({ name: "Unheard Of", kind: "bot" })).toBe("Unheard Of");
    expect(standInName("sensible")).toBe(ja["bot.sensible"].replace("{letter}", "").trim());
  });
});

describe("places and numbers", () => {
  test("are written as people write them", () => {
    expect([1, 2, 3, 4, 11, 21].map(placeText)).toEqual([
      "1st",
      "2nd",
      "3rd",
      "4th",
      "11th",
      "21st",
    ]);
    settings.language = "ja";
    expect(placeText(2)).toContain("2");
    expect(new Set([1, 2, 3, 4].map((rank) => placeText(rank).replace(/\d/, ""))).size).toBe(1);
  });

  test("have so many digits, and no minus for nothing", () => {
    expect([numberText(1234.56), numberText(2, 0), numberText(-0.01)]).toEqual([
      "1,234.6",
      "2",
      "0.0",
    ]);
    expect(numberText(-1.25, 2)).toBe("-1.25");
  });
});

describe("faults", () => {
  const shown = (key: Key) => (settings.language === "ja" ? ja : en)[key];

  test.each(["en", "ja"] as const)("are told in the language of the page: %s", (language) => {
    settings.language = language;
    expect(refusalText("no-table", "no such table")).toBe(shown("fault.noTable"));
    expect(refusalText("malformed", "")).toBe(shown("fault.malformed"));
    expect(refusalText("never heard of", "")).toBe(shown("fault.unknown"));
    expect(faultText(new Fault(404, "no-player", "no such player"))).toBe(shown("fault.noPlayer"));
    expect(faultText(new TypeError("any"))).toBe(shown("shell.offline"));
  });

  test("without words of ours are told in English to who reads English", () => {
    expect(refusalText("never heard of", "It is late.")).toBe("It is late.");
    settings.language = "ja";
    expect(refusalText("never heard of", "It is late.")).toBe(ja["fault.unknown"]);
  });
});
