/** Verification of a record in the browser, without trusting the server. */

import { clientOf } from "$web/shared/clients";
import { isRecord, isText, listOf, nullOr } from "$web/shared/storage";
import type * as wire from "$web/shared/wire";
import type { RecordedFact } from "$web/table/model";
import { fromHex, toHex } from "./bytes";
import { Dice } from "./dice";
import { chain, inOrder, nonceHash, ownHash, type Hashes, type Witness } from "./witness";

export type Verdict = "ok" | "failed" | "not judged";

/** The fields of a record that are checked here. */
export interface Opened {
  game: string;
  seats: number;
  options: Record<string, unknown>;
  names: readonly string[];
  scenario: boolean;
  reader: unknown;
  commitment: string;
  nonces: readonly string[];
  /** Fixed before any nonce was revealed; empty if the deal did not have two phases. */
  hashes: Hashes;
  seed: string | null;
  salt: string | null;
}

export type ChainFault = { line: number; why: "broken" | "unreadable" | "cut" };

const encoder = new TextEncoder();

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Browsers offer hashing on secure pages only. */
export function canHash(): boolean {
  return globalThis.isSecureContext && crypto.subtle !== undefined;
}

/** The lines of a record, without the final line break. */
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

/** The commitment of the first line and the reveal of the last; null if this is not a record. */
export function open(record: string): Opened | null {
  const lines = linesOf(record);
  const header = read(lines[0]);
  const closing = read(lines.at(-1));
  if (header.zashiki === undefined || typeof header.commitment !== "string") return null;
  return {
    game: String(header.game),
    seats: Number(header.seats),
    options: isRecord(header.options) ? header.options : {},
    names: Array.isArray(header.names) ? header.names.map(String) : [],
    scenario: header.scenario !== false,
    reader: header.reader,
    commitment: header.commitment,
    nonces: Array.isArray(header.nonces) ? header.nonces.map(String) : [],
    hashes: listOf(nullOr(isText))(header.hashes) ? header.hashes : [],
    seed: secretOf(closing.seed),
    salt: secretOf(closing.salt),
  };
}

/** Exactly 32 bytes: with other lengths, seed and salt could share the same bytes otherwise. */
function secretOf(value: unknown): string | null {
  return isText(value) && /^[0-9a-f]{64}$/.test(value) ? value : null;
}

function factsOf(record: string): RecordedFact[] {
  return linesOf(record)
    .slice(1, -1)
    .map((line, place) => {
      const { act = 0, to, fact, with: details } = read(line);
      return { line: place + 2, act, to, fact, with: details } as RecordedFact;
    });
}

/** Each line ends with a hash of the previous hash and of the line without its own hash. */
const HASHED = /^(.*),"hash":"([0-9a-f]{32})"\}$/s;

/** The first line that does not match the chain; null if all do. */
export async function brokenLink(record: string): Promise<ChainFault | null> {
  const lines = linesOf(record);
  let head = "";
  for (const [place, line] of lines.entries()) {
    const found = HASHED.exec(line);
    if (!found || (place === 0 && !hasOnePerSeat(read(line))))
      return { line: place + 1, why: "unreadable" };
    const content = encoder.encode(`${head}${found[1]}}`);
    head = (await sha256(content)).slice(0, 32);
    if (head !== found[2]) return { line: place + 1, why: "broken" };
    const isFact = place > 0 && place < lines.length - 1;
    const isMoved =
      isFact && (read(line).n !== place || !follows(line, place > 1 ? lines[place - 1] : ""));
    if (isMoved) return { line: place + 1, why: "broken" };
  }
  const end = read(lines.at(-1)).end;
  return end === lines.length - 2 ? null : { line: lines.length, why: "cut" };
}

/** One nonce per seat at most: a nonce of no seat has no hash, so it could be chosen last. */
function hasOnePerSeat({ seats, nonces, hashes = [] }: Record<string, unknown>): boolean {
  return [nonces, hashes].every(
    (some) => Array.isArray(some) && (some.length === 0 || some.length === seats),
  );
}

