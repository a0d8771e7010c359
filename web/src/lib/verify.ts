/** Is a record honest? What a browser can find out by itself, trusting nobody. */

import type { Promised } from "./promises";

export type Verdict = "ok" | "failed" | "not judged";

/** What stands in a record that is checked here. */
export interface Opened {
  game: string;
  commitment: string;
  nonces: readonly string[];
  seed: string | null;
  salt: string | null;
}

export type ChainFault = { line: number; why: "broken" | "unreadable" | "cut" };

const encoder = new TextEncoder();

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Browsers hash on secure pages only. */
export function canHash(): boolean {
  return globalThis.isSecureContext && crypto.subtle !== undefined;
}

/** The lines of a record, without the end of the last one. */
export function linesOf(record: string): string[] {
  return record.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
}

function read(line: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What the first line promises and the last one reveals; null where this is no record. */
export function open(record: string): Opened | null {
  const lines = linesOf(record);
  const header = read(lines[0]);
  const closing = read(lines.at(-1));
  if (header.zashiki === undefined || typeof header.commitment !== "string") return null;
  return {
    game: String(header.game),
    commitment: header.commitment,
    nonces: Array.isArray(header.nonces) ? header.nonces.map(String) : [],
    seed: typeof closing.seed === "string" ? closing.seed : null,
    salt: typeof closing.salt === "string" ? closing.salt : null,
  };
}

/** Each line ends with a hash of the hash before it and of the line without its own. */
const HASHED = /^(.*),"hash":"([0-9a-f]{32})"\}$/s;

/** The first line that does not hang together with those above it; null if all do. */
export async function brokenLink(record: string): Promise<ChainFault | null> {
  const lines = linesOf(record);
  let head = "";
  for (const [place, line] of lines.entries()) {
    const found = HASHED.exec(line);
    if (!found) return { line: place + 1, why: "unreadable" };
    const content = encoder.encode(`${head}${found[1]}}`);
    head = (await sha256(content)).slice(0, 32);
    if (head !== found[2]) return { line: place + 1, why: "broken" };
    const isClosing = place === lines.length - 1;
    const counted = isClosing || place === 0 || read(line).n === place;
    if (!counted) return { line: place + 1, why: "broken" };
  }
  const end = read(lines.at(-1)).end;
  return end === lines.length - 2 ? null : { line: lines.length, why: "cut" };
}

/** Do seed and salt hash to the commitment? */
export async function opensCommitment(opened: Opened): Promise<Verdict> {
  if (opened.seed === null || opened.salt === null) return "not judged";
  const parts = [encoder.encode("zashiki commitment"), fromHex(opened.seed), fromHex(opened.salt)];
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return (await sha256(bytes)) === opened.commitment ? "ok" : "failed";
}

/** Is it what this browser was shown before the deal, with a nonce that it gave? */
export function keptPromise(opened: Opened, promised: readonly Promised[]): Verdict | "late" {
  if (promised.length === 0) return "not judged";
  const shown = promised.filter((one) => one.commitment === opened.commitment);
  if (shown.some((one) => opened.nonces[one.seat] === one.nonce)) return "ok";
  return shown.some((one) => opened.nonces[one.seat] === "") ? "late" : "failed";
}
