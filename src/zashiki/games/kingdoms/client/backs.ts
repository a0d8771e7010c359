/** Numbers of cards in words. */

import { t } from "$web/shared/i18n.svelte";
import type { TableModel } from "$web/table/model";
import { CLASSES, type Class } from "./view";

/** Cards by their backs, such as "2 normal cards, 1 ace"; "no cards" for none. */
export function counted(table: TableModel, numbers: Readonly<Record<Class, number>>): string {
  const parts = CLASSES.filter((rank) => numbers[rank] > 0).map((rank) =>
    table.say(`backs-${rank}-${numbers[rank] === 1 ? "one" : "more"}`, { count: numbers[rank] }),
  );
  return parts.join(t("shell.comma")) || table.say("backs-none");
}
