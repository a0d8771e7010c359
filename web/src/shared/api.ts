/** Requests to the server over HTTP. */

export class Fault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(text);
  }
}

async function answered<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Fault(0, "offline", "the server cannot be reached");
  }
  if (!response.ok) {
    const said = await response.json().catch(() => null);
    throw new Fault(
      response.status,
      said?.code ?? "unknown",
      said?.text ?? response.statusText,
      said?.details,
    );
  }
  const kind = response.headers.get("content-type") ?? "";
  return (kind.includes("/json") ? response.json() : response.text()) as Promise<T>;
}

export type Headers = Record<string, string>;

export function get<T>(path: string, headers: Headers = {}): Promise<T> {
  return answered<T>(path, { headers });
}

export function post<T>(path: string, data?: unknown, headers: Headers = {}): Promise<T> {
  return answered<T>(path, {
    method: "POST",
    headers: { "X-Zashiki": "1", "Content-Type": "application/json", ...headers },
    body: data === undefined ? null : JSON.stringify(data),
  });
}

export function remove<T>(path: string): Promise<T> {
  return answered<T>(path, { method: "DELETE", headers: { "X-Zashiki": "1" } });
}
