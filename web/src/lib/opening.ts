/** Opening a table. */

import { post } from "./api";
import { clientOf } from "./clients";
import { rememberKey } from "./keys";
import { usualLevel } from "./levels";
import { isRecord, isText, recordOf, store, stored } from "./storage";
import type * as wire from "./wire";

const KEY = "zashiki.usual";

/** With how many, how strong the others are, and which form of the game. */
export interface Usual {
  seats: number;
  bot: string;
  form?: string | undefined;
}

function kept(): Record<string, Record<string, unknown>> {
  return stored(KEY, recordOf(isRecord), {});
}

/** What is best for a first time: the whole table where a game needs three, four at most elsewhere. */
function fullTable(game: wire.OfferedGame): number {
  const most = Math.max(...game.seats);
  return Math.min(...game.seats) > 2 ? most : Math.min(4, most);
}

/** How somebody played this game last, or how one plays it first. */
export function usualOf(game: wire.OfferedGame): Usual {
  const last = kept()[game.id] ?? {};
  const seats = game.seats.find((one) => one === last.seats) ?? fullTable(game);
  const bot = game.levels.find((one) => one === last.bot) ?? usualLevel(game);
  return { seats, bot, form: isText(last.form) ? last.form : clientOf(game.id).firstForm };
}

export function rememberUsual(game: string, usual: Usual): void {
  store(KEY, { ...kept(), [game]: usual });
}

/** The forms of a game that fit so many seats; none where there is nothing to choose. */
export function formsOf(game: wire.OfferedGame, seats: number): readonly string[] {
  const option = game.options.find((one) => one.name === "form");
  const forms = (option?.by_seats[String(seats)] ?? []) as readonly string[];
  return forms.length > 1 ? forms : [];
}

/** The form that is usually played, if it fits the seats; undefined where there are none. */
export function formOf(game: wire.OfferedGame, usual: Usual): string | undefined {
  const forms = formsOf(game, usual.seats);
  return forms.find((one) => one === usual.form) ?? forms[0];
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
  const form = formOf(game, usual);
  const options = form === undefined ? {} : { form };
  const wanted = { game: game.id, seats: usual.seats, options, chairs, public: false };
  const { table } = await openTable(wanted);
  await post(`/api/tables/${table.id}/start`);
  return table.id;
}
