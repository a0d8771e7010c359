// Written by docs/reference/generate.py: change the structs of the wire instead.

export type Command = Hello | Play | WhyNot | Say | Ready | Reveal | Resign | Claim | TakeBack | Start | Rematch;

export type News = Welcome | Told | Answer | Changed | Chatted | Bye;

/** The first frame: the number of facts that the client has, and whether it wants views. */
export interface Hello {
  do: "hello";
  /** The number of facts that the client has. Facts after them follow. */
  have?: number;
  /** True if news should have views. */
  views?: boolean;
  /** Language of news and refusals in words; none if absent. */
  language?: "en" | "ja" | null;
  /** The shape of the news: 2 is `Told`. 1 is `OldTold`, deprecated, gone in the next release. */
  version?: 1 | 2;
}

/** Play an action, in notation, for the decision of this number. */
export interface Play {
  do: "play";
  /** Chosen by the client, new for each command. The answer repeats it. */
  key: string;
  /** The number of the decision, from the last `told`. */
  decision: number;
  /** The action, in notation. */
  action: string;
  /** A phrase that goes with the action. */
  says?: string | null;
}

/** Ask which rule forbids an action. */
export interface WhyNot {
  do: "why_not";
  /** Chosen by the client. The answer repeats it. */
  key: string;
  /** The action, in notation. */
  action: string;
}

/** Send a line of chat. */
export interface Say {
  do: "say";
  /** Chosen by the client. The answer repeats it. */
  key: string;
  /** The line of chat. */
  text: string;
}

/** Agree to the deal after seeing the commitment, and give the hash of a nonce.

    The hash is BLAKE2b with 32 bytes and the personalisation "zashiki nonce" over the text
    `{commitment}/{seat}/{nonce}`, in hexadecimal digits. Without a hash the seat gives no nonce. */
export interface Ready {
  do: "ready";
  /** Chosen by the client. The answer repeats it. */
  key: string;
  /** 64 hexadecimal digits, or empty. */
  hash?: string;
  /** Ignored. Clients that deal in one phase send it, and count as giving no nonce. */
  nonce?: string;
}

/** Reveal the nonce after seeing the fixed list of hashes, with one's own hash in it. */
export interface Reveal {
  do: "reveal";
  /** Chosen by the client. The answer repeats it. */
  key: string;
  /** 32 to 64 hexadecimal digits. */
  nonce: string;
}

/** Hand the seat over to a bot for the rest of the match. */
export interface Resign {
  do: "resign";
  /** Chosen by the client. The answer repeats it. */
  key: string;
}

/** Let a bot play for those whose time to claim, in `seats` of the table, has come. */
export interface Claim {
  do: "claim";
  /** Chosen by the client. The answer repeats it. */
  key: string;
}

/** Play again on a seat that others have claimed. A new connection does the same. */
export interface TakeBack {
  do: "take_back";
  /** Chosen by the client. The answer repeats it. */
  key: string;
}

/** Start, as the host: the commitment is shown, and the deal waits for everybody's `ready`.

    When all hashes are there, the table shows the list, and the deal waits for every `reveal`. */
export interface Start {
  do: "start";
  /** Chosen by the client. The answer repeats it. */
  key: string;
}

/** Continue at the table of the rematch: its `welcome` comes through this socket. */
export interface Rematch {
  do: "rematch";
  /** Chosen by the client. The answer repeats it. */
  key: string;
}

/** The first frame: the table as it is now. */
export interface Welcome {
  is: "welcome";
  /** The table. */
  table: Table;
  /** The seat of the reader; none for a spectator. */
  seat: number | null;
  /** The latest lines. */
  chat: Chatted[];
}

/** A table as everyone may see it. */
export interface Table {
  /** The id of the table. */
  id: string;
  /** The id of the game. */
  game: string;
  /** The options of the game by name. In lists, in the lobby and in frames `changed`, content is replaced by its name. */
  options: Record<string, unknown>;
  /** The id of the player who opened the table. */
  host: string;
  /** Not started, being dealt, being played, finished, or closed without a match. */
  state: "closed" | "open" | "over" | "playing" | "starting";
  /** True if the lobby lists the table. */
  public: boolean;
  /** Whether spectators may watch: not at all, at once, or with a delay. */
  watch: "delayed" | "live" | "off";
  /** The seats, in the order of play. */
  seats: Seat[];
  /** The id of the match that is or was played here. */
  match: string | null;
  /** The commitment to the seed. Lists omit it. */
  commitment: string | null;
  /** While nonces are revealed: the fixed list of their hashes, empty if a person gave none, null for a bot. */
  hashes: (string | null)[] | null;
  /** The time limit per decision. */
  pace: Relaxed | Clock | Days;
  /** True while all people are away, so that the match waits. */
  paused: boolean;
  /** The table of the rematch. */
  next: string | null;
  /** The seat of the player who asked for the rematch first. */
  next_seat: number | null;
  /** The number of people who watch without a seat. Lists omit it. */
  watching: number;
  /** Open requests to swap seats. */
  wishes: Wish[];
  /** Seats that owe a decision. Only in the list of the player's own tables. */
  to_act: number[];
  /** True if the host has muted the chat of spectators. */
  spectators_muted: boolean;
  /** Whether everybody plays on the seat that they took, or the start draws who sits where. */
  seating: "drawn" | "fixed";
  /** Why the match is not rated. Only people who sit at the table see it. */
  unrated: "address" | "bot-strength" | "content" | "no-rivals" | "own-bot" | "pair" | "scene" | null;
}

