/** The state of the side panel: the open tab, and how much of the chat was read. */

import { tick } from "svelte";
import { MediaQuery } from "svelte/reactivity";

import { post } from "$web/shared/api";
import type * as wire from "$web/shared/wire";
import type { TableStore } from "./store.svelte";

export type Tab = "log" | "chat" | "rules";

export class Panel {
  tab: Tab = $state("log");
  /** True if the drawer is open: without room beside the table, the panel is a drawer. */
  open = $state(false);
  /** The button that opens the drawer, which gets the focus when it closes. */
  opener: HTMLElement | undefined = $state.raw();
  /** The rule that was requested last. */
  rule: { readonly id: string } = $state.raw({ id: "" });
  /** The players whose chat is muted. */
  muted: ReadonlySet<string> = $state.raw(new Set());
  #read = $state(0);
  readonly #first: number;
  readonly #wide = new MediaQuery("min-width: 75rem");

  constructor(readonly table: TableStore) {
    this.#first = table.chat.at(-1)?.n ?? 0;
    this.#read = this.#first;
  }

  get isShown(): boolean {
    return this.open || this.#wide.current;
  }

  /** The unread lines by others. */
  get unread(): readonly wire.Chatted[] {
    const { chat, me } = this.table;
    return chat.filter(
      (line) => line.n > this.#read && line.player !== me && !this.muted.has(line.player),
    );
  }

  /** The newest line by another player. */
  get latest(): wire.Chatted | undefined {
    const line = this.table.chat.at(-1);
    if (!line || line.n <= this.#first || line.player === this.table.me) return undefined;
    return this.muted.has(line.player) ? undefined : line;
  }

  /** The seat where a player sits now; null for everyone else. */
  seatOf(player: string): number | null {
    const seat = this.table.info?.seats.findIndex((one) => one.player?.id === player) ?? -1;
    return seat < 0 ? null : seat;
  }

  async toggle(): Promise<void> {
    this.open = !this.open;
    if (!this.open) return;
    await tick();
    document.getElementById(`tab-${this.tab}`)?.focus();
  }

  shut(): void {
    this.open = false;
    this.opener?.focus();
  }

  /** Mark the chat as read. */
  markRead(): void {
    this.#read = Math.max(this.#read, this.table.chat.at(-1)?.n ?? 0);
  }

  /** Show a rule of this game, by its id. */
  showRule(id: string): void {
    this.rule = { id };
    this.tab = "rules";
    this.open = true;
  }

  /** Mute or unmute a player, at every table from now on. */
  async mute(player: string, muted: boolean): Promise<void> {
    const others = [...this.muted].filter((one) => one !== player);
    const before = this.muted;
    this.muted = new Set(muted ? [...others, player] : others);
    try {
      await post("/api/mute", { player, muted });
    } catch (fault) {
      this.muted = before;
      throw fault;
    }
  }
}
