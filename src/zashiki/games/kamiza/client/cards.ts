/** The cards of both editions. */

export type Card = "boss" | "underboss" | "hitman" | "police" | "raid";
export type Area = "top" | "bottom";

export const areas: readonly Area[] = ["top", "bottom"];

interface Print {
  /** The number in the seal. */
  value: number | null;
  /** The areas that accept it, as the icons on the card show. */
  takenAt: readonly Area[];
}

export const printed: Readonly<Record<Card, Print>> = {
  boss: { value: 5, takenAt: ["top"] },
  underboss: { value: 2, takenAt: ["top", "bottom"] },
  hitman: { value: 1, takenAt: ["top", "bottom"] },
  police: { value: null, takenAt: ["top"] },
  raid: { value: 0, takenAt: ["top", "bottom"] },
};

/** The four cards of a family. */
export function family(game: string): readonly Card[] {
  return ["boss", "underboss", "hitman", game === "kamiza-2014" ? "raid" : "police"];
}

/** The cushions of an area. */
export function cushions(game: string, area: Area): readonly ("grand" | "plain")[] {
  if (area === "bottom") return ["plain", "plain"];
  return game === "kamiza-2014" ? ["grand"] : ["grand", "plain"];
}

/**
 * The places of an area's cards, in card widths from its middle: first on its cushions, then beside
 * them. No card moves when the next one is placed.
 */
export function spots(seats: number): readonly number[] {
  return seats === 1 ? [0, -0.85, 0.85, 1.7] : [-0.5, 0.5, -1.5, 1.5];
}

/** A card and its area, from notation. */
export function read(notation: string): { card: Card; area: Area } {
  const [card, area] = notation.split("@");
  return { card: card as Card, area: area as Area };
}
