/** What things are called, in the words of the game. */

import { t } from "$lib/i18n.svelte";
import type { TableModel } from "$lib/table";
import { colourOf, numberOf, type CardName } from "./view";

export function nameOf(table: TableModel, card: CardName | null): string {
  if (card === null) return table.say("card-back");
  const number = numberOf(card);
  if (number === null) return table.word(colourOf(card));
  return colourOf(card) === "R"
    ? table.say("card-red", { number })
    : table.say("card-black", { number });
}

export function listed(table: TableModel, cards: readonly (CardName | null)[]): string {
  return cards.map((card) => nameOf(table, card)).join(t("shell.comma"));
}