/** Actions are numbered from 1, without a gap: the dice depend on the number. */
function follows(line: string, before: string | undefined): boolean {
  const [one, other] = [read(line), read(before)];
  const [act, last] = [one.act ?? 0, other.act ?? 0];
  const isSameAction = act === last && one.by === other.by && one.action === other.action;
  return isSameAction || act === Number(last) + 1;
}

/** Check that seed and salt hash to the commitment. */
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

// The nonces --------------------------------------------------------------------------------------

/** The fate of this browser's nonce; the same keys as in src/zashiki/core/witness.py. */
export type NonceKey =
  | "took-part"
  | "other-nonce"
  | "second-commitment"
  | "other-commitment"
  | "other-list"
  | "other-options"
  | "other-start"
  | "dropped"
  | "told-otherwise"
  | "not-taken"
  | "not-revealed-by-you"
  | "not-compared"
  | "told-in-part"
  | "nonce-withheld"
  | "no-hashes"
  | "no-witness";

export interface NonceFinding {
  verdict: Verdict;
  key: NonceKey;
  line?: number;
  /** The seats that withheld their nonce, or whose nonce does not match its hash. */
  seats?: readonly number[];
}

const OPEN: ReadonlySet<NonceKey> = new Set(["not-taken", "not-revealed-by-you", "not-compared"]);

/**
 * Check that all nonces match the hashes fixed before, and that this browser's own is among them.
 */
export function judgeNonces(record: string, opened: Opened, witness: Witness | null): NonceFinding {
  const { hashes, nonces, commitment } = opened;
  const seats = [...hashes.keys()];
  const forged = seats.filter((seat) => {
    const nonce = nonces[seat] ?? "";
    return nonce !== "" && nonceHash(commitment, seat, nonce) !== hashes[seat];
  });
  if (forged.length > 0) return { verdict: "failed", key: "other-nonce", seats: forged };
  const against = witness && againstWitness(record, opened, witness);
  if (against) return against;
  const withheld = seats.filter((seat) => hashes[seat] && !nonces[seat]);
  if (withheld.length > 0) {
    return { verdict: "not judged", key: "nonce-withheld", seats: withheld };
  }
  if (witness) return { verdict: "ok", key: "took-part" };
  return { verdict: "not judged", key: hashes.length > 0 ? "no-witness" : "no-hashes" };
}

function againstWitness(record: string, opened: Opened, witness: Witness): NonceFinding | null {
  const key = tookPart(opened, witness);
  if (OPEN.has(key)) return { verdict: "not judged", key };
  if (key !== "took-part") return { verdict: "failed", key };
  const { seat } = witness;
  if (witness.told.length === 0 || (opened.reader !== "everything" && opened.reader !== seat)) {
    return { verdict: "not judged", key: "not-compared" };
  }
  const facts = factsOf(record).filter(({ to }) => to === "all" || to === seat);
  const told = chain(facts.map((fact) => ({ ...fact, own: fact.to !== "all" })));
  const place = witness.told.findIndex((link, at) => link !== told[at]);
  if (place < 0) {
    const isWhole = witness.told.length === told.length;
    return isWhole ? null : { verdict: "not judged", key: "told-in-part" };
  }
  const line = facts[place]?.line ?? linesOf(record).length;
  return { verdict: "failed", key: "told-otherwise", line };
}

function tookPart(opened: Opened, witness: Witness): NonceKey {
  const { commitments, lists, options, scenario, seat } = witness;
  if (commitments.length > 1) return "second-commitment";
  if (commitments[0] !== opened.commitment) return "other-commitment";
  if (options && !isSame(options, opened.options)) return "other-options";
  if (scenario === false && opened.scenario) return "other-start";
  if (opened.hashes[seat] !== ownHash(witness)) return witness.accepted ? "dropped" : "not-taken";
  const isOneList = JSON.stringify(lists) === JSON.stringify([opened.hashes]);
  if (lists.length > 0 && !isOneList) return "other-list";
  if (opened.nonces[seat] !== witness.nonce) {
    return witness.revealed ? "dropped" : "not-revealed-by-you";
  }
  return isOneList ? "took-part" : "other-list";
}

