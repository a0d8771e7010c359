/** Fake HTTP responses by path. Every request is kept. */

import { vi } from "vitest";

export interface Asked {
  method: string;
  path: string;
  data: unknown;
  headers: Record<string, string>;
}

export type Answers = (asked: Asked) => unknown;

/** Answer every request of this test with a Response, or with a value as JSON. */
export function serving(answers: Answers): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const data = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    const headers = (init.headers ?? {}) as Record<string, string>;
    const asked = { method: init.method ?? "GET", path, data, headers };
    all.push(asked);
    const answer = await answers(asked);
    return answer instanceof Response ? answer : Response.json(answer ?? null);
  });
  return all;
}

export function refusing(status: number, code: string, text = ""): Response {
  return Response.json({ code, text, details: { from: "server" } }, { status });
}
