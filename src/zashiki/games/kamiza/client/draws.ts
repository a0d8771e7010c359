/** The only draw of KAMIZA: the starter. */

import type { Recorded, Redrawn } from "$web/table/model";
import type { Dice } from "$web/verify/dice";

export function* draws({ seats, facts }: Recorded, dice: Dice): Generator<Redrawn> {
  for (const fact of facts) {
    if (fact.fact === "starter_drawn" && fact.to === "all")
      yield [fact, { seat: dice.below(seats, "starter") }];
  }
}
