/** Opening a table. */

import { post } from "$web/shared/api";
import { clientOf } from "$web/shared/clients";
import { rememberKey } from "$web/shared/keys";
import { usualLevel } from "$web/shared/levels";
import { isRecord, isText, recordOf, store, stored } from "$web/shared/storage";
import type * as wire from "$web/shared/wire";

const KEY = "zashiki.usual";
const LAST_KEY = "zashiki.last-game";

/** The number of seats, the level of the bots, and the form of the game. */
export interface Usual {
  seats: number;
  bot: string;
  form?: string | undefined;
  /**
   * The seat that the player wants in a game with sides; null for no preference. Undefined before
   * the player was asked. Without a preference the seat is drawn.
   */
  seat?: number | null | undefined;
}

function kept(): Record<string, Record<string, unknown>> {
  return stored(KEY, recordOf(isRecord), {});
}

/** A good first match: the full table if the game needs three players, otherwise four at most. */
function fullTable(game: wire.OfferedGame): number {
  const most = Math.max(...game.seats);
  return Math.min(...game.seats) > 2 ? most : Math.min(4, most);
}

/** The choices of the player's last match of this game, or those for a first match. */
export function usualOf(game: wire.OfferedGame): Usual {
  const last = kept()[game.id] ?? {};
  const seats = game.seats.find((one) => one === last.seats) ?? fullTable(game);
  const bot = game.levels.find((one) => one === last.bot) ?? usualLevel(game);
  const { firstForm, sides } = clientOf(game.id);
  const wanted = [null, ...(sides?.keys() ?? [])].find((side) => side === last.seat);
  const seat = sides ? wanted : undefined;
  return { seats, bot, form: isText(last.form) ? last.form : firstForm, seat };
}

export function rememberUsual(game: string, usual: Usual): void {
  store(KEY, { ...kept(), [game]: usual });
}

/** True if the player still has to choose a side. */
export function asksSide(game: string, usual: Usual): boolean {
  return clientOf(game).sides !== undefined && usual.seat === undefined;
}

/** The game that the player last played against bots, if any. */
export function lastPlayed(): string {
  return stored(LAST_KEY, isText, "");
}

export function rememberPlayed(game: string): void {
  store(LAST_KEY, game);
}

/** The forms of a game for this number of seats; empty if there is nothing to choose. */
export function formsOf(game: wire.OfferedGame, seats: number): readonly string[] {
  const option = game.options.find((one) => one.name === "form");
  const forms = (option?.by_seats[String(seats)] ?? []) as readonly string[];
  return forms.length > 1 ? forms : [];
}

/** The usual form if it fits the seats, otherwise the first; undefined without a choice. */
export function formOf(game: wire.OfferedGame, usual: Usual): string | undefined {
  const forms = formsOf(game, usual.seats);
  return forms.find((one) => one === usual.form) ?? forms[0];
}

/** Open a table, and remember its key. */
export async function openTable(wanted: wire.NewTable): Promise<wire.OpenedTable> {
  const made = await post<wire.OpenedTable>("/api/tables", wanted);
  rememberKey(made.table.id, made.key);
  return made;
}

/** Start a match against bots, dealt at once; return the id of its table. */
export async function playBots(game: wire.OfferedGame, usual: Usual): Promise<string> {
  const own = usual.seat ?? Math.floor(Math.random() * usual.seats);
  const chairs = Array.from({ length: usual.seats }, (_, seat): wire.Chair =>
    seat === own ? { kind: "open" } : { kind: "bot", bot: usual.bot },
  );
  const form = formOf(game, usual);
  const options = form === undefined ? {} : { form };
  const wanted = { game: game.id, seats: usual.seats, options, chairs, public: false };
  const { table } = await openTable(wanted);
  await post(`/api/tables/${table.id}/start`);
  return table.id;
}
