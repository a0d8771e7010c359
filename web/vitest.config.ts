/** Unit tests of the client's modules, beside each module as `*.test.ts`; `npm test` runs them. */

import { fileURLToPath } from "node:url";
import { defaultClientConditions, mergeConfig } from "vite";
import { defineConfig } from "vitest/config";

import vite from "../vite.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const EVERY = ["web/src/**/*.test.ts", "src/zashiki/games/*/client/**/*.test.ts"];
/** Files that reload modules, or need ones in which nothing was loaded or chosen before. */
const ALONE = ["web/src/shared/*.test.ts", "web/src/table/store.test.ts"];

export default mergeConfig(
  vite,
  defineConfig({
    root: here(".."),
    resolve: {
      // Node would otherwise find the half of Svelte that renders pages on a server;
      conditions: [...defaultClientConditions],
      // with these conditions the WebSocket server is found only by its own file.
      alias: { ws: here("../node_modules/ws/wrapper.mjs"), $test: here("test") },
    },
    test: {
      environment: here("test/page.ts"),
      server: { deps: { inline: ["svelte"] } },
      unstubGlobals: true,
      restoreMocks: true,
      testTimeout: 60_000, // for a busy machine
      // Most files share the modules of their worker. That takes a third of the time.
      projects: [
        {
          extends: true,
          test: {
            name: "together",
            include: EVERY,
            exclude: ALONE,
            isolate: false,
            setupFiles: here("test/settings.ts"),
          },
        },
        { extends: true, test: { name: "alone", include: ALONE } },
      ],
      coverage: {
        include: ["web/src/**/*.ts", "src/zashiki/games/*/client/**/*.ts"],
        exclude: ["**/*.test.ts", "web/src/shared/wire.ts"],
        reporter: ["text"],
      },
    },
  }),
);
