/** How a match ended, for the viewer. */

import { settings } from "$web/shared/settings.svelte";
import type { TableModel } from "$web/table/model";
import { Book } from "./book";

const SIDES = ["red", "blue"];

export function verdict(table: TableModel): string {
  const ended = table.past.findLast((one) => one.fact === "ended");
  if (!ended) return "";
  const reason = String(ended.with["reason"]);
  const winner = SIDES.indexOf(String(ended.with["winner"]));
  const details = {
    area: lastArea(table),
    side: winner < 0 ? "" : table.word(SIDES[winner] ?? ""),
  };
  if (winner < 0) return table.say(`drawn-${reason}`, details);
  if (table.seat === null) return table.say(`ended-${reason}`, details);
  return table.seat === winner
    ? table.say(`won-${reason}`, details)
    : table.say(`lost-${reason}`, details);
}

/** The area of the last battle. */
function lastArea(table: TableModel): string {
  const battle = table.past.findLast((one) => one.fact === "revealed");
  const book = new Book(table.options["card_set"], settings.language, (key) => table.word(key));
  return battle ? book.place(String(battle.with["area"])).label : "";
}
