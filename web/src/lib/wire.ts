// Written by docs/reference/generate.py: change the structs of the wire instead.

export type Command = Hello | Play | WhyNot | Say | Ready | Resign | Start | Rematch;

export type News = Welcome | Told | Answer | Changed | Chatted | Bye;

/** The first frame: how many facts the client has, and whether it wants views with the news. */
export interface Hello {
  do: "hello";
  have?: number;
  views?: boolean;
  language?: "en" | "ja" | null;
}

/** An action in notation, for the decision of this number. */
export interface Play {
  do: "play";
  key: string;
  decision: number;
  action: string;
  says?: string | null;
}

/** Which rule stands against an action? */
export interface WhyNot {
  do: "why_not";
  key: string;
  action: string;
}

/** A line of chat. */
export interface Say {
  do: "say";
  key: string;
  text: string;
}

/** Having seen the commitment: deal, with this nonce of mine. */
export interface Ready {
  do: "ready";
  key: string;
  nonce?: string;
}

/** Hand the seat over to a bot, for good. */
export interface Resign {
  do: "resign";
  key: string;
}

/** Start, as the host: the commitment is shown, and the deal waits for everybody's `ready`. */
export interface Start {
  do: "start";
  key: string;
}

/** Go on to the table of the rematch: its `welcome` comes through this socket. */
export interface Rematch {
  do: "rematch";
  key: string;
}

/** The first frame: where the table stands. */
export interface Welcome {
  is: "welcome";
  table: Table;
  seat: number | null;
  chat: Chatted[];
}

/** A table as all may see it. */
export interface Table {
  id: string;
  game: string;
  options: Record<string, unknown>;
  host: string;
  state: "closed" | "open" | "over" | "playing" | "starting";
  public: boolean;
  watch: "delayed" | "live" | "off";
  seats: Seat[];
  match: string | null;
  commitment: string | null;
  pace: Relaxed | Clock | Days;
  paused: boolean;
  next: string | null;
  wishes: Wish[];
  to_act: number[];
}

/** A seat of a table. */
export interface Seat {
  kind: "bot" | "link" | "open" | "player";
  player: Player | null;
  here: boolean;
  ready: boolean;
  stand_in: string | null;
  until: number | null;
  resigned: boolean;
}

/** Somebody, as all may know them. */
export interface Player {
  id: string;
  name: string;
  kind: "account" | "bot" | "guest";
}

/** Everybody takes the time they need. */
export interface Relaxed {
  kind: "relaxed";
}

/** Seconds for each decision, and a bank of them for the whole match. */
export interface Clock {
  kind: "clock";
  seconds: number;
  bank?: number;
}

/** Days for each decision. */
export interface Days {
  kind: "days";
  days: number;
}

/** Who sits on `seat` would like to swap with who sits on `other`. */
export interface Wish {
  seat: number;
  other: number;
}

/** A line of chat. */
export interface Chatted {
  is: "chatted";
  n: number;
  player: string;
  name: string;
  seat: number | null;
  text: string;
}

/** Facts from the one of number `first` on, and where they leave the reader. */
export interface Told {
  is: "told";
  first: number;
  facts: (Record<string, unknown>)[];
  to_act: number[];
  decision: number | null;
  legal: string[];
  over: boolean;
  outcome: Outcome | null;
  view?: Record<string, unknown>;
  words?: Words;
  stood_in?: number;
}

/** How a match ended, by seat. */
export interface Outcome {
  ranks: number[];
  scores: number[];
}

/** News in words. */
export interface Words {
  said: string[];
  labels: string[];
  asked: string;
}

/** What became of a command, once for each key. */
export interface Answer {
  is: "answer";
  key: string;
  ok: boolean;
  fault: Fault | null;
}

/** Why a request was refused. */
export interface Fault {
  code: string;
  text: string;
  details: Record<string, unknown>;
}

/** The table is not as it was: who sits, who is here, who is ready. */
export interface Changed {
  is: "changed";
  table: Table;
}

/** The server ends the connection: come back if `again`. */
export interface Bye {
  is: "bye";
  code: string;
  text: string;
  again: boolean;
}

/** Sit down under a name. */
export interface NewGuest {
  name: string;
}

/** Who may sit on a seat: anybody, somebody with the link, or a bot. */
export interface Chair {
  kind: "bot" | "link" | "open";
  bot?: string | null;
}

/** What a table plays, for whom, and how fast. */
export interface NewTable {
  game: string;
  seats: number;
  options?: Record<string, unknown>;
  chairs?: Chair[] | null;
  public?: boolean;
  watch?: "delayed" | "live" | "off";
  delay?: number;
  pace?: Relaxed | Clock | Days;
  level?: string | null;
}

/** Opens one socket, once, soon. */
export interface Ticket {
  ticket: string;
  seat: number | null;
}

/** Something a table may choose. */
export interface OfferedOption {
  name: string;
  values: unknown[];
  default: unknown;
  by_seats: Record<string, unknown[]>;
  content: boolean;
}