/** A seat of a table. */
export interface Seat {
  /** Free for anyone, free for the invite link, a bot of the server, or a player. */
  kind: "bot" | "link" | "open" | "player";
  /** The player or bot on the seat. */
  player: Player | null;
  /** True if the player is connected. */
  here: boolean;
  /** True if the deal does not wait for this seat in its phase. */
  ready: boolean;
  /** The bot that plays for the player now. */
  stand_in: string | null;
  /** Time at which a bot will play for the absent or late player, in seconds since the epoch. */
  until: number | null;
  /** True if a bot plays for the player until the end of the match. */
  resigned: boolean;
  /** True if the player counts as last in ratings, because a bot had to decide too often. */
  last: boolean;
  /** Time since which the match waits for the player, in seconds since the epoch. Only for a player who is connected and has not moved for a minute, if there is no time limit. */
  since: number | null;
  /** Time from which the others may send `claim`, so that a bot plays on. */
  claim: number | null;
}

/** A player as everyone may see them. */
export interface Player {
  /** The id of the player. */
  id: string;
  /** The name that others see. */
  name: string;
  /** A guest, an account, or a player's own bot. */
  kind: "account" | "bot" | "guest";
}

/** No time limit. */
export interface Relaxed {
  kind: "relaxed";
}

/** Seconds per decision, and a reserve of seconds for the whole match. */
export interface Clock {
  kind: "clock";
  /** Seconds per decision. */
  seconds: number;
  /** Reserve for the whole match, in seconds. */
  bank?: number;
}

/** Days per decision. */
export interface Days {
  kind: "days";
  /** Days per decision. */
  days: number;
}

/** A request of the player on `seat` to swap with the player on `other`. */
export interface Wish {
  /** The seat of the player who asks. */
  seat: number;
  /** The seat of the player who is asked. */
  other: number;
}

/** A line of chat. */
export interface Chatted {
  is: "chatted";
  /** The number of the line at this table. */
  n: number;
  /** The id of the sender. */
  player: string;
  /** The name of the sender. */
  name: string;
  /** The seat of the sender; none for a spectator. */
  seat: number | null;
  /** The line. */
  text: string;
}

/** The facts of a reader from number `first` on, and the situation after them. */
export interface Told {
  is: "told";
  /** The number of the first of these facts, among all that the reader was told. */
  first: number;
  /** The part that is the same bytes for all readers with the same public facts. */
  public: PublicNews;
  /** The part that belongs to the reader's seat; none for spectators. */
  own: OwnNews | null;
}

/** The part of the news that everybody may know: the same bytes for all with the same facts. */
export interface PublicNews {
  /** New facts that everybody was told, in order. */
  facts: Fact[];
  /** The seats that owe a decision. */
  to_act: number[];
  /** True if the match has ended. */
  over: boolean;
  /** The result of a match that has ended. */
  outcome: Outcome | null;
  /** The public view, whose fields differ by game. Absent if `hello` declined views. */
  view?: Record<string, unknown>;
  /** This part in words. Absent if `hello` named no language. */
  words?: PublicWords;
}

/** An event of a match, as stored and sent: one JSON array, the same bytes for all readers. */
export type Fact = [number | "all", string, Record<string, unknown>];

/** The result of a match, by seat. */
export interface Outcome {
  /** 1 is best. Equal seats share a rank: 1, 1, 3. */
  ranks: number[];
  /** The score of each seat. */
  scores: number[];
}

/** The public part of the news in words. */
export interface PublicWords {
  /** One sentence per public fact. */
  said: string[];
  /** The decision that the seats in `to_act` have to make. */
  asked: string;
}

/** The part of the news that only one seat may know. */
export interface OwnNews {
  /** New facts that only this seat was told, in order. */
  facts: Fact[];
  /** The place of each own fact among all facts of these news, from 0. */
  at: number[];
  /** The number of the decision that the seat owes; none if it owes none. */
  decision: number | null;
  /** The seat's legal actions, in notation. */
  legal: string[];
  /** The fields of the seat's view that differ from the public view. They replace its fields. */
  view?: Record<string, unknown>;
  /** This part in words. Absent if `hello` named no language. */
  words?: OwnWords;
  /** Number of the seat's decisions that a bot made, because its player was away or late. */
  stood_in?: number;
}

