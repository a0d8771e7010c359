import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server that `npm run dev` asks. */
const server = process.env.ZASHIKI_SERVER ?? "http://127.0.0.1:8620";

export default defineConfig({
  root: here("web"),
  plugins: [svelte()],
  resolve: {
    alias: { $lib: here("web/src/lib"), $ui: here("web/src/ui") },
  },
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
