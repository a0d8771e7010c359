/** A WebSocket without a network: a test reads sent frames and decides what arrives and when. */

import type * as wire from "$web/shared/wire";
import type { Connect, Transport } from "$web/table/socket";

export type Frame = Record<string, unknown> & { do: string; key: string };

export class FakeTransport implements Transport {
  readyState: 0 | 1 | 2 | 3 = 0;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  readonly sent: Frame[] = [];

  send(frame: unknown): void {
    if (this.readyState !== 1) throw new DOMException("not open", "InvalidStateError");
    this.sent.push(JSON.parse(String(frame)) as Frame);
  }

  /** The page closes it; as in a browser, `onclose` follows later, not at once. */
  close(): void {
    this.readyState = 3;
  }

  /** The server accepts the connection. */
  accept(): this {
    this.readyState = 1;
    this.onopen?.call(this as unknown as WebSocket, new Event("open"));
    return this;
  }

  /** A frame of the server arrives. */
  tell(news: wire.News): void {
    const event = new MessageEvent("message", { data: JSON.stringify(news) });
    this.onmessage?.call(this as unknown as WebSocket, event);
  }

  /** The connection has ended. */
  cut(): void {
    this.readyState = 3;
    this.onclose?.call(this as unknown as WebSocket, new Event("close") as CloseEvent);
  }

  /** The last request of a kind. */
  asked(what: string): Frame | undefined {
    return this.sent.findLast((frame) => frame.do === what);
  }
}

/** All connections that were opened, the newest last. */
export class FakeNetwork {
  readonly made: FakeTransport[] = [];
  readonly paths: string[] = [];

  readonly connect: Connect = (path) => {
    const transport = new FakeTransport();
    this.made.push(transport);
    this.paths.push(path);
    return transport;
  };

  get newest(): FakeTransport {
    const found = this.made.at(-1);
    if (!found) throw new Error("nothing has been connected");
    return found;
  }
}

/** A positive answer to a request. */
export function yes(key: string): wire.Answer {
  return { is: "answer", key, ok: true, fault: null };
}

/** A negative answer to a request. */
export function no(key: string, code: string, text = "", details = {}): wire.Answer {
  return { is: "answer", key, ok: false, fault: { code, text, details } };
}
