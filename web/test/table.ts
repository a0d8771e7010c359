/** A table as a game's client is given it, with what a test sets; what is asked is remembered. */

import type { News, Person, TableModel, View } from "$lib/table";

export class FakeTable implements TableModel {
  game = "some-game";
  options: Record<string, unknown> = {};
  seat: number | null = 0;
  people: readonly Person[] = ["Aki", "Ben", "Chie", "Dai"].map((name, seat) => person(name, seat));
  view: View = {};
  views: readonly View[] | null = null;
  legal: readonly string[] = [];
  toAct: readonly number[] = [];
  asked = "";
  over = false;
  outcome: TableModel["outcome"] = null;
  news: readonly News[] = [];
  past: readonly News[] = [];
  busy = false;
  isReplay = false;
  blame: ReadonlySet<string> = new Set();
  speech = 0;
  phrases: Record<string, string> = {};
  /** Does the server accept what is played? */
  accepts = true;
  readonly played: (readonly [string, string | undefined])[] = [];
  readonly doubted: string[] = [];
  skipped = 0;

  constructor(more: Partial<FakeTable> = {}) {
    Object.assign(this, more);
  }

  label = (action: string) => action;
  word = (key: string) => key;

  /** A key and its details, so that a test sees what was said with what. */
  say = (key: string, details: Record<string, string | number> = {}) => {
    const given = Object.entries(details).map(([name, value]) => `${name}=${value}`);
    return given.length === 0 ? key : `${key}(${given.join("; ")})`;
  };

  async play(action: string, says?: string): Promise<boolean> {
    this.played.push([action, says]);
    return this.accepts;
  }

  async whyNot(action: string): Promise<void> {
    this.doubted.push(action);
  }

  skip(): void {
    this.skipped += 1;
  }
}

export function person(name: string, seat: number): Person {
  const usual = { bot: null, me: seat === 0, here: true, standIn: null, until: null };
  const standing = { resigned: false, last: false, since: null, claim: null };
  return { seat, name, kind: "guest", ...usual, ...standing };
}

export function news(fact: string, details: Record<string, unknown> = {}, own = false): News {
  return { n: 1, own, fact, with: details, text: `${fact}!` };
}
