/**
 * What a game's table is given: everything it may show and do, and no rule.
 *
 * A game's client is a folder `src/zashiki/games/<folder>/client` with an `index.ts` that exports
 * `games` (ids) and `table` (a lazy import), see `GameClient`.
 */

import type { Component } from "svelte";

import type { Dice } from "./dice";
import type { Details } from "./i18n.svelte";
import type { Sound } from "./sound";

export type View = Record<string, unknown>;

/** A fact, and what it says in words. */
export interface News {
  n: number;
  own: boolean;
  fact: string;
  with: Record<string, unknown>;
  text: string;
}

export interface Person {
  seat: number;
  name: string;
  kind: "guest" | "account" | "bot" | "open";
  /** Which bot of the house this is; null for everybody else. */
  bot: string | null;
  /** Is this the seat of whoever looks at the page? */
  me: boolean;
  here: boolean;
  /** The bot that plays for them now. */
  standIn: string | null;
  /** When a bot will play for them, in milliseconds since the epoch. */
  until: number | null;
  resigned: boolean;
  /** Do they count as last in ratings, because a bot had to decide too often? */
  last: boolean;
  /** Since when everybody waits for them, and when the others may let a bot play on. */
  since: number | null;
  claim: number | null;
  /** Whose profile it is, where somebody sits. */
  player?: string | undefined;
}

/** Why an action is refused. */
export interface Why {
  action: string;
  ruling: string;
  text: string;
  blame: readonly string[];
}

export interface TableModel {
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Whose knowledge is shown; null for who only watches. */
  readonly seat: number | null;
  readonly people: readonly Person[];
  /** What that seat knows, as the rules of the game lay it down. */
  readonly view: View;
  /** In a replay with all cards open: what each seat knows. Otherwise null. */
  readonly views: readonly View[] | null;
  /** What may be done now, in notation: this and nothing else is offered. */
  readonly legal: readonly string[];
  readonly toAct: readonly number[];
  /** One line that says what is to be decided. */
  readonly asked: string;
  readonly over: boolean;
  readonly outcome: { ranks: readonly number[]; scores: readonly number[] } | null;
  /** What has just happened: the facts that led to this view. Empty when the page has just come. */
  readonly news: readonly News[];
  /** All that was told so far, the news included; in a replay the news alone. */
  readonly past: readonly News[];
  /** A play was sent and is not answered yet: nothing more can be done. */
  readonly busy: boolean;
  /** Is this a replay? Then nothing can be done at all. */
  readonly isReplay: boolean;
  /** What the last refusal blames: cards, places, as the rules name them. */
  readonly blame: ReadonlySet<string>;
  /** May something be said with an action? So many characters. */
  readonly speech: number;
  /** What may be said, by the key that stands for it. */
  readonly phrases: Readonly<Record<string, string>>;

  /** A legal action in words. */
  label(action: string): string;
  /** A word of the game: a card, a place. */
  word(key: string): string;
  /** A sentence of the game's table, from the section [client] of its texts. */
  say(key: string, details?: Details): string;
  /** Do it; false when it was refused, which the frame explains by itself. */
  play(action: string, says?: string): Promise<boolean>;
  /** Ask which rule stands against an action; the frame shows the answer. */
  whyNot(action: string): Promise<void>;
  /** Do not wait any longer for what moves. */
  skip?(): void;
}

/** A fact of a whole record: its line, and the action that caused it (0 is the set-up). */
export interface RecordedFact {
  line: number;
  act: number;
  to: "all" | "none" | number;
  fact: string;
  with: Readonly<Record<string, unknown>>;
}

export interface Recorded {
  seats: number;
  options: Readonly<Record<string, unknown>>;
  facts: readonly RecordedFact[];
}

export type Redrawn = readonly [RecordedFact, Readonly<Record<string, unknown>>];

export interface GameClient {
  /** The ids of the games whose table this is. */
  games: readonly string[];
  table: () => Promise<{ default: Component<{ table: TableModel }> }>;
  /** How long the next news have to wait for the motion that these start, in milliseconds. */
  dwell?: (news: readonly News[], view: View) => number;
  /** What is heard with a fact, by its name. */
  sounds?: Readonly<Record<string, Sound>>;
  /** The form that suits a first time, where a game has several. */
  firstForm?: string;
  /** The facts of a record that chance decided, each with what the dice give for it. */
  draws?: (match: Recorded, dice: Dice) => Iterable<Redrawn>;
  /** How it was won, in a sentence. */
  verdict?: (table: TableModel) => string;
  /** Why some who ended with the same are not on the same place. */
  tie?: (table: TableModel) => string;
  /** What a seat ended with, in the game's terms; nothing where the rank says all. */
  score?: (table: TableModel, seat: number) => string;
}