/** A seat's own part of the news in words. */
export interface OwnWords {
  /** One sentence per own fact. */
  said: string[];
  /** One label per legal action. */
  labels: string[];
}

/** The answer to a command, exactly one per key. */
export interface Answer {
  is: "answer";
  /** The key of the command. */
  key: string;
  /** True if the command was carried out. */
  ok: boolean;
  /** The reason why it was refused. */
  fault: Fault | null;
}

/** The reason why a request was refused: a code for programs and a text for people. */
export interface Fault {
  /** The reason as a word for programs. */
  code: string;
  /** The reason as a sentence for people. */
  text: string;
  /** More about the reason, such as `retry_after` in seconds. */
  details: Record<string, unknown>;
}

/** The table after a change of its seats, of who is present or of who is ready. */
export interface Changed {
  is: "changed";
  /** The table. Content of an option is only named: the `welcome` has all of it. */
  table: Table;
}

/** The server closes the connection. The client may reconnect if `again` is true. */
export interface Bye {
  is: "bye";
  /** The reason as a word for programs. */
  code: string;
  /** The reason as a sentence for people. */
  text: string;
  /** True if the client may reconnect. */
  again: boolean;
}

/** The name of a new guest. */
export interface NewGuest {
  /** The name that others see. */
  name: string;
}

/** The occupant that a seat is meant for: anyone, anyone with the invite link, or a bot. */
export interface Chair {
  /** Anyone, anyone with the invite link, or a bot. */
  kind: "bot" | "link" | "open";
  /** The name of the bot, if the seat is for one. */
  bot?: string | null;
}

/** A request to open a table: game, seats, options, audience and time limit. */
export interface NewTable {
  /** The id of a game. */
  game: string;
  /** The number of seats. */
  seats: number;
  /** Values of the game's options by name; the others have their defaults. */
  options?: Record<string, unknown>;
  /** One per seat; all open if absent. */
  chairs?: Chair[] | null;
  /** True if the lobby lists the table. */
  public?: boolean;
  /** Whether spectators may watch: not at all, at once, or with a delay. */
  watch?: "delayed" | "live" | "off";
  /** Number of decisions by which spectators lag, if `watch` is `delayed`. */
  delay?: number;
  /** The time limit per decision. */
  pace?: Relaxed | Clock | Days;
  /** The bot that plays for absent players (default: `regular`). */
  level?: string | null;
  /** Whether everybody plays on the seat that they took, or the start draws who sits where. */
  seating?: "drawn" | "fixed";
}

/** A request to play on from a step of a finished match, against bots. */
export interface PlayOn {
  /** The seat that the player takes. */
  seat: number;
  /** The number of actions before the position. */
  step: number;
  /** The bots on the other seats (default: `regular`). */
  level?: string | null;
}

/** A single-use, short-lived ticket for the socket of a table. */
export interface Ticket {
  /** The value of the socket's parameter `ticket`. */
  ticket: string;
  /** The seat of the player at the table; none for a spectator. */
  seat: number | null;
}

/** An option of a game. */
export interface OfferedOption {
  /** The name of the option. */
  name: string;
  /** All possible values. */
  values: unknown[];
  /** The value if a table does not set the option. */
  default: unknown;
  /** The possible values by number of seats, the default first. */
  by_seats: Record<string, unknown[]>;
  /** True if the value may also be content written by a player. */
  content: boolean;
  /** True if each value is a form of the game, with ratings of its own. */
  form: boolean;
}

/** A game that can be played. */
export interface OfferedGame {
  /** The id of the game. */
  id: string;
  /** The title in English. */
  title: string;
  /** The possible numbers of seats. */
  seats: number[];
  /** The options of the game. */
  options: OfferedOption[];
  /** All bots of the game. */
  bots: string[];
  /** The bots that a lobby offers, the weakest first. */
  levels: string[];
  /** The title by language. */
  titles: Record<string, string>;
  /** A sentence about the game, by language. */
  summaries: Record<string, string>;
  /** Maximum length of the phrase that may go with an action; 0 if there are no phrases. */
  speech: number;
  /** The side of each seat, as a key of the game's texts; empty if all seats are alike. */
  sides: string[];
  /** The usual length of a match among people, in minutes; 0 if not known. */
  minutes: number;
  /** The difficulty of learning it: 1 (easy) to 3 (hard); 0 if not known. */
  difficulty: number;
  /** The people behind the printed game, one role per line, by language; empty if it has none. */
  credits: Record<string, string[]>;
  /** The address of its publisher; empty if it has none. */
  website: string;
}