// The draw ----------------------------------------------------------------------------------------

export type DrawFinding =
  | { verdict: "ok"; count: number }
  | { verdict: "failed"; line: number; expected: string; found: string }
  | { verdict: "not judged"; why: "seed" | "part" | "scene" | "game" };

/** Repeat all draws from seed and nonces, and compare them with the record. */
export function judgeDraws(record: string, opened: Opened): DrawFinding {
  const { draws } = clientOf(opened.game);
  if (opened.seed === null) return { verdict: "not judged", why: "seed" };
  if (opened.reader !== "everything") return { verdict: "not judged", why: "part" };
  if (opened.scenario) return { verdict: "not judged", why: "scene" };
  if (draws === undefined) return { verdict: "not judged", why: "game" };
  const facts = factsOf(record);
  const secret = firstSecretAction(facts);
  if (secret) return { verdict: "failed", line: secret.line, expected: "?", found: "–" };
  const dice = new Dice(fromHex(opened.seed), opened.nonces);
  let count = 0;
  for (const [fact, drawn] of draws({ ...opened, facts }, dice)) {
    const parts = Object.keys(drawn).filter((part) => !isSame(fact.with[part], drawn[part]));
    if (parts.length > 0) {
      const [expected, found] = [drawn, fact.with].map((one) => spelled(one, parts));
      return { verdict: "failed", line: fact.line, expected, found } as DrawFinding;
    }
    count += 1;
  }
  if (count > 0) return { verdict: "ok", count };
  return { verdict: "failed", line: 2, expected: "?", found: "–" }; // every game draws something
}

/**
 * The first fact of an action of which not all players are told something; undefined if none.
 *
 * Actions that nobody sees would let a forger choose the numbers of those that draw.
 */
function firstSecretAction(facts: readonly RecordedFact[]): RecordedFact | undefined {
  const seen = new Set([0]);
  for (const { to, act } of facts) if (to === "all") seen.add(act);
  return facts.find(({ act }) => !seen.has(act));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function spelled(details: Readonly<Record<string, unknown>>, parts: readonly string[]): string {
  return parts.flatMap((part) => details[part]).join(" ");
}

// Everything --------------------------------------------------------------------------------------

/** The findings of this browser; `unable` if the page may not hash. */
export interface Here {
  opened: Opened | null;
  chain: ChainFault | null | "unable";
  seed: Verdict;
  nonces: NonceFinding;
  draws: DrawFinding;
}

export async function lookHere(record: string, witness: Witness | null): Promise<Here> {
  const opened = open(record);
  const able = canHash();
  const chain = able ? await brokenLink(record) : "unable";
  const seed = able && opened ? await opensCommitment(opened) : "not judged";
  const isWhole = opened !== null && (chain === null || chain === "unable");
  return {
    opened,
    chain,
    seed,
    nonces: isWhole
      ? judgeNonces(record, opened, witness)
      : { verdict: "not judged", key: "not-compared" },
    draws: isWhole ? judgeDraws(record, opened) : { verdict: "not judged", why: "part" },
  };
}

/** The overall verdict, including the server's findings: only the server checks the rules. */
export function overall(here: Here, there: wire.Verified): Verdict {
  const chain: Verdict =
    here.chain === null ? "ok" : here.chain === "unable" ? "not judged" : "failed";
  const served = [there.chain, there.seed, there.rules].map((finding) => finding.verdict);
  const verdicts = [chain, here.seed, here.nonces.verdict, here.draws.verdict, ...served];
  if (verdicts.includes("failed")) return "failed";
  return verdicts.every((verdict) => verdict === "ok") ? "ok" : "not judged";
}
