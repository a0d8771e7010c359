import { describe, expect, test, vi } from "vitest";

import { clockText, HOURS, linkOf, ownZone } from "./digest";

describe("a digest", () => {
  test("has an hour as clocks show it", () => {
    expect(HOURS.map(clockText).slice(0, 2)).toEqual(["00:00", "01:00"]);
    expect(clockText(23)).toBe("23:00");
    expect(HOURS).toHaveLength(24);
  });

  test("is in the zone of the browser, or in UTC where it has none", () => {
    expect(ownZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    const options = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
    options.mockReturnValue({ timeZone: "" } as Intl.ResolvedDateTimeFormatOptions);
    expect(ownZone()).toBe("UTC");
    options.mockRestore();
  });

  test("has links that confirm or stop", () => {
    const link = (query: string) => linkOf(new URLSearchParams(query));
    expect(link("confirm=v1.a.b")).toEqual({ token: "v1.a.b", stops: false });
    expect(link("stop=v1.a.b")).toEqual({ token: "v1.a.b", stops: true });
    expect(link("stop=")).toBeNull();
    expect(link("")).toBeNull();
  });
});
