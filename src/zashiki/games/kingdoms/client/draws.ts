/** The draws of Kingdoms: the order of the piles, and so every card that is drawn. */

import type { Recorded, Redrawn } from "$web/table/model";
import type { Dice } from "$web/verify/dice";

interface Entry {
  name: string;
  class?: string;
  copies: number;
}

/** RB 1.5: how many cards each side is dealt. */
const HAND = 5;

/** Facts that decide what is drawn. Nobody could notice one more of them that no player is told. */
const PUBLIC = new Set(["pile_made", "drew", "discarded"]);

export function* draws({ options, facts }: Recorded, dice: Dice): Generator<Redrawn> {
  const { cards } = options.card_set as { cards: Entry[] };
  const classOf = new Map(cards.map((entry) => [entry.name, entry.class ?? "normal"]));
  const all = cards.flatMap((entry) => new Array<string>(entry.copies).fill(entry.name)).sort();
  /** The cards of the next pile, and the rest of the current one. */
  const discards: Record<string, string[]> = { normal: [], ace: [] };
  const piles: Record<string, string[]> = { normal: [], ace: [] };
  for (const card of all) discards[classOf.get(card) ?? "normal"]?.push(card);
  const top = (pile: string, count: number) => (piles[pile] ?? []).splice(0, count).sort();
  /** The piles to be shuffled next, and the seats to be dealt to, in their order. */
  const due = ["normal", "ace"];
  const seats = [0, 1];
  let drawn: string[] = [];
  for (const fact of facts) {
    dice.turnTo(seats.length > 0 ? 0 : fact.act); // the set-up, whatever its lines say
    const details = fact.with;
    const which = String(details.class);
    if (PUBLIC.has(fact.fact) && fact.to !== "all") continue;
    if (fact.fact === "pile_made") {
      due.push(which);
    } else if (fact.fact === "shuffled") {
      const next = due.shift() ?? "";
      const pile = discards[next] ?? [];
      discards[next] = [];
      dice.shuffle(pile, "pile");
      piles[next] = [...pile];
      yield [fact, { class: next, cards: pile }];
    } else if (fact.fact === "dealt") {
      const isNext = fact.to === seats.shift();
      yield [fact, { cards: isNext ? top("normal", HAND) : [] }];
    } else if (fact.fact === "drew") {
      drawn = top(which, Number(details.count));
    } else if (fact.fact === "took") {
      yield [fact, { cards: drawn }];
    } else if (fact.fact === "discarded") {
      for (const card of details.cards as string[]) {
        discards[classOf.get(card) ?? "normal"]?.push(card);
      }
    }
  }
}
