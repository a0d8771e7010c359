/** What stands beside a table: which part of it is shown, and what of the chat was read. */

import { tick } from "svelte";
import { MediaQuery } from "svelte/reactivity";

import { post } from "./api";
import type { TableLink } from "./link.svelte";
import type * as wire from "./wire";

export type Tab = "log" | "chat" | "rules";

export class Panel {
  tab: Tab = $state("log");
  /** Where there is no room beside the table, it is a drawer. */
  open = $state(false);
  /** What opens the drawer, and has the focus when it is shut. */
  opener: HTMLElement | undefined = $state.raw();
  /** The rule that was asked for last. */
  rule: { readonly id: string } = $state.raw({ id: "" });
  /** Whose chat is not wanted any more. */
  muted: ReadonlySet<string> = $state.raw(new Set());
  #read = $state(0);
  readonly #first: number;
  readonly #wide = new MediaQuery("min-width: 60rem");

  constructor(readonly table: TableLink) {
    this.#first = table.chat.at(-1)?.n ?? 0;
    this.#read = this.#first;
  }

  get isShown(): boolean {
    return this.open || this.#wide.current;
  }

  /** What others have said since the chat was looked at. */
  get unread(): readonly wire.Chatted[] {
    const { chat, me } = this.table;
    return chat.filter(
      (line) => line.n > this.#read && line.player !== me && !this.muted.has(line.player),
    );
  }

  /** What somebody else has just said. */
  get latest(): wire.Chatted | undefined {
    const line = this.table.chat.at(-1);
    if (!line || line.n <= this.#first || line.player === this.table.me) return undefined;
    return this.muted.has(line.player) ? undefined : line;
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

  /** All that was said has been seen. */
  markRead(): void {
    this.#read = Math.max(this.#read, this.table.chat.at(-1)?.n ?? 0);
  }

  /** Show a rule of this game, by its id. */
  showRule(id: string): void {
    this.rule = { id };
    this.tab = "rules";
    this.open = true;
  }

  /** Hear somebody no more, or again: at every table from now on. */
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
