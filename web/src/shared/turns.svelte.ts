/** The tables that wait for the player, whichever page is shown. */

import { t } from "./i18n.svelte";
import { me } from "./me.svelte";
import { mine } from "./mine.svelte";
import { router } from "./router.svelte";
import type * as wire from "./wire";

const LOOK_AGAIN = 20_000;
/** The delay until the server knows that a table was left. */
const SOON = 600;

export interface Waiting {
  table: string;
  game: string;
  /** True if it is their turn; false if they are only away. */
  turn: boolean;
  /** When a bot will stand in for them, in milliseconds since the epoch. */
  until: number | null;
  /** True if a bot already plays for them. */
  standIn: boolean;
}

class Turns {
  /** The tables that wait for the player, those with a turn first. */
  readonly all: readonly Waiting[] = $derived(
    playing()
      .map((table) => waiting(table, me.player?.id, mine.turns.has(table.id)))
      .filter((one) => one.turn || one.standIn || one.until !== null)
      .sort((one, other) => Number(other.turn) - Number(one.turn)),
  );
  /** True if it is the player's turn at the table on this page. */
  here = $state(false);

  /** The waiting tables that this page does not show. */
  get elsewhere(): readonly Waiting[] {
    const [page, id] = router.parts;
    return page === "table" ? this.all.filter((one) => one.table !== id) : this.all;
  }

  /**
   * Refresh on every page, and periodically: everything during a match, otherwise only invitations.
   * The returned function stops it.
   */
  follow(): () => void {
    const look = () => {
      if (document.visibilityState === "visible") void mine.look();
    };
    const again = () => {
      if (playing().length > 0) look();
      else if (document.visibilityState === "visible") void mine.lookForInvitations();
    };
    const timer = setInterval(again, LOOK_AGAIN);
    const first = setTimeout(look, SOON);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      clearTimeout(first);
      document.removeEventListener("visibilitychange", look);
    };
  }
}

function playing(): readonly wire.Table[] {
  return mine.tables.filter((table) => table.state === "playing");
}

function waiting(table: wire.Table, player: string | undefined, turn: boolean): Waiting {
  const seat = table.seats.find((one) => one.player?.id === player);
  const until = seat?.until ?? null;
  return {
    table: table.id,
    game: table.game,
    turn,
    until: until === null ? null : until * 1000,
    standIn: seat?.stand_in != null && !seat.resigned,
  };
}

export const turns = new Turns();

/**
 * Start the page's title with the notice that it is the player's turn. The returned function stops
 * it.
 */
export function markTitle(): () => void {
  const mark = `${t("nav.yourTurn")} · `;
  const put = () => {
    if (!document.title.startsWith(mark)) document.title = mark + document.title;
  };
  const observer = new MutationObserver(put);
  observer.observe(document.head, { childList: true, characterData: true, subtree: true });
  put();
  return () => {
    observer.disconnect();
    if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
  };
}
