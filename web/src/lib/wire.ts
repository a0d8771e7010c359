// Written by docs/reference/generate.py: change the structs of the wire instead.

export type Command = Hello | Play | WhyNot | Say | Ready | Resign | Start | Rematch;

export type News = Welcome | Told | Answer | Changed | Chatted | Bye;

/** The first frame: the number of facts that the client has, and whether it wants views. */
export interface Hello {
  do: "hello";
  have?: number;
  views?: boolean;
  language?: "en" | "ja" | null;
}

/** Play an action, in notation, for the decision of this number. */
export interface Play {
  do: "play";
  key: string;
  decision: number;
  action: string;
  says?: string | null;
}

/** Ask which rule forbids an action. */
export interface WhyNot {
  do: "why_not";
  key: string;
  action: string;
}

/** Send a line of chat. */
export interface Say {
  do: "say";
  key: string;
  text: string;
}

/** Agree to the deal after seeing the commitment, and add a nonce to its randomness. */
export interface Ready {
  do: "ready";
  key: string;
  nonce?: string;
}

/** Hand the seat over to a bot for the rest of the match. */
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

/** The first frame: the table as it is now. */
export interface Welcome {
  is: "welcome";
  table: Table;
  seat: number | null;
  chat: Chatted[];
}

/** A table as everyone may see it. */
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

/** A player as everyone may see them. */
export interface Player {
  id: string;
  name: string;
  kind: "account" | "bot" | "guest";
}

/** No time limit. */
export interface Relaxed {
  kind: "relaxed";
}

/** Seconds per decision, and a reserve of seconds for the whole match. */
export interface Clock {
  kind: "clock";
  seconds: number;
  bank?: number;
}

/** Days per decision. */
export interface Days {
  kind: "days";
  days: number;
}

/** A request of the player on `seat` to swap with the player on `other`. */
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

/** Facts from number `first` on, and the reader's situation after them. */
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

/** The result of a match, by seat. */
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

/** The answer to a command, exactly one per key. */
export interface Answer {
  is: "answer";
  key: string;
  ok: boolean;
  fault: Fault | null;
}

/** The reason why a request was refused: a code for programs and a text for people. */
export interface Fault {
  code: string;
  text: string;
  details: Record<string, unknown>;
}

/** The table after a change of its seats, of who is present or of who is ready. */
export interface Changed {
  is: "changed";
  table: Table;
}

/** The server closes the connection. The client may reconnect if `again` is true. */
export interface Bye {
  is: "bye";
  code: string;
  text: string;
  again: boolean;
}

/** The name of a new guest. */
export interface NewGuest {
  name: string;
}

/** The occupant that a seat is meant for: anyone, anyone with the invite link, or a bot. */
export interface Chair {
  kind: "bot" | "link" | "open";
  bot?: string | null;
}

/** A request to open a table: game, seats, options, audience and time limit. */
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

/** A single-use, short-lived ticket for the socket of a table. */
export interface Ticket {
  ticket: string;
  seat: number | null;
}

/** An option of a game. */
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

/** The texts of a game in one language. A key without a text is shown as it is. */
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

/** The rules for players, as Markdown. A rule's paragraph begins with its id in bold. */
export interface GameRules {
  title: string;
  text: string;
}

/** A new table, and the key of its invite link. */
export interface OpenedTable {
  table: Table;
  key: string;
}

/** A seat to take, and the key of the invite link if the seat is reserved. */
export interface Sitting {
  seat: number;
  key?: string | null;
}

/** A seat and the bot for it. Without a bot the seat becomes free. */
export interface Placing {
  seat: number;
  bot?: string | null;
}

/** A seat to swap with. The host may name two seats. */
export interface Swapping {
  seat: number;
  other?: number | null;
}

/** The login and password of an account. */
export interface Credentials {
  login: string;
  password: string;
}

/** A name that others see. */
export interface NewName {
  name: string;
}

/** A player as only the player may see it. */
export interface Me {
  id: string;
  name: string;
  kind: "account" | "bot" | "guest";
  login: string | null;
  token: string | null;
}

/** The player of the session, if there is one. */
export interface Session {
  player: Me | null;
}

/** A new bot and its token. The token is shown once and not stored. */
export interface BotToken {
  player: Player;
  token: string;
}

/** A player to mute or unmute. */
export interface Mute {
  player: string;
  muted?: boolean;
}

/** A report of bad behaviour, for the operator. */
export interface Complaint {
  text: string;
  about?: string | null;
  line?: number | null;
}

/** The request was carried out. */
export interface Done {
  ok: boolean;
}

/** A player's strength in a game with this number of seats, almost surely `low` to `high`. */
export interface Rating {
  game: string;
  seats: number;
  mean: number;
  low: number;
  high: number;
  matches: number;
}

/** A player and their ratings. */
export interface Profile {
  player: Player;
  ratings: Rating[];
}

/** A place of a leaderboard. */
export interface Ranked {
  player: Player;
  rating: Rating;
}

/** The occupant of a seat: a player, or a bot of the server by its name. */
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

/** Finished matches, the newest first. `before` leads to older ones, if there are any. */
export interface History {
  matches: Played[];
  before: number | null;
}

/** A reader's view after `step` actions, and the facts that the last action revealed. */
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

/** A match, the header of its record and, if requested, a reader's view. */
export interface Match {
  match: Played;
  header: Record<string, unknown>;
  steps: number | null;
  sight: Sight | null;
}

/** The text of a record. */
export interface RecordText {
  record: string;
}

/** One result of a verification. */
export interface Finding {
  verdict: "failed" | "not judged" | "ok";
  text: string;
  line: number | null;
}

/** The verification of a record: its hash chain, its seed and its rules. */
export interface Verified {
  ok: boolean;
  chain: Finding;
  seed: Finding;
  rules: Finding;
  not_judged: number;
}

/** Content that a player wrote for an option: a text or a mapping, never a path. */
export interface CardSetContent {
  game: string;
  option: string;
  content: string | Record<string, unknown>;
}

/** The reason why content cannot be used, and its place. */
export interface ContentFault {
  text: string;
  path: string;
  line: number | null;
}

/** The result of a check: the normalized content with remarks on it, or the fault. */
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

/** A card set with its content. */
export interface CardSet {
  about: CardSetInfo;
  content: Record<string, unknown>;
  remarks: string[];
}
