import compat from "eslint-plugin-compat";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

import config from "./svelte.config.js";

export default ts.config(
  ts.configs.recommended,
  svelte.configs.recommended,
  compat.configs["flat/recommended"],
  { languageOptions: { globals: globals.browser } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig: config } },
  },
  {
    rules: {
      "no-console": "error",
      "svelte/prefer-svelte-reactivity": "off", // where a collection is reactive, it is replaced
      "@typescript-eslint/no-explicit-any": "error",
      "svelte/no-at-html-tags": "error",
    },
  },
);
