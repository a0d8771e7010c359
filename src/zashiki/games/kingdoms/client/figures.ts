/** The drawing of each card: a silhouette for a normal card, a bust for any other. */

import type { Card } from "./book";

/** They differ by their outline alone. */
export type Silhouette =
  | "soldier"
  | "lancer"
  | "shieldman"
  | "liaison"
  | "rearguard"
  | "capital-guard"
  | "city-guard"
  | "archer"
  | "priest";

export interface Bust {
  /** The head: horned helmet, mitre, beak, or crown. */
  bust: "helmet" | "mitre" | "tengu" | "prince" | "princess";
  /** The object that it carries. */
  item: Item;
}

export type Item =
  | "katana"
  | "shield"
  | "both"
  | "letter"
  | "smoke"
  | "keep"
  | "roofs"
  | "bow"
  | "beads"
  | "horse"
  | "wings"
  | "none";

/** A monarch for its drawing, if there is no card set. */
export function monarch(side: "red" | "blue"): Drawn {
  return { name: "", rank: "monarch", side, skill: null, attack: null, defence: null };
}

/** The fields of a card that determine its drawing. */
export type Drawn = Pick<Card, "name" | "rank" | "side" | "skill" | "attack" | "defence">;

const BY_SKILL: Record<string, { silhouette: Silhouette; item: Item }> = {
  liaison: { silhouette: "liaison", item: "letter" },
  rearguard: { silhouette: "rearguard", item: "smoke" },
  "capital-guard": { silhouette: "capital-guard", item: "keep" },
  "city-guard": { silhouette: "city-guard", item: "roofs" },
  archer: { silhouette: "archer", item: "bow" },
  priest: { silhouette: "priest", item: "beads" },
};

export function drawn(card: Drawn): Silhouette | Bust {
  if (card.side) return { bust: card.side === "red" ? "prince" : "princess", item: "none" };
  if (card.skill === "bird-soldier") return { bust: "tengu", item: "wings" };
  const skilled = card.skill ? BY_SKILL[card.skill] : undefined;
  if (card.rank !== "ace") return skilled?.silhouette ?? bySide(card, SILHOUETTES);
  if (card.skill === "priest") return { bust: "mitre", item: "beads" };
  if (card.name === "cavalry" && !card.skill) return { bust: "helmet", item: "horse" };
  return { bust: "helmet", item: skilled?.item ?? bySide(card, ITEMS) };
}

const SILHOUETTES: readonly Silhouette[] = ["shieldman", "soldier", "lancer"];
const ITEMS: readonly Item[] = ["shield", "both", "katana"];

/** The first for better defenders, the last for better attackers. */
function bySide<Kind>(card: Drawn, kinds: readonly Kind[]): Kind {
  return kinds[1 + Math.sign((card.attack ?? 0) - (card.defence ?? 0))] as Kind;
}
