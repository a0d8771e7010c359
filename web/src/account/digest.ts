/** The hour of a daily digest. */

export const HOURS: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);
export const USUAL_HOUR = 8;

/** An hour in the format of a clock. */
export function clockText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

/** The time zone of this browser; UTC if it is unknown. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/** The request of a link in a message: its token, and whether it confirms or stops. */
export function linkOf(asked: URLSearchParams): { token: string; stops: boolean } | null {
  for (const name of ["confirm", "stop"]) {
    const token = asked.get(name);
    if (token) return { token, stops: name === "stop" };
  }
  return null;
}
