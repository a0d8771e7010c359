import { beforeEach, describe, expect, test, vi } from "vitest";

import { follow, router } from "./router.svelte";

const calls: string[] = [];

beforeEach(() => {
  calls.length = 0;
  const move = (kind: string) => (_: unknown, __: string, address: string) => {
    calls.push(`${kind} ${address}`);
    location.href = new URL(address, location.href).href;
  };
  Object.assign(history, { pushState: move("push"), replaceState: move("replace") });
  vi.stubGlobal("scrollTo", (x: number, y: number) => calls.push(`scroll ${x} ${y}`));
  location.href = "http://zashiki.test/";
});

describe("the address", () => {
  test("says which page is meant", () => {
    router.go("/table/a%20b?key=k%26");
    expect([router.parts, router.asked.get("key")]).toEqual([["table", "a b"], "k&"]);
    expect(calls).toEqual(["push /table/a%20b?key=k%26", "scroll 0 0"]);
    router.go("/", true);
    expect([router.parts, calls.at(-1)]).toEqual([[], "replace /"]);
  });

  test.each(["/table/%", "/table/%E0%A4%A", "/player/%ff", "/replay/%"])(
    "%s, a link that was cut off, stands as it is",
    (path) => {
      router.path = path;
      expect(router.parts).toEqual(path.slice(1).split("/"));
    },
  );

  test("is read again when the browser goes back", () => {
    router.go("/settings");
    location.href = "http://zashiki.test/rules?x=1";
    dispatchEvent(new Event("popstate"));
    expect([router.path, router.search]).toEqual(["/rules", "?x=1"]);
  });
});

describe("a link", () => {
  function press(href: string, event: object = {}, link: object = {}): boolean {
    const target = new URL(href, location.href);
    const { origin, pathname, search, hash } = target;
    const has = { hasAttribute: () => false, getAttribute: () => href, target: "", ...link };
    const anchor = { origin, pathname, search, hash, ...has };
    let isTaken = false;
    follow({
      target: { closest: () => anchor },
      defaultPrevented: false,
      button: 0,
      preventDefault: () => (isTaken = true),
      ...event,
    } as unknown as MouseEvent);
    return isTaken;
  }

  test("to a page of ours does not load anew", () => {
    expect(press("/rules/red-town?a=1#RT-1")).toBe(true);
    expect(calls[0]).toBe("push /rules/red-town?a=1#RT-1");
  });

  test.each([
    ["another site", "https://elsewhere.test/", {}, {}],
    ["the server", "/api/matches/m/record", {}, {}],
    ["the documentation", "/docs", {}, {}],
    ["a page of the documentation", "/docs/ja/host/", {}, {}],
    ["a place on this page", "#top", {}, {}],
    ["a window of its own", "/rules", {}, { target: "_blank" }],
    ["a file", "/rules", {}, { hasAttribute: () => true }],
    ["another tab", "/rules", { ctrlKey: true }, {}],
    ["the middle button", "/rules", { button: 1 }, {}],
    ["what is done already", "/rules", { defaultPrevented: true }, {}],
    ["nothing", "/rules", { target: { closest: () => null } }, {}],
  ])("to %s is left to the browser", (_, href, event, link) => {
    expect(press(href, event, link)).toBe(false);
    expect(calls).toEqual([]);
  });
});
