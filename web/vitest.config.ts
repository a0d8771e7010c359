/** Unit tests of the client's modules, beside each module as `*.test.ts`; `npm test` runs them. */

import { fileURLToPath } from "node:url";
import { defaultClientConditions, mergeConfig } from "vite";
import { defineConfig } from "vitest/config";

import vite from "../vite.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default mergeConfig(
  vite,
  defineConfig({
    root: here(".."),
    resolve: {
      // Node would find the half of Svelte that renders pages on a server;
      conditions: [...defaultClientConditions],
      // and with these conditions the WebSocket server is found in none but its own file.
      alias: { ws: here("../node_modules/ws/wrapper.mjs"), $test: here("test") },
    },
    test: {
      environment: here("test/page.ts"),
      include: ["web/src/**/*.test.ts", "src/zashiki/games/*/client/**/*.test.ts"],
      server: { deps: { inline: ["svelte"] } },
      unstubGlobals: true,
      restoreMocks: true,
      testTimeout: 60_000, // a busy machine is no failure
      coverage: {
        include: ["web/src/lib/**/*.ts", "src/zashiki/games/*/client/**/*.ts"],
        exclude: ["**/*.test.ts", "web/src/lib/wire.ts"],
        reporter: ["text"],
      },
    },
  }),
);
