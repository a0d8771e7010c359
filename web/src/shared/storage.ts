/** The browser's storage, which may be blocked, full, or hold something else than was written. */

export type Check<T> = (value: unknown) => value is T;

/** Values that the browser would not store, for as long as the page is open. */
const refused = new Map<string, string>();

/** The value under a key, if it has the right shape. */
export function stored<T>(key: string, isRight: Check<T>, otherwise: T): T {
  try {
    const value: unknown = JSON.parse(refused.get(key) ?? localStorage.getItem(key) ?? "null");
    return isRight(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

export function store(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    refused.delete(key);
  } catch {
    refused.set(key, text);
  }
}

/** Remove the value under a key. */
export function drop(key: string): void {
  refused.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // a browser that blocks its storage has nothing under the key either
  }
}

// Shapes ------------------------------------------------------------------------------------------

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

export function nullOr<T>(isRight: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || isRight(value);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function recordOf<T>(isRight: Check<T>): Check<Record<string, T>> {
  return (value): value is Record<string, T> =>
    isRecord(value) && Object.values(value).every(isRight);
}

export function listOf<T>(isRight: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(isRight);
}

/** A pair of a text and a value. */
export function pairWith<T>(isRight: Check<T>): Check<[string, T]> {
  return (value): value is [string, T] =>
    Array.isArray(value) && value.length === 2 && isText(value[0]) && isRight(value[1]);
}
