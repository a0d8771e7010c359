/** Which tables wait for whoever looks at these pages, wherever they are on them. */

import { get } from "./api";
import { t } from "./i18n.svelte";
import { me } from "./me.svelte";
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
  all: readonly Waiting[] = $state.raw([]);
  /** Is it their turn at the table that they look at? */
  here = $state(false);
  #plays = false;

  /** Where somebody is waited for and does not look. */
  get elsewhere(): readonly Waiting[] {
    const [page, id] = router.parts;
    return page === "table" ? this.all.filter((one) => one.table !== id) : this.all;
  }

  /** Look with every page, and now and then while somebody plays; until the answer is called. */
  follow(): () => void {
    const look = () => {
      if (document.visibilityState === "visible") void this.#look();
    };
    const timer = setInterval(() => this.#plays && look(), LOOK_AGAIN);
    const first = setTimeout(look, SOON);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      clearTimeout(first);
      document.removeEventListener("visibilitychange", look);
    };
  }

  async #look(): Promise<void> {
    const id = me.player?.id;
    if (id === undefined) return;
    try {
      const tables = await get<wire.Table[]>("/api/my-tables");
      const played = tables.filter((table) => table.state === "playing");
      this.#plays = played.length > 0;
      const turns = this.#plays ? await get<string[]>("/api/my-turns") : [];
      this.all = played
        .map((table) => waiting(table, id, turns.includes(table.id)))
        .filter((one) => one.turn || one.standIn || one.until !== null)
        .sort((one, other) => Number(other.turn) - Number(one.turn));
    } catch {
      // the next look will tell
    }
  }
}

function waiting(table: wire.Table, player: string, turn: boolean): Waiting {
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
