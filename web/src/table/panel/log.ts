/** The log in words: helpers for the games' own logs, and the client's additions to them. */

import { t, type Details } from "$web/shared/i18n.svelte";
import type { GameLog, LogGroup, LogLine, News, TableModel } from "../model";

/** Marks the place of the cards in a line. */
export const CARDS = "{cards}";

/** The player of a seat, as the reader calls them: "You" for oneself. */
export function who(table: TableModel, seat: number): string {
  return seat === table.seat ? t("log.you") : (table.people[seat]?.name ?? "");
}

/** The same, within a sentence. */
export function whom(table: TableModel, seat: number): string {
  return seat === table.seat ? t("log.youObject") : (table.people[seat]?.name ?? "");
}

/** Several players in a list. */
export function whoAll(table: TableModel, seats: readonly number[]): string {
  return seats
    .map((seat, place) => (place === 0 ? who(table, seat) : whom(table, seat)))
    .join(t("shell.comma"));
}

/** Collects a game's facts as groups of lines, with texts from the section [client]. */
export class LogWriter {
  readonly groups: { heading: string; lines: LogLine[] }[] = [{ heading: "", lines: [] }];

  constructor(readonly table: TableModel) {}

  /** Begin a group of lines. */
  head(heading: string): void {
    this.groups.push({ heading, lines: [] });
  }

  /** Add a line with a text of the game; `{who}` in it is the player of `seat`. */
  say(
    key: string,
    news: News,
    details: Details = {},
    cards: LogLine["cards"] | readonly string[] = [],
  ): LogLine {
    const seat = typeof news.with.seat === "number" ? news.with.seat : null;
    const named: Details = seat === null ? {} : { who: who(this.table, seat) };
    return this.add(news, this.table.say(key, { ...named, ...details }), cards, seat);
  }

  /** Add a line with the server's sentence, in which the reader is "You". */
  asTold(news: News): void {
    const { seat } = this.table;
    const name = seat === null ? "" : (this.table.people[seat]?.name ?? "");
    const isOwn = seat !== null && news.with.seat === seat && news.text.startsWith(name);
    const text = isOwn ? `${t("log.you")}${news.text.slice(name.length)}` : news.text;
    if (text !== "") this.add(news, text.replaceAll(/[{}]/g, ""), []);
  }

  add(
    news: News,
    text: string,
    cards: LogLine["cards"] | readonly string[],
    seat: number | null = null,
  ): LogLine {
    const drawn = cards.map((card) => (typeof card === "string" ? { card } : card));
    const line: LogLine = { n: news.n, text, cards: drawn, seat };
    this.groups.at(-1)?.lines.push(line);
    return line;
  }

  /** All groups that are not empty. */
  written(): readonly LogGroup[] {
    return this.groups.filter((group) => group.lines.length > 0);
  }
}

/** The log of a game without its own: the server's sentences, one per line. */
export const plainLog: GameLog = {
  tell: (facts, table) => {
    const writer = new LogWriter(table);
    for (const news of facts) writer.asTold(news);
    return writer.written();
  },
  card: null,
};

/** An event outside the match, and the number of facts before it. */
export interface Beside {
  after: number;
  text: () => string;
}

/** The groups, with the outside events inserted. */
export function withBeside(
  groups: readonly LogGroup[],
  beside: readonly Beside[],
): readonly LogGroup[] {
  if (beside.length === 0) return groups;
  const woven = groups.map((group) => ({ ...group, lines: [...group.lines] }));
  if (woven.length === 0) woven.push({ heading: "", lines: [] });
  for (const { after, text } of beside) {
    const line: LogLine = { n: after, text: text(), cards: [], seat: null };
    const group = woven.findLast(({ lines }) => (lines[0]?.n ?? 0) <= after) ?? woven[0];
    const place = group?.lines.findLastIndex(({ n }) => n <= after) ?? -1;
    group?.lines.splice(place + 1, 0, line);
  }
  return woven;
}

/** A text split at the places where cards are drawn. */
export function pieces(text: string): readonly string[] {
  return text.split(CARDS);
}

/** The punctuation at the beginning of a text, and the rest. */
export function parted(text: string): readonly [string, string] {
  const point = /^[.,:;!?)。、：）]*/u.exec(text)?.[0] ?? "";
  return [point, text.slice(point.length)];
}
