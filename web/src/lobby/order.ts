/** The selection and order of the public tables in a lobby. */

import type * as wire from "$web/shared/wire";

/** True if someone is present. A table with days per decision needs nobody present. */
function isAlive(table: wire.Table): boolean {
  const isHere = table.seats.some((seat) => seat.here && seat.player?.kind !== "bot");
  return isHere || table.pace.kind === "days";
}

/** True if a visitor without a link can sit down, and the match can begin. */
export function isJoinable(table: wire.Table): boolean {
  const isFree = table.seats.some((seat) => seat.kind === "open");
  return table.state === "open" && isFree && isAlive(table);
}

/** True if the match may be watched and is not paused. */
function isWatchable(table: wire.Table): boolean {
  return table.state !== "open" && table.watch !== "off" && !table.paused;
}

/** Tables to join, then tables to watch; without the player's own and abandoned ones. */
export function offeredTables(
  tables: readonly wire.Table[],
  own: readonly wire.Table[],
): readonly wire.Table[] {
  const others = tables.filter((table) => !own.some((one) => one.id === table.id));
  return [...others.filter(isJoinable), ...others.filter(isWatchable)];
}