/** The texts of a game in one language. A key without a text is shown as it is. */
export interface GameTexts {
  /** The title of the game. */
  title: string;
  /** A sentence about the game. */
  summary: string;
  /** Names of cards, phases and other terms, by key. */
  words: Record<string, string>;
  /** Title, help and values of each option. */
  options: Record<string, unknown>;
  /** By phase. Hints under the empty key fit every phase. */
  hints: Record<string, Record<string, string>>;
  /** The phrases that may go with an action, by key. */
  phrases: Record<string, string>;
  /** More texts of the game's table in the browser. */
  client: Record<string, string>;
  /** The goal of the game, in a sentence or two; may be empty. */
  goal: string;
}

/** The rules for players, as Markdown. A rule's paragraph begins with its id in bold. */
export interface GameRules {
  /** The title of the game. */
  title: string;
  /** The rules as Markdown. */
  text: string;
}

/** A player who does not sit at a table. */
export interface Visitor {
  /** The id of the player. */
  id: string;
  /** Their name. */
  name: string;
}

/** The spectators of a table, as only its host may see them. */
export interface Audience {
  /** Players who watch now. */
  spectators: Visitor[];
  /** Players whom the host removed from their seats or sent away. */
  removed: Visitor[];
  /** True if the host has closed watching, and can open it again. */
  closed: boolean;
}

/** A player whom the host sends away, or allows again. */
export interface PlayerChoice {
  /** The id of the player. */
  player: string;
}

/** An invitation of the player to a table that has not started. */
export interface Invitation {
  /** The id of the table. */
  table: string;
  /** The id of the game. */
  game: string;
  /** The name of the player who invites. */
  name: string;
  /** The key of the invite link; empty unless the player who invites certainly has it. */
  key: string;
}

/** A browser that wants to be called, as its `PushSubscription` says. */
export interface Subscription {
  /** The address of the browser at its push service. */
  endpoint: string;
  /** The public key of the browser, as base64url. */
  p256dh: string;
  /** The secret of the subscription, as base64url. */
  auth: string;
  /** The language of the notifications. */
  language?: "en" | "ja";
}

/** A browser that is not to be called any more. Without an endpoint: all of the player's. */
export interface Unsubscription {
  /** The address of the browser at its push service. */
  endpoint?: string | null;
}

/** The way in which a player is called when others wait. */
export interface Calls {
  /** The public key of the server, for `applicationServerKey` of a subscription. */
  key: string;
  /** The number of browsers in which the player is called. */
  browsers: number;
}

/** The address and the hour of a daily digest of the decisions that wait for the player. */
export interface NewDigest {
  /** By mail, or posted as JSON to a webhook. */
  kind: "mail" | "webhook";
  /** A mail address, or the https address of a webhook. */
  address: string;
  /** The hour of the day, from 0 to 23. */
  hour: number;
  /** The time zone of that hour, like Asia/Tokyo. */
  zone: string;
  /** The language of the digest. */
  language?: "en" | "ja";
}

/** The daily digest of the player. */
export interface OwnDigest {
  /** By mail, or posted as JSON to a webhook. */
  kind: "mail" | "webhook";
  /** A mail address, or the https address of a webhook. */
  address: string;
  /** The hour of the day, from 0 to 23. */
  hour: number;
  /** The time zone of that hour. */
  zone: string;
  /** True after somebody opened the link that was sent to the address. */
  confirmed: boolean;
}

/** The kinds of daily digests that the operator allows, and the player's own. */
export interface Digests {
  /** None if the operator has not set up any. */
  kinds: ("mail" | "webhook")[];
  /** The player's own; none if they have not asked for one. */
  own: OwnDigest | null;
}

/** The token of a link in a message. */
export interface DigestLink {
  /** The part of the link after `confirm=` or `stop=`. */
  token: string;
}

/** The rights that the host gives to spectators. Anything absent stays as it is. */
export interface SpectatorRules {
  /** False closes watching; true opens it again as it was. */
  watch?: boolean | null;
  /** False mutes the chat of spectators. */
  chat?: boolean | null;
}

/** A new table, and the key of its invite link. */
export interface OpenedTable {
  /** The table. */
  table: Table;
  /** The key of the invite link. */
  key: string;
}

/** A seat to take, and the key of the invite link if the seat is reserved. */
export interface Sitting {
  /** The number of the seat, from 0. */
  seat: number;
  /** The key of the invite link. */
  key?: string | null;
}

/** A seat and the bot for it. Without a bot the seat becomes free. */
export interface Placing {
  /** The number of the seat, from 0. */
  seat: number;
  /** The name of the bot. */
  bot?: string | null;
}

/** A seat to swap with. The host may name two seats. */
export interface Swapping {
  /** The seat to swap with. */
  seat: number;
  /** The other seat, if the host swaps two seats. */
  other?: number | null;
}

