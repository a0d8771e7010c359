/** The names of things, in the game's words. */

import { t } from "$web/shared/i18n.svelte";
import type { TableModel } from "$web/table/model";
import { colourOf, numberOf, type CardName, type Hitmen } from "./view";

export function nameOf(table: TableModel, card: CardName | null): string {
  if (card === null) return table.say("card-back");
  return table.word(numberOf(card) === null ? colourOf(card) : card);
}

export function listed(table: TableModel, cards: readonly (CardName | null)[]): string {
  return cards.map((card) => nameOf(table, card)).join(t("shell.comma"));
}

/** Hitmen by place and colour, or by number; empty if there are none. */
export function saidHitmen(
  table: TableModel,
  hitmen: Hitmen,
  where: "supply" | "hitmen_held",
): string {
  const what = where === "supply" ? table.word("supply") : table.word("hitmen_held");
  if (typeof hitmen === "number")
    return hitmen > 0 ? table.say("count", { what, count: hitmen }) : "";
  const colours = Array.from(hitmen, (letter) => table.word(letter));
  return colours.length > 0
    ? table.say("listed", { what, list: colours.join(t("shell.comma")) })
    : "";
}
