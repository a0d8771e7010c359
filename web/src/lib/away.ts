/** Of how many decisions that a bot took for somebody they know, by table; kept in this browser. */

const KEY = "zashiki.away";
const MOST = 50;

function kept(): [string, number][] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

export function knownAt(table: string): number {
  return kept().find(([one]) => one === table)?.[1] ?? 0;
}

export function rememberAt(table: string, count: number): void {
  const others = kept().filter(([one]) => one !== table);
  localStorage.setItem(KEY, JSON.stringify([[table, count], ...others].slice(0, MOST)));
}
