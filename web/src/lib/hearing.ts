/** Which sounds news make: each game says so itself. */

import { clientOf } from "./clients";
import { sounds } from "./sound";
import type { News } from "./table";

export function hear(game: string, news: readonly News[]): void {
  const heard = clientOf(game).sounds;
  if (!heard || news.length === 0) return;
  sounds(news.flatMap((one) => heard[one.fact] ?? []));
}
