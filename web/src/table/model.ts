/**
 * The interface between a game's table and the client: data to show and actions, without rules.
 *
 * A game's client is a folder `src/zashiki/games/<folder>/client` with an `index.ts` that exports
 * `games` (ids) and `table` (a lazy import), see `GameClient`.
 */

import type { Component, Snippet } from "svelte";

import type { Details } from "$web/shared/i18n.svelte";
import type { Sound } from "$web/shared/sound";
import type { Dice } from "$web/verify/dice";

export type View = Record<string, unknown>;

/** A fact with its sentence. */
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
  /** The name of the server's bot; null for every other player. */
  bot: string | null;
  /** True for the viewer's own seat. */
  me: boolean;
  here: boolean;
  /** The bot that stands in for them now. */
  standIn: string | null;
  /** When a bot will stand in for them, in milliseconds since the epoch. */
  until: number | null;
  resigned: boolean;
  /** True if they count as last in ratings, because a bot decided for them too often. */
  last: boolean;
  /** Since when everyone waits for them, and when the others may let a bot play. */
  since: number | null;
  claim: number | null;
  /** The profile's player id, if a player sits there. */
  player?: string | undefined;
}

/** The reason why an action is refused. */
export interface Why {
  action: string;
  ruling: string;
  text: string;
  blame: readonly string[];
}

export interface TableModel {
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The seat whose knowledge is shown; null for a spectator. */
  readonly seat: number | null;
  readonly people: readonly Person[];
  /** The view of that seat, as the game's rules define it. */
  readonly view: View;
  /** In a replay with all cards open, the view of each seat; otherwise null. */
  readonly views: readonly View[] | null;
  /** The legal actions in notation; nothing else is offered. */
  readonly legal: readonly string[];
  readonly toAct: readonly number[];
  /** The number of the decision that this seat owes; null if it owes none. */
  readonly decision: number | null;
  /** One line that states the decision. */
  readonly asked: string;
  readonly over: boolean;
  readonly outcome: { ranks: readonly number[]; scores: readonly number[] } | null;
  /** The facts that led to this view. Empty right after the page loads. */
  readonly news: readonly News[];
  /** All facts so far, the news included; in a replay only the news. */
  readonly past: readonly News[];
  /** True while a play is sent and not answered; no other action is possible. */
  readonly busy: boolean;
  /** True in a replay, which offers no actions. */
  readonly isReplay: boolean;
  /** The cards and places that the last refusal is about, by their names in the rules. */
  readonly blame: ReadonlySet<string>;
  /** The maximum length of a phrase with an action; 0 if none is possible. */
  readonly speech: number;
  /** The phrases that may be said, by key. */
  readonly phrases: Readonly<Record<string, string>>;

  /** A legal action in words. */
  label(action: string): string;
  /** A word of the game: a card, a place. */
  word(key: string): string;
  /** A sentence of the game's table, from the section [client] of its texts. */
  say(key: string, details?: Details): string;
  /** Play an action. Returns false if it was refused; the frame explains why. */
  play(action: string, says?: string): Promise<boolean>;
  /** Ask why an action is illegal; the frame shows the rule. */
  whyNot(action: string): Promise<void>;
  /** Dismiss the refusal, because the player now wants something else. */
  dismiss?(): void;
  /** Skip the running animations. */
  skip?(): void;
}

/** A fact of a complete record: its line, and the action that caused it (0 is the set-up). */
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

/**
 * The props of a game's table. It fills the container `stage`, never scrolls, and derives its sizes
 * from the stage (`cqw`, `cqh`, `@container stage`).
 */
export interface TableProps {
  table: TableModel;
  /** The question and one note, of the fixed height `--prompt`: placed beside the hand. */
  prompt?: Snippet | undefined;
}

/** The facts that a step of a finished match told its reader, and the seat that acted. */
export interface ReplayStep {
  seat: number | null;
  facts: readonly News[];
}

/** A line of the log: one action. `{cards}` in its text marks the place of its cards. */
export interface LogLine {
  /** The number of its fact. */
  n: number;
  text: string;
  /** Cards by the game's words, optionally each with its player. */
  cards: readonly { card: string; seat?: number }[];
  /** The seat that acted; null if none did. */
  seat: number | null;
  /** Details behind the line, shown on a tap. */
  details?: readonly string[];
}

/** A card in a line of the log. */
export type CardFace = Component<{ table: TableModel; card: string }>;

/** A section of the log under a heading: a turf war, a round, a turn. */
export interface LogGroup {
  heading: string;
  lines: readonly LogLine[];
}

export interface GameLog {
  /** The log, made from all facts so far. */
  tell: (facts: readonly News[], table: TableModel) => readonly LogGroup[];
  /** A card small enough for a line; its word if the game draws none. */
  card: CardFace | null;
}

/** A pass that can be chosen in advance, for a while. */
export interface Passing {
  action: string;
  /** The facts that end it. */
  ends: readonly string[];
  label: (table: TableModel) => string;
  isOffered: (table: TableModel) => boolean;
}

export interface GameClient {
  /** The ids of the games that use this table. */
  games: readonly string[];
  table: () => Promise<{ default: Component<TableProps> }>;
  /** How long the animation of these news lasts, in milliseconds; the next news wait for it. */
  dwell?: (news: readonly News[], view: View) => number;
  /** The question in this position, if it says more than the phase; otherwise empty. */
  asked?: (table: TableModel) => string;
  /** The sound of a fact, by the fact's name. */
  sounds?: Readonly<Record<string, Sound>>;
  /** The names of the sides, for a game whose seats are sides to choose from. */
  sides?: readonly string[];
  /** A picture of a side, by its seat. */
  side?: () => Promise<{ default: Component<{ seat: number }> }>;
  passing?: Passing;
  /** The form for a first match, if the game has several. */
  firstForm?: string;
  /** The facts of a record that chance decided, each with the result of the dice. */
  draws?: (match: Recorded, dice: Dice) => Iterable<Redrawn>;
  /**
   * The result for the viewer's seat, shown after its place ("4th: the black 3 stayed in your
   * hand"). For a spectator, how the match was won.
   */
  verdict?: (table: TableModel) => string;
  /** The step that decided a finished match for a seat. Default: the seat's last action. */
  decisive?: (steps: readonly ReplayStep[], seat: number | null) => number | undefined;
  /** The game's log; `web/src/table/panel/log.ts` helps to write it. */
  log?: () => Promise<GameLog>;
  /** The ids of the rules that explain the current decision, in this phase of this form. */
  now?: (table: TableModel) => readonly string[];
  /** False for a hint that does not fit this position. Default: all hints of a phase fit. */
  isApt?: (table: TableModel, hint: string) => boolean;
  /** A picture of the goal, for the Rules tab. */
  goal?: () => Promise<{ default: Component }>;
  /** Why players with the same score are not on the same place. */
  tie?: (table: TableModel) => string;
  /** A seat's score in the game's terms; empty if the rank says everything. */
  score?: (table: TableModel, seat: number) => string;
}
