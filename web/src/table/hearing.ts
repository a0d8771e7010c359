/** The sounds of news; each game defines its own. */

import { clientOf } from "$web/shared/clients";
import { sounds } from "$web/shared/sound";
import type { News } from "./model";

export function hear(game: string, news: readonly News[]): void {
  const heard = clientOf(game).sounds;
  if (!heard || news.length === 0) return;
  sounds(news.flatMap((one) => heard[one.fact] ?? []));
}
