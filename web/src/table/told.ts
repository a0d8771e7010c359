/** The news of a match, with the public and the private part merged. */

import type * as wire from "$web/shared/wire";
import type { News, View } from "./model";

export interface Told {
  /** The number of the first fact. */
  first: number;
  facts: readonly News[];
  toAct: readonly number[];
  decision: number | null;
  legal: readonly string[];
  /** Legal actions in words. */
  labels: Readonly<Record<string, string>>;
  asked: string;
  over: boolean;
  outcome: wire.Outcome | null;
  view: View | undefined;
  stoodIn: number;
}

export function whole({ first, public: all, own }: wire.Told): Told {
  const at = own?.at ?? [];
  const facts = inOrder(all.facts, own?.facts ?? [], at);
  const said = inOrder(all.words?.said ?? [], own?.words?.said ?? [], at);
  const legal = own?.legal ?? [];
  const labels = own?.words?.labels ?? [];
  return {
    first,
    facts: facts.map(([to, fact, given], place) => ({
      n: first + place,
      own: to !== "all",
      fact,
      with: given,
      text: said[place] ?? "",
    })),
    toAct: all.to_act,
    decision: own?.decision ?? null,
    legal,
    labels: Object.fromEntries(legal.map((action, place) => [action, labels[place] ?? action])),
    asked: all.words?.asked ?? "",
    over: all.over,
    outcome: all.outcome,
    // Private fields come first in a table that lists them all.
    view: all.view && { ...own?.view, ...all.view, ...own?.view },
    stoodIn: own?.stood_in ?? 0,
  };
}

/** The public items, with the private ones inserted at their places. */
function inOrder<T>(all: readonly T[], own: readonly T[], at: readonly number[]): T[] {
  const items = [...all];
  own.forEach((item, place) => items.splice(at[place] ?? items.length, 0, item));
  return items;
}
