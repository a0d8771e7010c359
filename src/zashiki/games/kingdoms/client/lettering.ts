/** Names on cards: one line or two, as large as fits. */

/** Approximate widths of letters relative to their height; kana and kanji are square. */
const NARROW = /[ fijlrtI'.,-]/;
const BROAD = /[mwMWGOQDHN]/;

/** The approximate width of a text, relative to the height of its letters. */
export function width(text: string): number {
  let sum = 0;
  for (const letter of text) {
    if (letter > "\u2fff") sum += 1.02;
    else if (NARROW.test(letter)) sum += 0.36;
    else sum += BROAD.test(letter) ? 0.84 : 0.6;
  }
  return sum;
}

/** The largest size up to this one at which a text is not wider than that. */
export function fitted(text: string, most: number, wide: number): number {
  return Math.min(most, Math.floor((wide / Math.max(width(text), 0.1)) * 10) / 10);
}

/** One line; or two of similar length, if one would be too small. */
export function lines(text: string, size: number, wide: number): readonly string[] {
  if (width(text) * size <= wide) return [text];
  const breaks = [...text.matchAll(/ |(?<=[のー・])/g)].map((found) => found.index);
  const middle = text.length / 2;
  const best = breaks.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
  if (best === undefined) return [text];
  return [text.slice(0, best).trim(), text.slice(best).trim()];
}
