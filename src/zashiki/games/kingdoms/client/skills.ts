/** The skills in words: a whole sentence, and a line that fits on a card. */

import type { TableModel } from "$web/table/model";
import type { Card } from "./book";

export function explained(table: TableModel, card: Card): string {
  const { amount } = card;
  switch (card.skill) {
    case "liaison":
      return table.say("skill-liaison");
    case "rearguard":
      return table.say("skill-rearguard");
    case "capital-guard":
      return table.say("skill-capital-guard", { amount });
    case "city-guard":
      return table.say("skill-city-guard", { amount });
    case "archer":
      return table.say("skill-archer", { amount });
    case "bird-soldier":
      return table.say("skill-bird-soldier");
    case "priest":
      return table.say("skill-priest", { amount });
    default:
      return card.rank === "monarch" ? table.say("skill-monarch") : table.say("skill-none");
  }
}

export function inShort(table: TableModel, card: Card): string {
  const { amount } = card;
  switch (card.skill) {
    case "liaison":
      return table.say("short-liaison");
    case "rearguard":
      return table.say("short-rearguard");
    case "capital-guard":
      return table.say("short-capital-guard", { amount });
    case "city-guard":
      return table.say("short-city-guard", { amount });
    case "archer":
      return table.say("short-archer", { amount });
    case "bird-soldier":
      return table.say("short-bird-soldier");
    case "priest":
      return table.say("short-priest", { amount });
    default:
      return "";
  }
}
