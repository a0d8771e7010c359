/** The log of a game, loaded with its table. */

import { clientOf } from "$web/shared/clients";
import type { GameLog } from "../model";
import { plainLog } from "./log";

/** The game's own log; the server's sentences if it has none or it cannot be loaded. */
export async function logOf(game: string): Promise<GameLog> {
  return (
    (await clientOf(game)
      .log?.()
      .catch(() => null)) ?? plainLog
  );
}
