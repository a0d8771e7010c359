/** The tables of the games: each folder of a game that has a client is found, without a list. */

import type { GameClient } from "./table";

const found = import.meta.glob<GameClient>("../../../src/zashiki/games/*/client/index.ts", {
  eager: true,
});

const clients = new Map(
  Object.values(found).flatMap((client) => client.games.map((game) => [game, client] as const)),
);

const generic: GameClient = { games: [], table: () => import("../ui/GenericTable.svelte") };

/** The table of a game; one that shows any game, where it has none of its own. */
export function clientOf(game: string): GameClient {
  return clients.get(game) ?? generic;
}

/** Has the game a table of its own? */
export function hasTable(game: string): boolean {
  return clients.has(game);
}
