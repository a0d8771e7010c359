/** The meaning of a token on the table, shown after it is pressed. */

import { getContext, setContext } from "svelte";

const KEY = Symbol("explained");

export class Explained {
  text = $state("");

  /** Show the explanation, or hide it. */
  toggle(text: string): void {
    this.text = this.text === text ? "" : text;
  }

  hush(): void {
    this.text = "";
  }
}

export function explains(explained: Explained): void {
  setContext(KEY, explained);
}

export function explained(): Explained {
  return getContext<Explained | undefined>(KEY) ?? new Explained();
}
