import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import type { Plugin } from "postcss";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The font packages name each file twice, as WOFF2 and as WOFF. Every browser of the build target
 * reads WOFF2, so the WOFF half, 12 MB of 24, is left out of the build.
 */
const onlyWoff2: Plugin = {
  postcssPlugin: "only-woff2",
  Once: (sheet) => {
    sheet.walkDecls("src", (source) => {
      source.value = source.value.replace(/,\s*url\([^)]*\.woff\)\s*format\('woff'\)/g, "");
    });
  },
};

/** The server that `npm run dev` asks. */
const server = process.env.ZASHIKI_SERVER ?? "http://127.0.0.1:8620";

export default defineConfig({
  root: here("web"),
  plugins: [svelte()],
  resolve: {
    alias: { $lib: here("web/src/lib"), $ui: here("web/src/ui") },
  },
  css: { postcss: { plugins: [onlyWoff2] } },
  build: {
    outDir: process.env.ZASHIKI_CLIENT ?? here("src/zashiki/server/client"),
    emptyOutDir: true,
    assetsInlineLimit: 0, // the policy of the pages allows no data: fonts
    target: "baseline-widely-available",
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    fs: { allow: [here(".")] },
    proxy: { "/api": { target: server, ws: true } },
  },
});
