/** The cards of a hand, each with a unique key, so that copies can be told apart. */

export interface HeldCard {
  key: string;
  name: string;
}

/** The same cards keep their keys; among copies, picked ones are removed first. */
export function kept(
  before: readonly HeldCard[],
  hand: readonly string[],
  picked: readonly string[],
): readonly HeldCard[] {
  const left = before.toSorted(
    (one, other) => Number(picked.includes(one.key)) - Number(picked.includes(other.key)),
  );
  const used = new Set<string>();
  const stay = hand.map((name) => {
    const place = left.findIndex((one) => one.name === name);
    const found = place < 0 ? undefined : left.splice(place, 1)[0];
    if (found) used.add(found.key);
    return found;
  });
  return hand.map((name, place) => {
    const found = stay[place];
    if (found) return found;
    let number = 0;
    while (used.has(`${name} ${number}`)) number += 1;
    const key = `${name} ${number}`;
    used.add(key);
    return { key, name };
  });
}
