import { expect, test, vi } from "vitest";

import { refusing, serving } from "$test/server";
import { Fault, get, post, remove } from "./api";

test("asks as a page of ours, and reads what is answered", async () => {
  const asked = serving(({ path }) => (path === "/text" ? new Response("plain") : { path }));
  expect(await get("/a")).toEqual({ path: "/a" });
  expect(await get("/text")).toBe("plain");
  expect(await post("/b", { x: 1 })).toEqual({ path: "/b" });
  await post("/c");
  await remove("/d");
  expect(asked.map(({ method, path, data }) => [method, path, data])).toEqual([
    ["GET", "/a", undefined],
    ["GET", "/text", undefined],
    ["POST", "/b", { x: 1 }],
    ["POST", "/c", undefined],
    ["DELETE", "/d", undefined],
  ]);
  expect(asked.map(({ headers }) => headers["X-Zashiki"])).toEqual([
    undefined,
    undefined,
    "1",
    "1",
    "1",
  ]);
});

test("a refusal is thrown with its code, its words and its details", async () => {
  serving(() => refusing(409, "seat-taken", "too late"));
  const fault = await post("/sit").catch((caught: unknown) => caught);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({
    status: 409,
    code: "seat-taken",
    message: "too late",
    details: { from: "server" },
  });
});

test("an answer of something else than our server is no surprise", async () => {
  serving(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  await expect(get("/a")).rejects.toMatchObject({
    status: 502,
    code: "unknown",
    message: "Bad Gateway",
    details: {},
  });
});

test("without a network the fault says so", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(get("/a")).rejects.toMatchObject({ status: 0, code: "offline" });
});