/** A game that can be played. */
export interface OfferedGame {
  id: string;
  title: string;
  seats: number[];
  options: OfferedOption[];
  bots: string[];
  levels: string[];
  titles: Record<string, string>;
  summaries: Record<string, string>;
  speech: number;
  sides: string[];
}

/** What a game says in a language; a key that has no text stands for itself. */
export interface GameTexts {
  title: string;
  summary: string;
  words: Record<string, string>;
  options: Record<string, unknown>;
  hints: Record<string, Record<string, string>>;
  phrases: Record<string, string>;
  client: Record<string, string>;
  goal: string;
}

/** The rules for players, as Markdown; ids of rules begin their paragraphs in bold. */
export interface GameRules {
  title: string;
  text: string;
}

/** A new table, and what its link has to say. */
export interface OpenedTable {
  table: Table;
  key: string;
}

/** Which seat, and the key of the link where the seat is kept for it. */
export interface Sitting {
  seat: number;
  key?: string | null;
}

/** Which seat, and the bot that is to sit there; none: the seat is free again. */
export interface Placing {
  seat: number;
  bot?: string | null;
}

/** With whom; the host may name two seats. */
export interface Swapping {
  seat: number;
  other?: number | null;
}

/** What an account is known by. */
export interface Credentials {
  login: string;
  password: string;
}

/** A name to be shown by. */
export interface NewName {
  name: string;
}

/** A player, as only they may know themselves. */
export interface Me {
  id: string;
  name: string;
  kind: "account" | "bot" | "guest";
  login: string | null;
  token: string | null;
}

/** Who asks, if it is known. */
export interface Session {
  player: Me | null;
}

/** A bot of one's own, and the token that it asks with: shown once, kept nowhere. */
export interface BotToken {
  player: Player;
  token: string;
}

/** Whose chat is (not) wanted. */
export interface Mute {
  player: string;
  muted?: boolean;
}

/** What somebody did that they should not, for the operator to read. */
export interface Complaint {
  text: string;
  about?: string | null;
  line?: number | null;
}

/** It is done. */
export interface Done {
  ok: boolean;
}

/** How strong a player seems in a game of so many seats: almost surely from `low` to `high`. */
export interface Rating {
  game: string;
  seats: number;
  mean: number;
  low: number;
  high: number;
  matches: number;
}

/** A player as all may know them. */
export interface Profile {
  player: Player;
  ratings: Rating[];
}

/** A place of a leaderboard. */
export interface Ranked {
  player: Player;
  rating: Rating;
}

/** Who sat on a seat: a player, or a bot of the house by its name only. */
export interface Sitter {
  name: string;
  player: Player | null;
}

/** A match in a list. */
export interface Played {
  id: string;
  table: string;
  game: string;
  seats: number;
  started: number;
  ended: number | null;
  players: Sitter[];
  rated: boolean;
  ranks: number[] | null;
  scores: number[] | null;
}

/** Finished matches, the newest first; older ones from `before` on, where there are any. */
export interface History {
  matches: Played[];
  before: number | null;
}

/** What a reader saw after so many actions, and was told by the last of them. */
export interface Sight {
  reader: number | "all";
  step: number;
  steps: number;
  view: Record<string, unknown>;
  seat: number | null;
  action: string | null;
  says: string | null;
  facts: (Record<string, unknown>)[];
  said: string[];
}

/** A match: its header as in its record and, if it was asked for, what a reader saw. */
export interface Match {
  match: Played;
  header: Record<string, unknown>;
  steps: number | null;
  sight: Sight | null;
}

/** A record, as the text that it is. */
export interface RecordText {
  record: string;
}

/** One answer of a verification. */
export interface Finding {
  verdict: "failed" | "not judged" | "ok";
  text: string;
  line: number | null;
}

/** Is a record what it claims to be? Its chain, its seed, its rules. */
export interface Verified {
  ok: boolean;
  chain: Finding;
  seed: Finding;
  rules: Finding;
  not_judged: number;
}

/** What somebody wrote for an option that takes content: a text or a mapping, never a path. */
export interface CardSetContent {
  game: string;
  option: string;
  content: string | Record<string, unknown>;
}

/** Why something that was written cannot be played with, and where that shows. */
export interface ContentFault {
  text: string;
  path: string;
  line: number | null;
}

/** Can it be played with? What is unusual about it, and all of it in its one form; else why. */
export interface CheckedCardSet {
  ok: boolean;
  name: string | null;
  remarks: string[];
  content: Record<string, unknown> | null;
  fault: ContentFault | null;
}

/** A card set in a list. */
export interface CardSetInfo {
  id: string;
  name: string;
  game: string;
  option: string;
  owner: Player;
  shared: boolean;
  created: number;
}

/** All of a card set. */
export interface CardSet {
  about: CardSetInfo;
  content: Record<string, unknown>;
  remarks: string[];
}
