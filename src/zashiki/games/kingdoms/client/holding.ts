/** The cards of a hand, each with a key of its own, so that one of several copies can be followed. */

export interface HeldCard {
  key: string;
  name: string;
}

/** The same cards keep their keys; of copies, those that were picked go first. */
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
