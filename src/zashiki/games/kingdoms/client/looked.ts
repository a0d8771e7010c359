/** The thing that the viewer looks at: a card, an area, or a token. */

export type Looked =
  | { card: string }
  | { area: string; card: string | null }
  | { token: "funds" | "backs"; seat: number };
