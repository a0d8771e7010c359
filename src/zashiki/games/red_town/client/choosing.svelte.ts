/** The picks that are not played yet, and the legal actions that they lead to. */

import type { TableModel } from "$web/table/model";
import { departFrom } from "./motion";
import { byWorth, isPart, isSame, likeliest, playsIn, written, type Play } from "./notation";
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

/** Which of a location's plays is picked, and out of how many. */
export interface Proposal {
  location: string;
  number: number;
  all: number;
}

export class Choosing {
  #ids: readonly string[] = $state.raw([]);
  #hitmen: readonly number[] = $state.raw([]);
  /** The cards picked by hand before a location began to propose plays. */
  #wish: readonly CardName[] | null = $state.raw(null);
  /** The location that cards are dragged over. */
  aim: string | null = $state(null);

  constructor(readonly table: () => TableModel) {}

  // The picks ------------------------------------------------------------------------------------

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
    this.#change();
    const one = this.#discards ? [] : this.picked.map((each) => each.id);
    this.#ids = this.isPicked(id) ? one.filter((each) => each !== id) : [...one, id];
  }

  isHired(place: number): boolean {
    return this.#hitmen.includes(place) && place < this.supply.length;
  }

  /** Pick a Hitman of the supply: one, or as many as are needed. */
  hire(place: number): void {
    const many = this.#legal.some((action) => action.startsWith("hitmen:"));
    const others = many ? this.#hitmen.filter((each) => each !== place) : [];
    this.#hitmen = this.isHired(place) ? others : [...others, place];
  }

  /** Pick exactly these, as when they are dragged from the hand. */
  take(ids: readonly string[]): void {
    this.#change();
    this.#ids = ids;
  }

  /** The picks change, so the last refusal no longer applies. */
  #change(): void {
    this.#wish = null;
    this.table().dismiss?.();
  }

  clear(): void {
    this.#ids = [];
    this.#wish = null;
    this.forget();
  }

  /** Another decision is asked; cards may stay picked for it. */
  forget(): void {
    this.#hitmen = [];
  }

  // Their actions --------------------------------------------------------------------------------

  get #legal(): readonly string[] {
    return this.table().legal;
  }

  get #discards(): boolean {
    return this.#legal.some((action) => action.startsWith("discard:"));
  }

  readonly plays: readonly Play[] = $derived.by(() => playsIn(this.#legal).sort(byWorth));
  /** The plays that include all picks. */
  readonly open: readonly Play[] = $derived.by(() =>
    this.plays.filter((play) => isPart(this.cards, play.cards)),
  );
  readonly fits: readonly Play[] = $derived.by(() =>
    this.plays.filter((play) => isSame(this.cards, play.cards)),
  );

  /** The one action that is ready. */
  readonly ready: string | null = $derived.by(() => {
    const [first] = this.fits;
    if (first) return first.action;
    const discard = this.cards.length === 1 ? `discard:${this.cards[0]}` : "";
    const letters = [...this.supply].filter((_, place) => this.isHired(place)).join("");
    const wished = [discard, `hitmen:${letters}`];
    return wished.find((action) => this.#legal.includes(action)) ?? null;
  });

  /** True if no location takes the picked cards, whatever is added. */
  readonly isStuck: boolean = $derived.by(
    () =>
      this.cards.length > 0 &&
      this.#legal.length > 0 &&
      this.open.length === 0 &&
      this.ready === null,
  );

  /** True if this card can be part of a legal action, together with the picks. */
  isUseful({ id, card }: Held): boolean {
    if (this.#legal.length === 0 || this.isPicked(id)) return true;
    if (this.#discards) return this.#legal.includes(`discard:${card}`);
    if (this.plays.length === 0) return !this.#legal.includes("pass");
    return this.plays.some((play) => isPart([...this.cards, card], play.cards));
  }

  /** The play that a location proposes now; null if the cards were picked by hand. */
  readonly proposal: Proposal | null = $derived.by(() => {
    const [fit] = this.fits;
    if (!fit || this.#wish === null) return null;
    const all = this.#proposed(fit.location, this.#wish);
    return { location: fit.location, number: all.indexOf(fit) + 1, all: all.length };
  });

  #proposed(location: string, wish: readonly CardName[]): readonly Play[] {
    return this.plays.filter((play) => play.location === location && isPart(wish, play.cards));
  }

  /**
   * A pressed location proposes its plays in turn, and plays the only one when it is pressed again.
   * If it has none, it explains why. Returns false if there is nothing to explain.
   */
  press(location: string): boolean {
    const wish = this.#wish ?? this.cards;
    const found = this.#proposed(location, wish);
    const at = found.findIndex((play) => isSame(play.cards, this.cards));
    const next = found[(at + 1) % found.length];
    if (!next) {
      const asks = this.cards.length > 0 && this.#legal.length > 0;
      if (asks) this.ask(location);
      return asks;
    }
    if (at === 0 && found.length === 1) void this.do(next.action);
    else this.#propose(next, wish);
    return true;
  }

  /** The picks are dragged over a location, or over none. */
  carry(location: string | null): void {
    this.aim = location;
    departFrom(this.picked);
  }

  /** The picks are dropped there: play them, add missing cards, or explain the refusal. */
  drop(location: string | null): void {
    this.aim = null;
    if (location === null || this.#legal.length === 0) return;
    const fit = this.fits.find((play) => play.location === location);
    if (fit) void this.#send(fit.action);
    else this.press(location);
  }

  /** A card was pressed twice: play what it alone can do, or the best play that includes it. */
  pressTwice(id: string): void {
    const one = this.hand.find((each) => each.id === id);
    if (!one) return;
    const found = this.plays.filter((play) => play.cards.includes(one.card));
    const [alone] = found.filter((play) => play.cards.length === 1 || found.length === 1);
    const discard = `discard:${one.card}`;
    if (this.#legal.includes(discard)) {
      this.take([id]);
      void this.do(discard);
    } else if (alone) {
      this.#propose(alone, [one.card]);
      void this.do(alone.action);
    } else if (found[0]) this.#propose(found[0], [one.card]);
  }

  #propose(play: Play, wish: readonly CardName[]): void {
    const left = [...this.hand];
    this.#change();
    this.#ids = play.cards.flatMap((card) => {
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
    await this.#send(action);
  }

  async #send(action: string): Promise<void> {
    if (await this.table().play(action)) this.clear();
  }
}
