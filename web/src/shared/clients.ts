/** The tables of the games: every game folder with a client is found, without a list. */

import type { GameClient } from "$web/table/model";

const found = import.meta.glob<GameClient>("../../../src/zashiki/games/*/client/index.ts", {
  eager: true,
});

const clients = new Map(
  Object.values(found).flatMap((client) => client.games.map((game) => [game, client] as const)),
);

/** The pictures beside the rules of each game, by their path. */
const pictures = import.meta.glob<string>("../../../src/zashiki/games/*/*.svg", {
  eager: true,
  import: "default",
  query: "?url",
});

const folders = new Map(
  Object.entries(found).flatMap(([path, client]) =>
    client.games.map((game) => [game, path.slice(0, -"client/index.ts".length)] as const),
  ),
);

const generic: GameClient = { games: [], table: () => import("$web/table/GenericTable.svelte") };

/** The table of a game; the generic one if the game has none. */
export function clientOf(game: string): GameClient {
  return clients.get(game) ?? generic;
}

/** The address of a picture that the rules of a game name; undefined if it does not exist. */
export function pictureOf(game: string, name: string): string | undefined {
  return pictures[`${folders.get(game) ?? ""}${name}`];
}

/** True if the game has its own table. */
export function hasTable(game: string): boolean {
  return clients.has(game);
}
