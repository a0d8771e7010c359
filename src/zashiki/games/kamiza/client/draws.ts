/** What chance decides in KAMIZA: who starts. */

import type { Dice } from "$lib/dice";
import type { Recorded, Redrawn } from "$lib/table";

export function* draws({ seats, facts }: Recorded, dice: Dice): Generator<Redrawn> {
  for (const fact of facts) {
    if (fact.fact === "starter_drawn") yield [fact, { seat: dice.below(seats, "starter") }];
  }
}
