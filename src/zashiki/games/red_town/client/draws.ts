/** The draws of Red Town: the cards of every round, and the starter if no rule names one. */

import type { Recorded, RecordedFact, Redrawn } from "$web/table/model";
import { swap, type Dice } from "$web/verify/dice";

/** RT 1.1: the number of copies of each card, from 3 to 11. */
const COPIES = { R: [1, 2, 2, 3, 3, 4, 4, 5, 5], B: [2, 2, 3, 3, 4, 4, 5, 5, 6] };
const LOWEST = 3;

/** RT 1.2: the 11s are used with five players. */
function deck(seats: number): string[] {
  return Object.entries(COPIES).flatMap(([colour, copies]) =>
    copies
      .slice(0, seats === 5 ? undefined : -1)
      .flatMap((count, place) => new Array<string>(count).fill(`${colour}${LOWEST + place}`)),
  );
}

/** RT 2.1, RT 7.1: packets of equal size, each drawn card by card, and the rest. */
function dealt(seats: number, packets: number, dice: Dice): string[][] {
  const sorted = deck(seats);
  const row = [...sorted];
  const size = seats === 5 ? 12 : 13;
  let left = row.length;
  const made: string[][] = [];
  for (let packet = 0; packet < packets; packet += 1) {
    const end = left - size;
    for (; end > 0 && left > end; left -= 1) swap(row, dice.below(left, "deal"), left - 1);
    made.push(row.slice(end, end + size));
    left = end;
  }
  const order = (card: string) => sorted.indexOf(card);
  return [...made, row.slice(0, left)].map((cards) => cards.sort((a, b) => order(a) - order(b)));
}

/** The packet that a fact shows to a seat, without Hitmen; null if it shows none. */
function packetIn(fact: RecordedFact, next: RecordedFact | undefined, packets: number) {
  const { packet, set, cards } = fact.with;
  switch (fact.fact) {
    case "dealt":
      return Number(fact.to);
    case "set_aside":
      return packets;
    case "set_down":
      return (cards as string[]).length > 0 ? Number(packet) : null;
    case "looked_at":
      return 2 * Number(fact.to) + Number(set) - 1;
    case "took_over":
      return Number(packet);
    case "took_up":
      return Number(next?.with.packet);
    default:
      return null;
  }
}

/** Facts that decide what is drawn. Nobody could notice one more of them that no player is told. */
const PUBLIC = new Set(["round_began", "boss_lost", "red_three_missed", "war_began"]);

const isPlayingCard = (card: string) => !card.endsWith("H");

export function* draws({ seats, options, facts }: Recorded, dice: Dice): Generator<Redrawn> {
  const packets = options.form === "two" ? 4 : seats;
  const lost = new Array<number>(seats).fill(0);
  let drawn: string[][] = [];
  let isMissed = false;
  for (const [place, fact] of facts.entries()) {
    dice.turnTo(fact.act);
    const seat = Number(fact.with.seat);
    if (PUBLIC.has(fact.fact) && fact.to !== "all") continue;
    if (fact.fact === "round_began") {
      if (fact.with.round === 1) dice.turnTo(0); // whatever its line says
      drawn = dealt(seats, packets, dice);
    }
    if (fact.fact === "boss_lost") lost[seat] = (lost[seat] ?? 0) + 1;
    if (fact.fact === "red_three_missed") isMissed = true;
    if (fact.fact === "war_began" && isMissed) {
      isMissed = false;
      const most = options.form === "short" ? 0 : Math.max(...lost); // RT 3.2: the fewest bosses
      const first = [...lost.keys()].filter((one) => lost[one] === most);
      const chosen = first.length > 1 ? dice.below(first.length, "starter") : 0;
      yield [fact, { seat: first[chosen] }];
    }
    const packet = packetIn(fact, facts[place + 1], packets);
    if (packet !== null) {
      const cards = (fact.with.cards as string[]).filter(isPlayingCard);
      yield [
        { ...fact, with: { ...fact.with, cards } },
        { ...fact.with, cards: drawn[packet] },
      ];
    }
  }
}
