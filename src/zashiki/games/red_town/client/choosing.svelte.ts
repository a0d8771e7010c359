/** What is picked and not played yet, and where `legal` says that it leads. */

import type { TableModel } from "$lib/table";
import { departFrom } from "./motion";
import { isPart, isSame, likeliest, playsIn, written, type Play } from "./notation";
import { asRedTown, type CardName } from "./view";

/** A card in the hand; equal cards differ by a number. */
export interface Held {
  id: string;
  card: CardName;
}

export function held(cards: readonly CardName[]): Held[] {
  const seen = new Map<CardName, number>();
  return cards.map((card) => {
    const copy = seen.get(card) ?? 0;
    seen.set(card, copy + 1);
    return { id: `${card}-${copy}`, card };
  });
}

export class Choosing {
  #ids: readonly string[] = $state.raw([]);
  #hitmen: readonly number[] = $state.raw([]);
  #tile: string | null = $state(null);
  /** What was picked by hand, before a location began to propose plays. */
  #wish: readonly CardName[] | null = null;

  constructor(readonly table: () => TableModel) {}

  // What is picked --------------------------------------------------------------------------------

  readonly hand: readonly Held[] = $derived.by(() => held(asRedTown(this.table().view).hand ?? []));
  readonly supply: string = $derived.by(() => {
    const { supply } = asRedTown(this.table().view);
    const own = supply[this.table().seat ?? -1];
    return typeof own === "string" ? own : "";
  });
  readonly picked: readonly Held[] = $derived.by(() =>
    this.hand.filter(({ id }) => this.#ids.includes(id)),
  );
  readonly cards: readonly CardName[] = $derived.by(() => this.picked.map(({ card }) => card));

  isPicked(id: string): boolean {
    return this.#ids.includes(id);
  }

  pick(id: string): void {
    this.#wish = null;
    const one = this.#discards ? [] : this.picked.map((each) => each.id);
    this.#ids = this.isPicked(id) ? one.filter((each) => each !== id) : [...one, id];
  }

  isHired(place: number): boolean {
    return this.#hitmen.includes(place) && place < this.supply.length;
  }

  /** Pick a Hitman of the supply: one, or as many as are asked for. */
  hire(place: number): void {
    const many = this.#legal.some((action) => action.startsWith("hitmen:"));
    const others = many ? this.#hitmen.filter((each) => each !== place) : [];
    this.#hitmen = this.isHired(place) ? others : [...others, place];
  }

  isChosen(action: string): boolean {
    return this.#tile === action;
  }

  choose(action: string): void {
    this.#tile = this.#tile === action ? null : action;
  }

  clear(): void {
    this.#ids = [];
    this.#wish = null;
    this.forget();
  }

  /** Something else is asked now; cards may stay picked for it. */
  forget(): void {
    this.#hitmen = [];
    this.#tile = null;
  }

  // Where it leads --------------------------------------------------------------------------------

  get #legal(): readonly string[] {
    return this.table().legal;
  }

  get #discards(): boolean {
    return this.#legal.some((action) => action.startsWith("discard:"));
  }

  readonly plays: readonly Play[] = $derived.by(() => playsIn(this.#legal));
  /** The plays that have all that is picked. */
  readonly open: readonly Play[] = $derived.by(() =>
    this.plays.filter((play) => isPart(this.cards, play.cards)),
  );
  readonly fits: readonly Play[] = $derived.by(() =>
    this.plays.filter((play) => isSame(this.cards, play.cards)),
  );

  /** The one action that is ready to be done. */
  readonly ready: string | null = $derived.by(() => {
    const [first] = this.fits;
    if (first) return first.action;
    const discard = this.cards.length === 1 ? `discard:${this.cards[0]}` : "";
    const letters = [...this.supply].filter((_, place) => this.isHired(place)).join("");
    const wished = [discard, `hitman:${letters}`, `hitmen:${letters}`, this.#tile ?? ""];
    return wished.find((action) => this.#legal.includes(action)) ?? null;
  });

  /** Cards were picked that no location takes, whatever may be added. */
  readonly isStuck: boolean = $derived.by(
    () =>
      this.cards.length > 0 &&
      this.#legal.length > 0 &&
      this.open.length === 0 &&
      this.ready === null,
  );

  /** Can this card be part of what may be done, together with what is picked? */
  isUseful({ id, card }: Held): boolean {
    if (this.#legal.length === 0 || this.isPicked(id)) return true;
    if (this.#discards) return this.#legal.includes(`discard:${card}`);
    if (this.plays.length === 0) return !this.#legal.includes("pass");
    return this.plays.some((play) => isPart([...this.cards, card], play.cards));
  }

  /** A location proposes its plays, one after the other; where it has none, it says why. */
  press(location: string): void {
    const wish = this.#wish ?? this.cards;
    const found = this.plays.filter(
      (play) => play.location === location && isPart(wish, play.cards),
    );
    if (found.length === 0) {
      if (this.cards.length > 0) this.ask(location);
      return;
    }
    const at = found.findIndex((play) => isSame(play.cards, this.cards));
    const next = found[(at + 1) % found.length] as Play;
    const left = [...this.hand];
    this.#ids = next.cards.flatMap((card) => {
      const place = left.findIndex((each) => each.card === card);
      return place < 0 ? [] : left.splice(place, 1).map(({ id }) => id);
    });
    this.#wish = wish;
  }

  ask(location: string = likeliest(this.cards)): void {
    void this.table().whyNot(written(location, this.cards));
  }

  async do(action: string): Promise<void> {
    departFrom(this.picked);
    if (await this.table().play(action)) this.clear();
  }
}
