/** The list of public tables, kept up to date. */

import { get } from "$web/shared/api";
import { t } from "$web/shared/i18n.svelte";
import { nameOf } from "$web/shared/levels";
import { mine } from "$web/shared/mine.svelte";
import type * as wire from "$web/shared/wire";

const SLOWEST_RETRY = 15_000;
const LOOK_AGAIN = 20_000;
/** Tables per page. */
const PAGE = 50;

/** The state of a match in words: paused, or the players whom it waits for. */
export function waitingAt(table: wire.Table): string {
  if (table.paused) return t("lobby.goesOn");
  const names = table.to_act.flatMap((seat) => namesOf(table.seats.slice(seat, seat + 1)));
  if (names.length === 0) return t("lobby.playing");
  return t("lobby.waitsFor", { names: names.join(t("shell.comma")) });
}

/** The names of the players on these seats. */
export function namesOf(seats: readonly wire.Seat[]): string[] {
  return seats.flatMap((seat) => (seat.player ? [nameOf(seat.player)] : []));
}

export class Lobby {
  tables: readonly wire.Table[] = $state.raw([]);
  state: "connecting" | "open" | "lost" = $state("connecting");
  /** True if there are tables beyond those that are shown. */
  hasMore: boolean = $state(false);
  #socket: WebSocket | null = null;
  #retries = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Subscribe to the list; the returned function unsubscribes. */
  follow(): () => void {
    const again = () => {
      if (document.visibilityState === "visible") void mine.look();
    };
    const timer = setInterval(again, LOOK_AGAIN);
    document.addEventListener("visibilitychange", again);
    this.#connect();
    return () => {
      this.#closed = true;
      clearInterval(timer);
      clearTimeout(this.#timer);
      document.removeEventListener("visibilitychange", again);
      this.#socket?.close();
    };
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/lobby/socket`);
    this.#socket = socket;
    socket.onopen = () => void this.#listed();
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data) as wire.News);
    socket.onclose = () => {
      if (this.#closed) return;
      this.state = "lost";
      const wait = Math.min(SLOWEST_RETRY, 500 * 2 ** this.#retries) * (0.75 + Math.random() / 2);
      this.#retries += 1;
      this.#timer = setTimeout(() => this.#connect(), wait);
    };
  }

  /** Fetch the next page. A table that changed meanwhile is on two pages; it is shown once. */
  async showMore(): Promise<void> {
    try {
      const page = await this.#page(this.tables.length);
      const known = new Set(this.tables.map((one) => one.id));
      this.tables = [...this.tables, ...page.filter((one) => !known.has(one.id))];
    } catch {
      // the button stays for another try
    }
  }

  async #page(skip: number): Promise<wire.Table[]> {
    const page = await get<wire.Table[]>(`/api/tables?skip=${skip}&limit=${PAGE}`);
    this.hasMore = page.length === PAGE;
    return page;
  }

  /** Fetch the first page after subscribing to changes, so that no change is missed. */
  async #listed(): Promise<void> {
    try {
      this.tables = await this.#page(0);
      this.state = "open";
      this.#retries = 0;
    } catch {
      this.#socket?.close();
    }
  }

  #hear(news: wire.News): void {
    if (news.is === "bye" && !news.again) {
      this.#closed = true;
      this.state = "lost";
    }
    if (news.is !== "changed") return;
    const table = news.table;
    const others = this.tables.filter((one) => one.id !== table.id);
    const isGone = table.state === "closed" || table.state === "over";
    this.tables = isGone ? others : [table, ...others];
    if (mine.tables.some((one) => one.id === table.id)) void mine.look();
  }
}