/** The login and password of an account. */
export interface Credentials {
  /** The login, which only the player sees. */
  login: string;
  /** The password. Only its hash is stored. */
  password: string;
}

/** The current password and a new one. All other sessions end. */
export interface PasswordChange {
  /** The current password. */
  present: string;
  /** The new one. */
  password: string;
  /** True: the tokens of the player's bots stay valid. */
  keep_bots?: boolean;
}

/** A login, one of its recovery codes and a new password. All sessions end. */
export interface Recovery {
  /** The login of the account. */
  login: string;
  /** A recovery code that was not used yet. */
  code: string;
  /** The new password. */
  password: string;
}

/** The current password, as a proof. */
export interface OwnPassword {
  /** The current password. */
  password: string;
}

/** A name that others see. */
export interface NewName {
  /** The name that others see. */
  name: string;
}

/** A player as only the player may see it. */
export interface Me {
  /** The id of the player. */
  id: string;
  /** The name that others see. */
  name: string;
  /** A guest, an account, or a player's own bot. */
  kind: "account" | "bot" | "guest";
  /** The login of an account. */
  login: string | null;
  /** A new token that replaces the one of the request. Sent to programs when theirs is old. */
  token: string | null;
  /** Number of recovery codes that were not used. None for guests and bots. */
  codes_left: number | null;
  /** New recovery codes. They are sent once, when they are made, and stored as hashes. */
  codes: string[];
  /** The operator has muted the player until then, in seconds since the epoch. */
  muted_until: number | null;
  /** True if the player is an operator of this server. */
  operator: boolean;
}

/** The player of the session, if there is one. */
export interface Session {
  /** The player; none without a session. */
  player: Me | null;
}

/** The name of a new bot, and the rights of its token. */
export interface NewBot {
  /** The name that others see. */
  name: string;
  /** The rights of the token. */
  scopes?: ("play" | "read" | "sit")[];
}

/** The rights of the new token of a bot. */
export interface NewToken {
  /** The rights of the token. */
  scopes?: ("play" | "read" | "sit")[];
}

/** A bot and its new token. The token is shown once and not stored. */
export interface BotToken {
  /** The bot. */
  player: Player;
  /** The token for `Authorization: Bearer`. */
  token: string;
  /** The rights of the token. */
  scopes: ("play" | "read" | "sit")[];
  /** Time at which the token expires, in seconds since the epoch. */
  expires: number;
}

/** A bot of the player. */
export interface OwnBot {
  /** The id of the bot. */
  id: string;
  /** The name that others see. */
  name: string;
  /** Always a bot. */
  kind: "bot";
  /** Time at which it was made, in seconds since the epoch. */
  created: number;
  /** The rights of its token. */
  scopes: ("play" | "read" | "sit")[];
  /** Time at which its token expires. None: it has no valid token, or one from before this was stored. */
  expires: number | null;
}

/** A player to mute or unmute. */
export interface Mute {
  /** The id of the other player. */
  player: string;
  /** True to mute, false to unmute. */
  muted?: boolean;
}

/** A report of bad behaviour, for the operator. */
export interface Complaint {
  /** The complaint; may be empty if `line` is given. */
  text: string;
  /** The id of a player. */
  about?: string | null;
  /** The number of a line of chat at that table. It is quoted, and its sender is reported. */
  line?: number | null;
}

/** The request was carried out. */
export interface Done {
  /** Always true. */
  ok: boolean;
}

/** A player's strength in one form of a game, almost surely `low` to `high`. */
export interface Rating {
  /** The id of the game. */
  game: string;
  /** The form, as a value of the option that chooses it; empty if the game has only one. */
  form: string;
  /** The number of seats. */
  seats: number;
  /** Against other people, or alone against bots of the server. */
  rivals: "bots" | "people";
  /** The estimated strength. */
  mean: number;
  /** The lower end of the interval, by which leaderboards are ordered. */
  low: number;
  /** The upper end of the interval. */
  high: number;
  /** The number of rated matches. */
  matches: number;
}

/** A player and their ratings. */
export interface Profile {
  /** The player. */
  player: Player;
  /** One rating per game, form, number of seats and kind of rivals. */
  ratings: Rating[];
}

/** Matches that are rated together. Each such pool has a leaderboard. */
export interface RatedPool {
  /** The id of the game. */
  game: string;
  /** The form of the game; empty if it has only one. */
  form: string;
  /** The number of seats. */
  seats: number;
  /** Whether ratings were won against people or against bots. */
  rivals: "bots" | "people";
}

/** A place of a leaderboard. */
export interface Ranked {
  /** The player. */
  player: Player;
  /** The player's rating in the game of the leaderboard. */
  rating: Rating;
}

