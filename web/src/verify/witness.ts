/**
 * This browser's record of a deal: everything it was shown, sent and told, which no server can
 * revise.
 *
 * `zashiki verify --witness` reads the same object (src/zashiki/core/witness.py).
 */

import {
  drop,
  isBoolean,
  isNumber,
  isRecord,
  isText,
  listOf,
  nullOr,
  store,
  stored,
} from "$web/shared/storage";
import { blake2b } from "./blake2b";
import { toHex } from "./bytes";

export type Hashes = readonly (string | null)[];

export interface Witness {
  witness: 1;
  table: string;
  seat: number;
  /** The options of the table, card set included; absent in files of earlier versions. */
  options?: Readonly<Record<string, unknown>> | undefined;
  /** The table said before the deal that its position is set up; absent like `options`. */
  scenario?: boolean | undefined;
  /** Every commitment that was shown for the table. An honest server shows one. */
  commitments: readonly string[];
  /** Every fixed list of hashes that was shown. An honest server shows one. */
  lists: readonly Hashes[];
  nonce: string;
  /** The server acknowledged the hash of the nonce. */
  accepted: boolean;
  /** The server acknowledged the nonce. */
  revealed: boolean;
  /** A hash chain over the facts that the seat was told. */
  told: readonly string[];
}

/** A fact in the form that a seat is told. */
export interface Heard {
  own: boolean;
  fact: string;
  with: unknown;
}

const KEY = "zashiki.witness";
const MOST = 50;
const NONCE_BYTES = 16;

drop("zashiki.promises"); // records of one-phase deals prove nothing

function isWitness(value: unknown): value is Witness {
  if (!isRecord(value)) return false;
  const { witness, table, seat, options, scenario, commitments, lists, nonce, told } = value;
  const { accepted, revealed } = value;
  return (
    witness === 1 &&
    isText(table) &&
    isNumber(seat) &&
    (options === undefined || isRecord(options)) &&
    (scenario === undefined || isBoolean(scenario)) &&
    listOf(isText)(commitments) &&
    listOf(listOf(nullOr(isText)))(lists) &&
    isText(nonce) &&
    isBoolean(accepted) &&
    isBoolean(revealed) &&
    listOf(isText)(told)
  );
}

/** The witness of the deal at a table; null if this browser was not shown it. */
export function witnessOf(table: string): Witness | null {
  return stored(`${KEY}.${table}`, nullOr(isWitness), null);
}

function keep(witness: Witness): Witness {
  const { table } = witness;
  const others = stored(KEY, listOf(isText), []).filter((one) => one !== table);
  for (const old of others.slice(MOST - 1)) drop(`${KEY}.${old}`);
  store(KEY, [table, ...others.slice(0, MOST - 1)]);
  store(`${KEY}.${table}`, witness);
  return witness;
}

/** Note what a table shows before the deal. The first time, a nonce is drawn. */
export function shown(
  table: string,
  seat: number,
  commitment: string,
  list: Hashes | null,
  options?: Readonly<Record<string, unknown>>,
  scenario?: boolean,
): Witness {
  const known = witnessOf(table) ?? { ...begun(table, seat), options, scenario };
  const commitments = added(known.commitments, commitment);
  const lists = list === null ? known.lists : added(known.lists, list);
  return keep({ ...known, commitments, lists });
}

function begun(table: string, seat: number): Witness {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const said = { accepted: false, revealed: false };
  return { witness: 1, table, seat, commitments: [], lists: [], nonce, ...said, told: [] };
}

function added<T>(known: readonly T[], one: T): readonly T[] {
  const text = JSON.stringify(one);
  return known.some((before) => JSON.stringify(before) === text) ? known : [...known, one];
}

/**
 * Note that the server has acknowledged what was sent of this nonce.
 *
 * Another tab, which was shown the deal at the same moment, may have kept a nonce of its own. An
 * answer about this one would accuse an honest server of having dropped that one.
 */
export function acknowledged(table: string, what: "accepted" | "revealed", nonce: string): void {
  const known = witnessOf(table);
  if (known?.nonce === nonce) keep({ ...known, [what]: true });
}

/** Note the facts from this number on. A fact noted earlier is never replaced. */
export function heard(
  table: string,
  seat: number | null,
  first: number,
  facts: readonly Heard[],
): void {
  const known = witnessOf(table);
  if (known === null || known.seat !== seat) return;
  const skipped = known.told.length + 1 - first;
  if (skipped < 0 || skipped >= facts.length) return;
  keep({ ...known, told: [...known.told, ...chain(facts.slice(skipped), known.told.at(-1))] });
}

/** One hash per fact, over this fact and all before it. */
export function chain(facts: readonly Heard[], before = ""): string[] {
  let head = before;
  return facts.map(({ own, fact, with: details }) => {
    const text = JSON.stringify([own, fact, inOrder(details)]);
    head = toHex(blake2b(`${head}${text}`, { length: 16, person: "zashiki told" }));
    return head;
  });
}

/** The same value with sorted object keys. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  const pairs = Object.keys(value)
    .sort()
    .map((key) => [key, inOrder(value[key])]);
  return Object.fromEntries(pairs);
}

/** The hash that a seat shows before any nonce is revealed; valid for this deal and seat only. */
export function nonceHash(commitment: string, seat: number, nonce: string): string {
  const content = `${commitment}/${seat}/${nonce}`;
  return toHex(blake2b(content, { length: 32, person: "zashiki nonce" }));
}

/** The hash that was sent for the first commitment shown. */
export function ownHash(witness: Witness): string {
  return nonceHash(witness.commitments[0] ?? "", witness.seat, witness.nonce);
}
