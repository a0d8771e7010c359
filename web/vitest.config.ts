/** Unit tests of the client's modules, beside each module as `*.test.ts`; `npm test` runs them. */

import { fileURLToPath } from "node:url";
import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";

import vite from "../vite.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default mergeConfig(
  vite,
  defineConfig({
    root: here(".."),
    test: {
      environment: here("test/page.ts"),
      include: ["web/src/**/*.test.ts", "src/zashiki/games/*/client/**/*.test.ts"],
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
