/** Gives the settings back after each file of tests: files in one worker share them. */

import { afterAll } from "vitest";

import { settings } from "../src/shared/settings.svelte";

const usual = { ...settings };

afterAll(() => {
  Object.assign(settings, usual);
  localStorage.clear();
});
