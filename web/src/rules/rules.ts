/** The rules of a game, parsed from Markdown: its part of the file, its ids, its chapters. */

import { lexer, walkTokens, type Token, type Tokens } from "marked";

import { get } from "$web/shared/api";
import { pictureOf } from "$web/shared/clients";
import type { Language } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";

/** The format of ids: RT 3.5, K2 1, RB 2.4a. */
const ID = /^[A-Z][A-Z0-9]* \d+(?:\.\d+[a-z]?)?$/;
const LEADING_ID = /^([A-Z][A-Z0-9]* \d+(?:\.\d+[a-z]?)?)(?=\s|$)/;
const CITED = /[A-Z][A-Z0-9]* \d+(?:\.\d+[a-z]?)?/g;

export interface Chapter {
  anchor: string;
  title: string;
}

export interface RuleBook {
  tokens: Token[];
  chapters: Chapter[];
  /** The ids that can be cited here. */
  ids: ReadonlySet<string>;
}

export function anchorOf(id: string): string {
  return id.trim().replace(/\s+/g, "-");
}

/** A file may hold several games; each begins with a heading that ends in {id}. */
function partOf(tokens: Token[], game: string): Token[] {
  const isStart = (token: Token) => token.type === "heading" && /\{[\w-]+\}\s*$/.test(token.text);
  const start = tokens.findIndex((one) => isStart(one) && one.raw.includes(`{${game}}`));
  if (start < 0) return tokens;
  const rest = tokens.findIndex((one, place) => place > start && isStart(one));
  return tokens.slice(start, rest < 0 ? undefined : rest);
}

/** The id at the beginning of a paragraph or an item, in bold. */
export function idOf(token: Token): string | null {
  const first = firstInline(token);
  return first?.type === "strong" && ID.test(first.text) ? first.text : null;
}

/** The text of a rule without its id; null if the rulebook does not have the rule. */
export function wordsOf(tokens: readonly Token[], id: string): Token[] | null {
  for (const token of tokens) {
    if (idOf(token) === id) return afterId(token);
    const { items, tokens: inside } = token as Tokens.Generic;
    const found = wordsOf(items ?? (token.type === "list_item" ? inside : []) ?? [], id);
    if (found) return found;
  }
  return null;
}

function afterId(token: Token): Token[] {
  const inside = (token as Tokens.Generic).tokens ?? [];
  const [first] = inside;
  if (first?.type === "strong") return inside.slice(1);
  return ((first as Tokens.Generic | undefined)?.tokens ?? []).slice(1);
}

function firstInline(token: Token): Token | undefined {
  const inside = (token as Tokens.Generic).tokens?.[0];
  if (inside?.type === "text" || inside?.type === "paragraph") {
    return (inside as Tokens.Generic).tokens?.[0] ?? inside;
  }
  return inside;
}

/** The anchor of a heading: its id, or its words. */
export function headingAnchor(text: string): string {
  return anchorOf(LEADING_ID.exec(text)?.[1] ?? text);
}

function idsIn(tokens: Token[], found = new Set<string>()): Set<string> {
  for (const token of tokens) {
    if (token.type === "heading") {
      const id = LEADING_ID.exec(token.text)?.[1];
      if (id) found.add(id);
    }
    const id = idOf(token);
    if (id) found.add(id);
    const { items, tokens: inside } = token as Tokens.Generic;
    if (items) idsIn(items, found);
    else if (inside && token.type === "list_item") idsIn(inside, found);
  }
  return found;
}

/** The rules of a game, fetched from the server and parsed. */
export async function rulesOf(
  game: string,
  language: Language,
): Promise<{ title: string; book: RuleBook }> {
  const path = `/api/games/${encodeURIComponent(game)}/rules?language=${language}`;
  const { title, text } = await get<wire.GameRules>(path);
  return { title, book: ruleBook(text, game) };
}

function ruleBook(markdown: string, game: string): RuleBook {
  const tokens = partOf(lexer(markdown), game).filter(
    (token) => !(token.type === "heading" && token.depth === 1),
  );
  walkTokens(tokens, (token) => {
    if (token.type === "image") token.href = pictureOf(game, token.href) ?? "";
  });
  const chapters = tokens
    .filter((token): token is Tokens.Heading => token.type === "heading" && token.depth === 2)
    .map((token) => ({ anchor: headingAnchor(token.text), title: token.text }));
  return { tokens, chapters, ids: idsIn(tokens) };
}

/** A text split into citations of this rulebook's rules and other text. */
export function cited(text: string, ids: ReadonlySet<string>): { text: string; id?: string }[] {
  const pieces: { text: string; id?: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(CITED)) {
    if (!ids.has(match[0])) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: match[0], id: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
