/** Which drawing a card has: its own where we know it, otherwise one by its class and its skill. */

import type { Card } from "./book";

export interface Drawn {
  /** Whose bust: straw hat, horned helmet, bare head, mitre, beak, or a crowned one. */
  bust: "hat" | "helmet" | "monk" | "mitre" | "tengu" | "prince" | "princess";
  /** What is carried. */
  item: Item;
}

export type Item =
  | "katana"
  | "spear"
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

const OWN: Record<string, Drawn> = {
  soldier: { bust: "hat", item: "katana" },
  lancer: { bust: "hat", item: "spear" },
  knight: { bust: "helmet", item: "both" },
  cavalry: { bust: "helmet", item: "horse" },
};

const BY_SKILL: Record<string, Item> = {
  liaison: "letter",
  rearguard: "smoke",
  "capital-guard": "keep",
  "city-guard": "roofs",
  archer: "bow",
  "bird-soldier": "wings",
  priest: "beads",
};

export function drawn(card: Card): Drawn {
  if (card.side) return { bust: card.side === "red" ? "prince" : "princess", item: "none" };
  const own = OWN[card.name];
  if (own && !card.skill) return own;
  const isAce = card.rank === "ace";
  if (card.skill === "priest") return { bust: isAce ? "mitre" : "monk", item: "beads" };
  if (card.skill === "bird-soldier") return { bust: "tengu", item: "wings" };
  const item = (card.skill && BY_SKILL[card.skill]) || byNumbers(card);
  return { bust: isAce ? "helmet" : "hat", item };
}

function byNumbers(card: Card): Item {
  const lead = (card.attack ?? 0) - (card.defence ?? 0);
  if (lead === 0) return "both";
  return lead > 0 ? "katana" : "shield";
}
