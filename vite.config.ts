import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

import { fonts } from "./web/build/fonts.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server that `npm run dev` asks. */
const server = process.env.ZASHIKI_SERVER ?? "http://127.0.0.1:8620";

export default defineConfig({
  root: here("web"),
  plugins: [svelte(), fonts()],
  resolve: {
    alias: { $web: here("web/src") },
  },
  build: {
    outDir: process.env.ZASHIKI_CLIENT ?? here("src/zashiki/server/client"),
    emptyOutDir: true,
    manifest: "files.json", // the server names the files of a page in its head
    assetsInlineLimit: 0, // the policy of the pages allows no data: fonts
    target: "baseline-widely-available",
    rolldownOptions: {
      checks: { pluginTimings: false },
      // The client, and the page of the API's description, which the server writes.
      input: { index: here("web/index.html"), apiDocs: here("web/src/apiDocs/main.ts") },
      output: {
        // One file for the first page and one for tables: on a slow network each file is a wait.
        codeSplitting: {
          groups: [
            { name: "apiDocs", test: /swagger-ui-dist|web\/src\/apiDocs/, priority: 3 },
            { name: "first", tags: ["$initial"], priority: 2 },
            {
              name: "table",
              test: /web\/src\/table\/(?!GenericTable)|svelte\/src\/(transition|animate|motion)/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [here(".")] },
    proxy: { "/api": { target: server, ws: true } },
  },
});
