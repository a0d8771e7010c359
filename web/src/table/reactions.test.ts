import { afterEach, expect, it } from "vitest";

import { settings } from "$web/shared/settings.svelte";
import { inWords, reactions } from "./reactions";

afterEach(() => (settings.language = "en"));

it("shows a reaction in the language of the page, whoever said it", () => {
  settings.language = "en";
  const english = reactions();
  settings.language = "ja";
  const japanese = reactions();
  expect(english.map(inWords)).toEqual(japanese);
  settings.language = "en";
  expect(japanese.map(inWords)).toEqual(english);
});

it("leaves every other line as it was said", () => {
  expect(inWords("Well played, Aki!")).toBe("Well played, Aki!");
});