/** The occupant of a seat: a player, or a bot of the server by its name. */
export interface Sitter {
  /** The name at the time of the match. */
  name: string;
  /** The player as they are now; none for a bot of the server. */
  player: Player | null;
}

/** The change of a player's rating by a match. */
export interface RatingChange {
  /** The mean before the match. */
  before: number;
  /** The mean after it. */
  mean: number;
  /** The lower end of the interval after it. */
  low: number;
  /** The upper end of the interval after it. */
  high: number;
}

/** A match in a list. */
export interface Played {
  /** The id of the match. */
  id: string;
  /** The id of its table. Only players of the match are told. */
  table: string | null;
  /** The id of the game. */
  game: string;
  /** The number of seats. */
  seats: number;
  /** Start, in seconds since the epoch. */
  started: number;
  /** End, in seconds since the epoch; none before it. */
  ended: number | null;
  /** The occupant of each seat. */
  players: Sitter[];
  /** True if the match counts for ratings. */
  rated: boolean;
  /** The rank of each seat, 1 is best; none before the end. */
  ranks: number[] | null;
  /** The score of each seat; none before the end. */
  scores: number[] | null;
  /** The form, as a value of the option that chooses it; empty if the game has only one. */
  form: string;
  /** Why the match does not count. Only those who played it learn that two came from one address. */
  unrated: "address" | "bot-strength" | "content" | "no-rivals" | "own-bot" | "pair" | "scene" | null;
  /** The ranks that counted for ratings: players who left come last. */
  rated_ranks: number[] | null;
  /** By seat, how the rating changed; none if no rating did, or if it was not kept then. */
  changes: (RatingChange | null)[] | null;
}

/** Finished matches, the newest first. `before` leads to older ones, if there are any. */
export interface History {
  /** The matches of this page. */
  matches: Played[];
  /** The parameter `before` of the next page; none on the last page. */
  before: number | null;
}

/** A finished match as a line of the statistics of one of its players. */
export interface Counted {
  /** The id of the match. */
  id: string;
  /** The id of the game. */
  game: string;
  /** The form; empty if the game has only one. */
  form: string;
  /** The number of seats. */
  seats: number;
  /** Start, in seconds since the epoch. */
  started: number;
  /** The length of the match, in seconds. */
  seconds: number;
  /** The rank of the player, 1 is best. */
  rank: number;
  /** The number of seats on the first rank. */
  winners: number;
  /** The score of the player. */
  score: number | null;
  /** Whether other people played, or bots alone. */
  rivals: "bots" | "people";
  /** The level of the bots, if there were any and all had the same. */
  level: string | null;
  /** The change of the player's rating; none if there was none, or if it was not stored then. */
  change: RatingChange | null;
}

/** A player's newest finished matches. */
export interface Statistics {
  /** The matches, the newest first. */
  matches: Counted[];
  /** True if there are older ones, which are not counted. */
  more: boolean;
}

/** A reader's view after `step` actions, and the facts that the last action revealed. */
export interface Sight {
  /** The seat whose view this is, or "all" for all cards. */
  reader: number | "all";
  /** The number of actions before this view. */
  step: number;
  /** The number of actions of the match. */
  steps: number;
  /** The view, whose fields differ by game. */
  view: Record<string, unknown>;
  /** The seat that took the action; none for the set-up. */
  seat: number | null;
  /** The last action, in notation; none for the set-up. */
  action: string | null;
  /** The phrase that went with the action. */
  says: string | null;
  /** The facts that the last action revealed to the reader. */
  facts: (Record<string, unknown>)[];
  /** One sentence per fact. */
  said: string[];
}

/** A match, the header of its record and, if requested, a reader's view. */
export interface Match {
  /** The match as in a list. */
  match: Played;
  /** The header of the match's record. */
  header: Record<string, unknown>;
  /** Number of actions of a finished match. */
  steps: number | null;
  /** The view that `seat` and `step` ask for. */
  sight: Sight | null;
}

/** The text of a record, and the player's own evidence of the deal. */
export interface RecordText {
  /** The record, as `record` of a match or `zashiki` writes it. */
  record: string;
  /** The player's own evidence of the deal, as the verify page of the browser downloads it. */
  witness?: Record<string, unknown> | null;
}

/** One result of a verification. */
export interface Finding {
  /** Whether the check passed, failed, or could not be made. */
  verdict: "failed" | "not judged" | "ok";
  /** The result as a sentence. */
  text: string;
  /** The line of the record at fault. */
  line: number | null;
}

/** The verification of a record: its hash chain, its seed, its rules and its nonces. */
export interface Verified {
  /** True if no check failed. */
  ok: boolean;
  /** The hash chain: nothing was changed later. */
  chain: Finding;
  /** The seed: the cards were dealt as committed. */
  seed: Finding;
  /** The rules: every action was legal, with the right outcome. */
  rules: Finding;
  /** The nonces: each fits its hash, and the player's own took part. */
  nonces: Finding;
  /** `ok` if all four are: then the shuffle is proved to the player of the witness. */
  verdict: "failed" | "not judged" | "ok";
  /** The number of actions that could not be judged. The set-up counts as one. */
  not_judged: number;
}

