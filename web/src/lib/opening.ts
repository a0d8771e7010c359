/** Opening a table. */

import { post } from "./api";
import { rememberKey } from "./keys";
import type * as wire from "./wire";

const KEY = "zashiki.usual";

/** With how many, and how strong the others are. */
export interface Usual {
  seats: number;
  bot: string;
}

type Stored = Record<string, Partial<Usual>>;

function stored(): Stored {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** What is best for a first time: the whole table where a game needs three, four at most elsewhere. */
function fullTable(game: wire.OfferedGame): number {
  const most = Math.max(...game.seats);
  return Math.min(...game.seats) > 2 ? most : Math.min(4, most);
}

/** How somebody played this game last, or how one plays it first. */
export function usualOf(game: wire.OfferedGame): Usual {
  const last = stored()[game.id] ?? {};
  const seats = game.seats.find((one) => one === last.seats) ?? fullTable(game);
  const bot = game.bots.find((one) => one === last.bot) ?? game.bots.at(-1) ?? "random";
  return { seats, bot };
}

export function rememberUsual(game: string, usual: Usual): void {
  localStorage.setItem(KEY, JSON.stringify({ ...stored(), [game]: usual }));
}

/** Open a table; the address to go to. */
export async function openTable(wanted: wire.NewTable): Promise<wire.OpenedTable> {
  const made = await post<wire.OpenedTable>("/api/tables", wanted);
  rememberKey(made.table.id, made.key);
  return made;
}

/** A match against bots, dealt at once; the id of its table. */
export async function playBots(game: wire.OfferedGame, usual: Usual): Promise<string> {
  const chairs = Array.from({ length: usual.seats }, (_, seat): wire.Chair =>
    seat === 0 ? { kind: "open" } : { kind: "bot", bot: usual.bot },
  );
  const wanted = { game: game.id, seats: usual.seats, chairs, public: false };
  const { table } = await openTable(wanted);
  await post(`/api/tables/${table.id}/start`);
  return table.id;
}
