/**
 * BLAKE2b (RFC 7693), which browsers do not offer. Unlike Web Crypto, it works on insecure pages
 * too.
 */

const BLOCK = 128;
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
/** The order of the words of a block in each round: twelve rounds, the last two like the first. */
const ORDERS = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
  "0123456789abcdef",
  "ea489fd61c02b753",
].map((order) => Array.from(order, (digit) => Number.parseInt(digit, 16)));
/** The four words that each mixing takes: columns, then diagonals. */
const MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const encoder = new TextEncoder();

interface How {
  /** The length of the hash, in bytes. */
  length: number;
  key?: Uint8Array;
  /** Personalisation: up to sixteen bytes that separate one use of the hash from all others. */
  person?: string;
}

/** The hash of bytes, or of a text in UTF-8. */
export function blake2b(content: Uint8Array | string, how: How): Uint8Array {
  const { length, key = new Uint8Array(), person = "" } = how;
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const settings = new DataView(new ArrayBuffer(64));
  settings.setUint32(0, length | (key.length << 8) | (1 << 16) | (1 << 24), true);
  encoder.encode(person).forEach((byte, place) => settings.setUint8(48 + place, byte));
  const state = BigUint64Array.from(IV, (word, place) =>
    BigInt.asUintN(64, word ^ settings.getBigUint64(8 * place, true)),
  );
  const start = key.length > 0 ? BLOCK : 0;
  const size = start + bytes.length;
  const padded = new Uint8Array(Math.max(BLOCK, Math.ceil(size / BLOCK) * BLOCK));
  padded.set(key);
  padded.set(bytes, start);
  for (let at = 0; at < padded.length; at += BLOCK) {
    const isLast = at + BLOCK >= padded.length;
    compress(state, new DataView(padded.buffer, at, BLOCK), isLast ? size : at + BLOCK, isLast);
  }
  const hash = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => hash.setBigUint64(8 * place, word, true));
  return new Uint8Array(hash.buffer, 0, length);
}

function compress(state: BigUint64Array, block: DataView, done: number, isLast: boolean): void {
  const words = Array.from({ length: 16 }, (_, place) => block.getBigUint64(8 * place, true));
  const all = BigUint64Array.from([...state, ...IV]);
  const word = (place: number) => all[place] ?? 0n;
  all[12] = word(12) ^ BigInt(done);
  if (isLast) all[14] = ~word(14); // a BigUint64Array truncates to 64 bits
  const turn = (a: number, b: number, by: bigint) => {
    const mixed = word(a) ^ word(b);
    all[a] = (mixed >> by) | (mixed << (64n - by));
  };
  for (const order of ORDERS) {
    MIXED.forEach(([a, b, c, d], place) => {
      all[a] = word(a) + word(b) + (words[order[2 * place] ?? 0] ?? 0n);
      turn(d, a, 32n);
      all[c] = word(c) + word(d);
      turn(b, c, 24n);
      all[a] = word(a) + word(b) + (words[order[2 * place + 1] ?? 0] ?? 0n);
      turn(d, a, 16n);
      all[c] = word(c) + word(d);
      turn(b, c, 63n);
    });
  }
  state.forEach((before, place) => (state[place] = before ^ word(place) ^ word(place + 8)));
}