/** The value of one legal action to its seat. */
export interface ReviewedAction {
  /** The notation. */
  action: string;
  /** The action in words. */
  text: string;
  /** The value, from 0 to 1. */
  value: number;
  /** The standard error of the value. */
  error: number;
  /** The number of worlds in which the action was tried. */
  worlds: number;
  /** The share of the action in a stored equilibrium; null if none applies. */
  frequency: number | null;
}

/** One decision of a seat, judged by what the seat knew. */
export interface ReviewedDecision {
  /** The number of the action in the match, from 1. */
  act: number;
  /** The notation of the action that was played. */
  played: string;
  /** The same in words. */
  played_text: string;
  /** The notation of the best other action. */
  rival: string;
  /** The same in words. */
  rival_text: string;
  /** The cost of the decision, as a share of the win. It can be below 0. */
  loss: number;
  /** The standard error of the loss. */
  error: number;
  /** The judgement. `found`: the one best action, which weak bots miss. */
  mark: "as-good" | "blunder" | "found" | "inaccuracy" | "mistake" | "too-close";
  /** The number of worlds in which both actions were tried. */
  worlds: number;
  /** The gain of the best other action with all cards open. */
  open_gain: number;
  /** The standard error of that gain. */
  open_error: number;
  /** The best legal actions and the one that was played, the highest value first. */
  actions: ReviewedAction[];
}

/** One part of a result, as a share of the win. */
export interface ReviewedEffect {
  /** The effect. It can be below 0. */
  value: number;
  /** Its standard error. */
  error: number;
}

/** A result taken apart: result - start = own + cards + others + unseen + remainder. */
export interface ReviewAccount {
  /** The result, from 0 to 1. */
  result: number;
  /** The value of the seat before the deal. */
  start: ReviewedEffect;
  /** The effect of the seat's own decisions, given what it knew. */
  own: ReviewedEffect;
  /** The effect of the deal and of every later draw. */
  cards: ReviewedEffect;
  /** The effect of what the others chose. */
  others: ReviewedEffect;
  /** The effect of the seat's own choices by cards that it could not see. */
  unseen: ReviewedEffect;
  /** The part that random sampling leaves unexplained. */
  remainder: number;
  /** The result without the effect of the cards. */
  adjusted: number;
}

/** The review of one seat. */
export interface ReviewedSeat {
  /** The number of the seat. */
  seat: number;
  /** The value after the set-up and after each action, with all cards as they were. */
  curve: number[];
  /** The decisions with at least two legal actions, in order. */
  decisions: ReviewedDecision[];
  /** The places in `decisions` of those that cost most, at most three. */
  moments: number[];
  /** The result taken apart. */
  account: ReviewAccount;
}

/** The best review of a match so far. A better one is made while somebody asks. */
export interface MatchReview {
  /** True if no better one will follow. */
  is_finished: boolean;
  /** The maximum number of playouts per decision; 0 if there is no review yet. */
  playouts: number;
  /** The seats; null if there is no review with more playouts than `known`. */
  seats: ReviewedSeat[] | null;
}

/** Content that a player wrote for an option: a text or a mapping, never a path. */
export interface CardSetContent {
  /** The id of a game. */
  game: string;
  /** The name of an option that takes content. */
  option: string;
  /** The content: a text in TOML, or a mapping. */
  content: string | Record<string, unknown>;
}

/** The reason why content cannot be used, and its place. */
export interface ContentFault {
  /** The fault as a sentence. */
  text: string;
  /** The key at fault, as in `cards[3].attack`; empty if there is no single one. */
  path: string;
  /** The line at fault, if a text cannot be parsed. */
  line: number | null;
}

/** The result of a check: the normalized content with remarks on it, or the fault. */
export interface CheckedCardSet {
  /** True if the content can be used. */
  ok: boolean;
  /** The name of the content. */
  name: string | null;
  /** Remarks on the content, as sentences. */
  remarks: string[];
  /** The normalized content. */
  content: Record<string, unknown> | null;
  /** The reason why the content cannot be used. */
  fault: ContentFault | null;
}

/** A card set in a list. */
export interface CardSetInfo {
  /** The id of the card set. */
  id: string;
  /** The name of the card set. */
  name: string;
  /** The id of the game. */
  game: string;
  /** The name of the option that takes it. */
  option: string;
  /** The player who saved it. */
  owner: Player;
  /** True if everyone can see and use it. */
  shared: boolean;
  /** When it was saved, in seconds since the epoch. */
  created: number;
}

