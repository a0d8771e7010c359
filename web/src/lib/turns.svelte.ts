/** Which tables wait for whoever looks at these pages, wherever they are on them. */

import { t } from "./i18n.svelte";
import { me } from "./me.svelte";
import { mine } from "./mine.svelte";
import { router } from "./router.svelte";
import type * as wire from "./wire";

const LOOK_AGAIN = 20_000;
/** Until a table that was left knows it. */
const SOON = 600;

export interface Waiting {
  table: string;
  game: string;
  /** Is it their turn? Otherwise they are only away. */
  turn: boolean;
  /** When a bot will play for them, in milliseconds since the epoch. */
  until: number | null;
  /** Does one already? */
  standIn: boolean;
}

class Turns {
  /** Where somebody is waited for, the turns first. */
  readonly all: readonly Waiting[] = $derived(
    playing()
      .map((table) => waiting(table, me.player?.id, mine.turns.has(table.id)))
      .filter((one) => one.turn || one.standIn || one.until !== null)
      .sort((one, other) => Number(other.turn) - Number(one.turn)),
  );
  /** Is it their turn at the table that they look at? */
  here = $state(false);

  /** Where somebody is waited for and does not look. */
  get elsewhere(): readonly Waiting[] {
    const [page, id] = router.parts;
    return page === "table" ? this.all.filter((one) => one.table !== id) : this.all;
  }

  /** Look with every page, and now and then while somebody plays; until the answer is called. */
  follow(): () => void {
    const look = () => {
      if (document.visibilityState === "visible") void mine.look();
    };
    const timer = setInterval(() => playing().length > 0 && look(), LOOK_AGAIN);
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

/** The title of a page says first that somebody is waited for; until the answer is called. */
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
