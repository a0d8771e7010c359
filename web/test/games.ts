/** A game as the server offers it. */

import type * as wire from "$web/shared/wire";

export function game(more: Partial<wire.OfferedGame> = {}): wire.OfferedGame {
  const usual = {
    id: "some-game",
    titles: { en: "Some Game", ja: "あるゲーム" },
    seats: [2, 3, 4, 5],
    options: [],
    levels: ["newcomer", "casual", "regular", "strong", "master"],
    speech: 0,
    minutes: 0,
    difficulty: 0,
  };
  return { ...(usual as unknown as wire.OfferedGame), ...more };
}