/** A card set with its content. */
export interface CardSet {
  /** The card set as in a list. */
  about: CardSetInfo;
  /** The content. */
  content: Record<string, unknown>;
  /** Remarks on the content, as sentences. */
  remarks: string[];
}

/** The operator who sends the request: the name of an account, or `key`. */
export interface OperatorSession {
  /** The name of the account, or `key`. */
  name: string;
  /** The id of the account; none for the operator's key. */
  account: string | null;
}

/** A report of a player, for the operator. */
export interface Report {
  /** The id of the report. */
  id: string;
  /** Time of the report, in seconds since the epoch. */
  at: number;
  /** The player who reports. */
  by: Player;
  /** The player whom it is about. */
  about: Player | null;
  /** The text of the player, after the reported line of chat. */
  text: string;
  /** The id of the table. */
  table: string | null;
  /** The id of the match that was played there. */
  match: string | null;
  /** The number of the reported line of chat. */
  line: number | null;
  /** Time at which the operator was done with it. */
  done: number | null;
}

/** A line of chat, for the operator. */
export interface SpokenLine {
  /** The number of the line. */
  n: number;
  /** Time, in seconds since the epoch. */
  at: number;
  /** The player who said it. */
  player: Player;
  /** The seat of the player; none for spectators. */
  seat: number | null;
  /** The text. */
  text: string;
}

/** Mutes and bans of a player by the operator. */
export interface Standing {
  /** The player. */
  player: Player;
  /** Time at which the player came first, in seconds since the epoch. */
  created: number;
  /** End of a mute, in seconds since the epoch. */
  muted_until: number | null;
  /** End of a ban, in seconds since the epoch. */
  banned_until: number | null;
  /** End of the ban of the player's address, in seconds since the epoch. */
  address_banned_until: number | null;
  /** True if the address is known by its hash, so that it can be banned. */
  has_address: boolean;
  /** The owner of a bot. */
  owner: Player | null;
}

/** An act of an operator. */
export interface Act {
  /** The id of the act. */
  id: string;
  /** Time of the act, in seconds since the epoch. */
  at: number;
  /** The name of an account, or `key`. */
  operator: string;
  /** The kind of act. */
  kind: "ban" | "ban-address" | "close" | "done" | "mute" | "unban" | "unban-address" | "unmute";
  /** The player on whom it was done. */
  player: Player | null;
  /** The id of the table that was closed. */
  table: string | null;
  /** The id of the report that was the reason. */
  report: string | null;
  /** End of a mute or a ban, in seconds since the epoch. */
  until: number | null;
  /** The reason. */
  why: string;
}

/** A report with its context. */
export interface Case {
  /** The report. */
  report: Report;
  /** Mutes and bans of the player whom the report is about. */
  standing: Standing | null;
  /** The game of the table. */
  game: string | null;
  /** The state of the table. */
  state: string | null;
  /** The chat around the reported line, or the last lines before the report. */
  lines: SpokenLine[];
  /** Other reports about the same player, the newest first. */
  others: Report[];
  /** Acts on this report and on this player, the newest first. */
  acts: Act[];
}

/** An act of the operator: on a player, on a table (`close`) or on a report (`done`). */
export interface NewAct {
  /** The kind of act. */
  kind: "ban" | "ban-address" | "close" | "done" | "mute" | "unban" | "unban-address" | "unmute";
  /** The reason, which is kept. */
  why: string;
  /** The id of a player. */
  player?: string | null;
  /** The id of a table. */
  table?: string | null;
  /** The report that is the reason, or that is done. */
  report?: string | null;
  /** The length of a mute or a ban, in hours. */
  hours?: number | null;
}

/** News in words, in frames of version 1. */
export interface OldWords {
  /** One sentence per fact. */
  said: string[];
  /** One label per legal action. */
  labels: string[];
  /** The decision that the reader has to make. */
  asked: string;
}

/** Deprecated: `told` of version 1, which a `hello` without `version` asks for. */
export interface OldTold {
  is: "told";
  /** The number of the first of these facts. */
  first: number;
  /** New facts that the reader may know, in order. */
  facts: (Record<string, unknown>)[];
  /** The seats that owe a decision. */
  to_act: number[];
  /** The number of the decision that the reader owes; none if the reader owes none. */
  decision: number | null;
  /** The reader's legal actions, in notation. */
  legal: string[];
  /** True if the match has ended. */
  over: boolean;
  /** The result of a match that has ended. */
  outcome: Outcome | null;
  /** The view of the reader, whose fields differ by game. Absent if `hello` declined views. */
  view?: Record<string, unknown>;
  /** The news in words. Absent if `hello` named no language. */
  words?: OldWords;
  /** Number of the reader's decisions that a bot made, because the reader was away or late. */
  stood_in?: number;
}
