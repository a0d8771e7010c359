import { beforeEach, describe, expect, test, vi } from "vitest";

const KEY = "zashiki.settings";
const USUAL = {
  language: "en",
  theme: "system",
  motion: "system",
  sound: false,
  patterns: false,
  cards: "medium",
  hints: true,
  pace: "full",
  asksAlways: false,
};

/** A fresh copy of the module, as after a page load, with the Svelte that it uses. */
async function loaded(kept?: unknown, browser = "en-US") {
  vi.resetModules();
  localStorage.clear();
  vi.stubGlobal("navigator", { language: browser });
  if (kept !== undefined) localStorage.setItem(KEY, JSON.stringify(kept));
  const { flushSync } = await import("svelte");
  return { flushSync, ...(await import("./settings.svelte")) };
}

const query = (media: string) => matchMedia(media) as unknown as EventTarget & { matches: boolean };
const dark = () => query("(prefers-color-scheme: dark)");
const still = () => query("(prefers-reduced-motion: reduce)");

beforeEach(() => {
  dark().matches = false;
  still().matches = false;
});

describe("what was chosen", () => {
  test("is as usual at first, in the browser's language", async () => {
    expect((await loaded()).settings).toEqual(USUAL);
    expect((await loaded(undefined, "ja")).settings.language).toBe("ja");
    expect((await loaded(undefined, "ja-JP")).settings.language).toBe("ja");
    expect((await loaded(undefined, "de")).settings.language).toBe("en");
  });

  test("is kept", async () => {
    const kept = { language: "ja", theme: "dark", motion: "off", sound: true, hints: false };
    expect((await loaded({ ...kept, pace: "quick" })).settings).toEqual({
      ...USUAL,
      ...kept,
      pace: "quick",
    });
  });

  test.each([null, 5, "text", [], {}])("%j is as if nothing had been kept", async (kept) => {
    expect((await loaded(kept)).settings).toEqual(USUAL);
  });

  test("is taken as far as it is offered", async () => {
    const wrong = { language: "xx", theme: 5, motion: null, sound: "yes", patterns: [], hints: {} };
    const kept = { ...wrong, pace: "slow", cards: "large", unknown: 1 };
    expect((await loaded(kept)).settings).toEqual({ ...USUAL, cards: "large" });
  });
});

describe("motion", () => {
  test("is as the system wants it, or as chosen", async () => {
    const { settings, moves, lasting } = await loaded();
    expect([moves(), lasting(500)]).toEqual([true, 500]);
    still().matches = true;
    expect([moves(), lasting(500), lasting(20)]).toEqual([false, 80, 20]);
    settings.motion = "on";
    expect([moves(), lasting(500)]).toEqual([true, 500]);
    still().matches = false;
    settings.motion = "off";
    expect([moves(), lasting(500)]).toEqual([false, 80]);
  });
});

describe("a story", () => {
  test("is told in full, quickly, or stands there at once", async () => {
    const { settings, tells, telling } = await loaded();
    expect([tells(), telling(1000)]).toEqual([true, 1000]);
    settings.pace = "quick";
    expect([tells(), telling(1000)]).toEqual([true, 400]);
    settings.pace = "instant";
    expect([tells(), telling(1000)]).toEqual([false, 0]);
    Object.assign(settings, { pace: "full", motion: "off" });
    expect([tells(), telling(1000)], "no story moves for who wants no motion").toEqual([false, 0]);
  });
});

describe("the page", () => {
  test("follows what is chosen, and the browser keeps it", async () => {
    const { settings, follow, flushSync } = await loaded();
    follow();
    flushSync();
    const page = document.documentElement;
    expect(page.lang).toBe("en");
    expect(page.dataset).toEqual({
      theme: "light",
      motion: "system",
      cards: "medium",
      patterns: "false",
    });
    Object.assign(settings, { language: "ja", theme: "dark", cards: "small", patterns: true });
    flushSync();
    expect(page.lang).toBe("ja");
    expect(page.dataset).toMatchObject({ theme: "dark", cards: "small", patterns: "true" });
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({ ...settings });
  });

  test("follows the system's theme, unless one is chosen", async () => {
    const { settings, follow, flushSync } = await loaded();
    follow();
    flushSync();
    const { dataset } = document.documentElement;
    dark().matches = true;
    dark().dispatchEvent(new Event("change"));
    expect(dataset.theme).toBe("dark");
    dark().matches = false;
    dark().dispatchEvent(new Event("change"));
    expect(dataset.theme).toBe("light");
    settings.theme = "light";
    flushSync();
    dark().matches = true;
    dark().dispatchEvent(new Event("change"));
    expect(dataset.theme).toBe("light");
  });
});
