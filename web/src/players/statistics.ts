/** Statistics of the player's matches: win rates, places, streaks, lengths and ratings. */

import type * as wire from "$web/shared/wire";

/** The filter; empty for all matches. */
export interface Filter {
  game: string;
  seats: string;
  /** The level of the bots, or "people". */
  rivals: string;
}

export const EVERYTHING: Filter = { game: "", seats: "", rivals: "" };

/** The opponents of a match: people, bots of one level, or bots of several levels ("mixed"). */
export function rivalsOf(match: wire.Counted): string {
  return match.rivals === "people" ? "people" : (match.level ?? "mixed");
}

/** The same filter as a query to the server. Bots of mixed levels are among all bots. */
export function queryOf({ game, seats, rivals }: Filter): string {
  const isLevel = !["", "people", "bots", "mixed"].includes(rivals);
  const kind = rivals === "" || rivals === "people" ? rivals : "bots";
  const asked = { game, seats, rivals: kind, rival: isLevel ? `bot:${rivals}` : "" };
  return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
}

export function chosen(matches: readonly wire.Counted[], filter: Filter): readonly wire.Counted[] {
  return matches.filter(
    (match) =>
      (filter.game === "" || match.game === filter.game) &&
      (filter.seats === "" || String(match.seats) === filter.seats) &&
      ["", match.rivals, rivalsOf(match)].includes(filter.rivals),
  );
}

export interface Summary {
  count: number;
  wins: number;
  /** The share of matches won, from 0 to 1. */
  share: number;
  /** The share of wins that chance alone would give. */
  expected: number;
  place: number;
  /** Winning streaks: the longest, and the current one. */
  longest: number;
  current: number;
  seconds: number;
}

/** Expects matches with the newest first. */
export function summaryOf(matches: readonly wire.Counted[]): Summary {
  const count = matches.length;
  const mean = (of: (match: wire.Counted) => number) =>
    count === 0 ? 0 : matches.reduce((sum, match) => sum + of(match), 0) / count;
  let [longest, run] = [0, 0];
  for (const match of matches) {
    run = match.rank === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  const lost = matches.findIndex((match) => match.rank !== 1);
  return {
    count,
    wins: matches.filter((match) => match.rank === 1).length,
    share: mean((match) => Number(match.rank === 1)),
    expected: mean((match) => match.winners / match.seats),
    place: mean((match) => match.rank),
    longest,
    current: lost < 0 ? count : lost,
    seconds: mean((match) => match.seconds),
  };
}

/** The same matches in groups, the largest group first. */
export function groupsOf(
  matches: readonly wire.Counted[],
  key: (match: wire.Counted) => string,
): readonly (readonly [string, Summary])[] {
  const groups = new Map<string, wire.Counted[]>();
  for (const match of matches) groups.set(key(match), [...(groups.get(key(match)) ?? []), match]);
  return [...groups]
    .map(([name, group]) => [name, summaryOf(group)] as const)
    .sort(([, one], [, other]) => other.count - one.count);
}

/** A pool of ratings with its history, oldest first. */
export interface Course {
  match: wire.Counted;
  points: readonly { at: number; mean: number; low: number; high: number }[];
}

/** The histories of all ratings that changed, the longest first. */
export function coursesOf(matches: readonly wire.Counted[]): readonly Course[] {
  const pools = new Map<string, wire.Counted[]>();
  for (const match of [...matches].reverse()) {
    if (match.change === null) continue;
    const pool = [match.game, match.form, match.seats, match.rivals].join(" ");
    pools.set(pool, [...(pools.get(pool) ?? []), match]);
  }
  return [...pools.values()]
    .flatMap((group) => {
      const [match] = group;
      if (!match) return [];
      const points = group.flatMap(({ started, change }) =>
        change === null
          ? []
          : [{ at: started, mean: change.mean, low: change.low, high: change.high }],
      );
      return [{ match, points }];
    })
    .sort((one, other) => other.points.length - one.points.length);
}

/** A rating's history as a line and a band around it, in a box of a width and a height. */
export function drawn(
  points: Course["points"],
  width: number,
  height: number,
): { line: string; band: string; low: number; high: number } {
  const low = Math.min(...points.map((one) => one.low));
  const high = Math.max(...points.map((one) => one.high));
  const x = (place: number) =>
    points.length < 2 ? width / 2 : (place * width) / (points.length - 1);
  const y = (value: number) => height - ((value - low) / (high - low || 1)) * height;
  const path = (values: readonly (readonly [number, number])[]) =>
    values.map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const upper = points.map((one, place) => [place, one.high] as const);
  const lower = points.map((one, place) => [place, one.low] as const).reverse();
  return {
    line: `M${path(points.map((one, place) => [place, one.mean] as const))}`,
    band: `M${path([...upper, ...lower])}Z`,
    low,
    high,
  };
}
