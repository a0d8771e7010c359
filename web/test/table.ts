/** A table model for a game's client, with values set by a test; requests are recorded. */

import type { News, Person, TableModel, View } from "$web/table/model";

export class FakeTable implements TableModel {
  game = "some-game";
  options: Record<string, unknown> = {};
  seat: number | null = 0;
  people: readonly Person[] = ["Aki", "Ben", "Chie", "Dai"].map((name, seat) => person(name, seat));
  view: View = {};
  views: readonly View[] | null = null;
  legal: readonly string[] = [];
  toAct: readonly number[] = [];
  decision: number | null = 1;
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
  /** True if the server accepts plays. */
  accepts = true;
  readonly played: (readonly [string, string | undefined])[] = [];
  readonly doubted: string[] = [];
  skipped = 0;
  dismissed = 0;

  constructor(more: Partial<FakeTable> = {}) {
    Object.assign(this, more);
  }

  label = (action: string) => action;
  word = (key: string) => key;

  /** A key and its details, so that a test sees which text was used with which details. */
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

  dismiss(): void {
    this.dismissed += 1;
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
