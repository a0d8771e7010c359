/** The card set of a table: the values and names of each card and each area. */

import { isClass, type Class } from "./view";

export interface Card {
  name: string;
  label: string;
  rank: Class | "monarch";
  /** Null if the set is not known. */
  attack: number | null;
  defence: number | null;
  skill: string | null;
  amount: number;
  copies: number;
  side: "red" | "blue" | null;
}

export interface Place {
  name: string;
  label: string;
  kind: "capital" | "city" | "border";
  side: "red" | "blue" | null;
  /** Its income, by seat. */
  funds: [number, number];
  offset: number;
}

interface Entry {
  name: string;
  names: Record<string, string>;
  class?: Class;
  copies?: number;
  attack?: number;
  defence?: number;
  skill?: string;
  amount?: number;
  side?: "red" | "blue";
  red_funds?: number;
  blue_funds?: number;
  offset?: number;
}

interface CardSet {
  areas?: Entry[];
  monarchs?: Entry[];
  cards?: Entry[];
}

export class Book {
  /** All cards that can be drafted, in the order of the set. */
  readonly cards: readonly Card[];
  readonly #cards: Map<string, Card>;
  readonly #places: Map<string, Entry>;

  constructor(
    content: unknown,
    readonly language: string,
    readonly word: (key: string) => string,
  ) {
    const set: CardSet = typeof content === "object" && content !== null ? content : {};
    this.cards = (set.cards ?? []).map((entry) => this.#read(entry));
    const monarchs = (set.monarchs ?? []).map((entry) => this.#read(entry));
    this.#cards = new Map([...this.cards, ...monarchs].map((card) => [card.name, card]));
    this.#places = new Map((set.areas ?? []).map((entry) => [entry.name, entry]));
  }

  #read(entry: Entry): Card {
    return {
      name: entry.name,
      label: this.#called(entry),
      rank: entry.side ? "monarch" : (entry.class ?? "normal"),
      attack: entry.attack ?? null,
      defence: entry.defence ?? null,
      skill: entry.skill ?? null,
      amount: entry.amount ?? 0,
      copies: entry.copies ?? 1,
      side: entry.side ?? null,
    };
  }

  #called(entry: Entry): string {
    return entry.names[this.language] ?? this.word(entry.name);
  }

  card(name: string): Card {
    return this.#cards.get(name) ?? this.#read({ name, names: {} });
  }

  /** The class on its back; for a class, the class itself. */
  back(name: string): Class {
    if (isClass(name)) return name;
    return this.card(name).rank === "ace" ? "ace" : "normal";
  }

  place(name: string): Place {
    const entry = this.#places.get(name) ?? { name, names: {} };
    const side = name.startsWith("red-") ? "red" : name.startsWith("blue-") ? "blue" : null;
    return {
      name,
      label: this.#called(entry),
      kind: name.endsWith("capital") ? "capital" : name.endsWith("city") ? "city" : "border",
      side,
      funds: [entry.red_funds ?? 0, entry.blue_funds ?? 0],
      offset: entry.offset ?? 0,
    };
  }
}
