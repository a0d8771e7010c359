/**
 * Fonts of the client, made when it is built from the font packages. Three parts:
 *
 * - `first.css`: one small file per face with the letters of every page: ASCII, and the signs that
 *   English texts use. It also names the packages' own pieces for Latin letters with accents.
 * - `own.css`: one file per face with every other character of the client's own texts.
 * - `rest.css`: the packages' pieces by `unicode-range`, for what people type.
 *
 * `own.css` and `rest.css` are loaded when they are needed (src/shared/letters.ts). Pieces have a
 * family of their own, after the first one: otherwise a piece would win over the file of its face.
 */

import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import subsetFont from "subset-font";
import type { Plugin } from "vite";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = join(ROOT, "node_modules/@fontsource");
const CACHE = join(ROOT, "node_modules/.cache/zashiki-fonts");
const PREFIX = "virtual:fonts/";

interface Face {
  family: string;
  package: string;
  weight: number;
}

const FACES: readonly Face[] = [
  { family: "Shippori Mincho B1", package: "shippori-mincho-b1", weight: 700 },
  { family: "Zen Kaku Gothic New", package: "zen-kaku-gothic-new", weight: 400 },
  { family: "Zen Kaku Gothic New", package: "zen-kaku-gothic-new", weight: 700 },
];

/** Text in every language: the site's name, the name of Japanese, and "win" after a match. */
const EVERYWHERE = "座敷日本語勝";
const FIRST_KANJI = 0x2e80;
/** The files with the client's own texts. */
const TEXTS = [
  "web/index.html",
  "web/src/**/*.{svelte,ts,css,json}",
  "src/zashiki/core/text/*.toml",
  "src/zashiki/core/rules.*.md",
  "src/zashiki/games/*/text/*.toml",
  "src/zashiki/games/*/rules.*.md",
  "src/zashiki/games/*/client/**/*.{svelte,ts,css}",
  "examples/*/*/text/*.toml",
];

interface Letters {
  first: readonly string[];
  own: readonly string[];
}

/** The characters of the client's own texts, by the file that has them. */
function lettersOfTexts(): Letters {
  const files = TEXTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const texts = files.filter((file) => !file.endsWith(".test.ts"));
  const used = new Set(texts.map((file) => readFileSync(join(ROOT, file), "utf8")).join(""));
  for (let code = 0x20; code < 0x7f; code += 1) used.add(String.fromCharCode(code));
  const all = [...used].filter((letter) => codeOf(letter) >= 0x20).sort();
  const isFirst = (letter: string) => codeOf(letter) < FIRST_KANJI || EVERYWHERE.includes(letter);
  return { first: all.filter(isFirst), own: all.filter((letter) => !isFirst(letter)) };
}

function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}

/** Letters as CSS names them: U+3042-3044,U+4e0a. */
function rangeOf(letters: readonly string[]): string {
  const spans: [number, number][] = [];
  for (const code of letters.map(codeOf).sort((one, other) => one - other)) {
    const last = spans.at(-1);
    if (last && last[1] + 1 === code) last[1] = code;
    else spans.push([code, code]);
  }
  const hex = (code: number) => code.toString(16);
  return spans.map(([from, to]) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ""}`).join();
}

function faceRule(face: Face, family: string, source: string, range: string): string {
  return `@font-face{font-family:"${family}";font-style:normal;font-display:swap;font-weight:${face.weight};src:url(${source}) format("woff2");unicode-range:${range}}\n`;
}

/** The pieces of a package's face: each with its file name and range. */
function piecesOf(face: Face): { file: string; range: string }[] {
  const sheet = readFileSync(join(PACKAGES, face.package, `${face.weight}.css`), "utf8");
  const rule = /url\(\.\/files\/([^)]+\.woff2)\)[^}]*?unicode-range:\s*([^;]+);/g;
  const pieces = [...sheet.matchAll(rule)].map(([, file = "", range = ""]) => ({ file, range }));
  if (pieces.length === 0) {
    throw new Error(
      `${face.package}/${face.weight}.css: expected rules with url(./files/….woff2) and ` +
        "unicode-range, found none: adapt web/build/fonts.ts to the new package",
    );
  }
  return pieces;
}

/** Make all files of a folder, once per state of texts and packages. */
async function make(): Promise<string> {
  const letters = lettersOfTexts();
  const state = createHash("sha256").update(JSON.stringify(letters));
  state.update(readFileSync(fileURLToPath(import.meta.url)));
  state.update(readFileSync(join(ROOT, "package-lock.json")));
  const folder = join(CACHE, state.digest("hex").slice(0, 16));
  if (globSync(join(folder, "own.js")).length > 0) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const sheets = { first: "", own: "", rest: "" };
  for (const face of FACES) {
    const name = `${face.package}-${face.weight}`;
    const whole = readFileSync(
      join(PACKAGES, face.package, "files", `${face.package}-japanese-${face.weight}-normal.woff2`),
    );
    for (const part of ["first", "own"] as const) {
      const file = `${part}-${name}.woff2`;
      const cut = await subsetFont(whole, letters[part].join(""), { targetFormat: "woff2" });
      writeFileSync(join(unfinished, file), cut);
      sheets[part] += faceRule(face, face.family, `./${file}`, rangeOf(letters[part]));
    }
    for (const { file, range } of piecesOf(face)) {
      const source = `../../../@fontsource/${face.package}/files/${file}`;
      const rule = faceRule(face, `${face.family} Rest`, source, range);
      sheets[file.includes("-latin-") ? "first" : "rest"] += rule;
    }
  }
  for (const [name, sheet] of Object.entries(sheets)) {
    writeFileSync(join(unfinished, `${name}.css`), sheet);
  }
  for (const part of ["first", "own"] as const) {
    const module = `export const ${part} = ${JSON.stringify(letters[part].join(""))};\n`;
    writeFileSync(join(unfinished, `${part}.js`), module);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return folder;
}

/** Makes the fonts when something imports `virtual:fonts/…`. */
export function fonts(): Plugin {
  let made: Promise<string> | undefined;
  return {
    name: "zashiki-fonts",
    async resolveId(id) {
      if (!id.startsWith(PREFIX)) return null;
      made ??= make();
      return join(await made, id.slice(PREFIX.length));
    },
  };
}
