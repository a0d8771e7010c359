import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WebSocketServer, type WebSocket as ServerSide } from "ws";

import { FakeNetwork, no, yes, type Frame } from "$test/transport";
import { welcome } from "$test/wire";
import type * as wire from "$web/shared/wire";
import { connectHere, TableSocket, type SocketState } from "./socket";

const PATH = "/api/tables/t1/socket";
const bye = (again: boolean): wire.Bye => ({ is: "bye", code: "kicked", text: "Out.", again });

function owned(connect?: FakeNetwork["connect"]) {
  const heard: wire.News[] = [];
  const states: SocketState[] = [];
  const owner = {
    hello: () => ({ do: "hello", have: heard.length }),
    hear: (news: wire.News) => void heard.push(news),
    changed: (state: SocketState) => void states.push(state),
  };
  return { socket: new TableSocket(PATH, owner, connect), heard, states };
}

describe("without a network", () => {
  let network: FakeNetwork;
  let socket: TableSocket;
  let heard: wire.News[];
  let states: SocketState[];

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0.5); // so that delays are exactly their mean
    network = new FakeNetwork();
    ({ socket, heard, states } = owned(network.connect));
  });

  afterEach(() => {
    socket.close();
    vi.useRealTimers();
  });

  async function come(): Promise<void> {
    const open = socket.open();
    network.newest.accept().tell(welcome());
    await open;
  }

  test("it says hello first, and is open once it is welcome", async () => {
    const open = socket.open();
    expect(network.paths).toEqual([PATH]);
    expect(states).toEqual(["connecting"]);
    network.newest.accept();
    expect(network.newest.sent).toEqual([{ do: "hello", have: 0 }]);
    network.newest.tell(welcome());
    await open;
    expect(states).toEqual(["connecting", "open"]);
    expect(heard).toEqual([welcome()]);
  });

  test("each answer goes to the request that has its key", async () => {
    await come();
    const first = socket.ask({ do: "why_not", action: "a" });
    const second = socket.ask({ do: "why_not", action: "b" });
    const [, one, other] = network.newest.sent as [Frame, Frame, Frame];
    expect(one).toMatchObject({ do: "why_not", action: "a" });
    expect(one.key).not.toBe(other.key);
    network.newest.tell(no(other.key, "illegal"));
    network.newest.tell(yes("of another page"));
    network.newest.tell(yes(one.key));
    expect(await first).toMatchObject({ key: one.key, ok: true });
    expect(await second).toMatchObject({ key: other.key, ok: false });
    expect(heard, "answers are not news").toEqual([welcome()]);
  });

  test("two pages never use the same keys", async () => {
    const others = new FakeNetwork();
    const other = owned(others.connect).socket;
    void other.open();
    others.newest.accept();
    await come();
    void socket.ask({ do: "resign" });
    void other.ask({ do: "resign" });
    expect(network.newest.asked("resign")?.key).not.toBe(others.newest.asked("resign")?.key);
    other.close();
  });

  test("a lost connection is opened again, later and later, at most every ten seconds", async () => {
    await come();
    for (const wait of [400, 800, 1600, 3200, 6400, 10_000, 10_000]) {
      const before = network.made.length;
      network.newest.cut();
      expect(states.at(-1)).toBe("lost");
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(network.made.length).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(network.made.length).toBe(before + 1);
      expect(states.at(-1), "it is not called connecting again").toBe("lost");
    }
    network.newest.accept().tell(welcome());
    expect(states.at(-1)).toBe("open");
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(400);
    expect(network.newest.readyState, "having been welcome, it begins anew").toBe(0);
  });

  test("the waits of many pages are spread by a quarter to both sides", async () => {
    for (const [chance, wait] of [
      [0, 300],
      [1, 500],
    ] as const) {
      vi.spyOn(Math, "random").mockReturnValue(chance);
      await come();
      const before = network.made.length;
      network.newest.cut();
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(network.made.length).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(network.made.length).toBe(before + 1);
    }
  });

  test("what was not answered is asked again with the same key, behind the hello", async () => {
    await come();
    const answer = socket.ask({ do: "play", decision: 1, action: "a" });
    const asked = network.newest.asked("play");
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(400);
    network.newest.accept();
    expect(network.newest.sent).toEqual([{ do: "hello", have: 1 }, asked]);
    network.newest.tell(yes(asked?.key ?? ""));
    expect((await answer).ok).toBe(true);
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(800);
    network.newest.accept();
    expect(network.newest.sent, "what was answered is not").toEqual([{ do: "hello", have: 1 }]);
  });

  test("what is asked before the connection stands is sent once it does", async () => {
    const open = socket.open();
    void socket.ask({ do: "resign" });
    network.newest.accept();
    expect(network.newest.sent.map((frame) => frame.do)).toEqual(["hello", "resign"]);
    network.newest.tell(welcome());
    await open;
    expect(network.newest.sent.length).toBe(2);
  });

  test("a request that has overtaken the hello is asked again over a new connection", async () => {
    const open = socket.open();
    const answer = socket.ask({ do: "resign" });
    network.newest.accept();
    const { key = "" } = network.newest.asked("resign") ?? {};
    network.newest.tell(no(key, "hello-first"));
    await open;
    expect(states.at(-1)).toBe("lost");
    await vi.advanceTimersByTimeAsync(400);
    network.newest.accept();
    expect(network.newest.asked("resign")?.key).toBe(key);
    network.newest.tell(yes(key));
    expect((await answer).ok).toBe(true);
  });

  test("a busy server is asked again after a second, with the same key", async () => {
    await come();
    const answer = socket.ask({ do: "resign" });
    const { key = "" } = network.newest.asked("resign") ?? {};
    network.newest.tell(no(key, "busy"));
    await vi.advanceTimersByTimeAsync(999);
    expect(network.newest.sent.length).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(network.newest.sent.slice(1).map((frame) => frame.key)).toEqual([key, key]);
    network.newest.tell(yes(key));
    expect((await answer).ok).toBe(true);
  });

  test("a connection on which an answer is overdue is given up", async () => {
    await come();
    const dead = network.newest;
    void socket.ask({ do: "resign" });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(states.at(-1)).toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    expect(states.at(-1)).toBe("lost");
    expect(dead.readyState).toBe(3);
  });

  test("an answer in time leaves the connection alone", async () => {
    await come();
    void socket.ask({ do: "resign" });
    network.newest.tell(yes(network.newest.asked("resign")?.key ?? ""));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toBe("open");
    expect(network.made.length).toBe(1);
  });

  test("a page that is offline does not wait for a silence, nor the next try once online", async () => {
    await come();
    dispatchEvent(new Event("offline"));
    expect(states.at(-1)).toBe("lost");
    dispatchEvent(new Event("offline"));
    expect(network.made.length).toBe(1);
    dispatchEvent(new Event("online"));
    expect(network.made.length).toBe(2);
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(400);
    expect(network.made.length, "one connection is enough").toBe(2);
  });

  test("a connection that was given up is not heard any more", async () => {
    await come();
    const old = network.newest;
    socket.drop();
    await vi.advanceTimersByTimeAsync(400);
    old.tell(welcome({ seat: 1 }));
    old.cut();
    expect(heard).toEqual([welcome()]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.made.length, "its end is nobody's loss").toBe(2);
  });

  test("reopening connects at once and keeps what was not answered", async () => {
    await come();
    const old = network.newest;
    void socket.ask({ do: "resign" });
    const again = socket.reopen();
    expect(old.readyState).toBe(3);
    expect(states.at(-1)).toBe("connecting");
    network.newest.accept().tell(welcome());
    await again;
    expect(network.newest.asked("resign")).toEqual(old.asked("resign"));
  });

  test("who is turned away for good is told so, and does not come back", async () => {
    const open = socket.open();
    network.newest.accept().tell(bye(false));
    await expect(open).rejects.toMatchObject({ status: 403, code: "kicked", message: "Out." });
    expect(states.at(-1)).toBe("ended");
    expect(heard).toEqual([bye(false)]);
    network.newest.cut();
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.made.length).toBe(1);
  });

  test("who is sent away for a while comes back", async () => {
    await come();
    network.newest.tell(bye(true));
    expect(states.at(-1)).toBe("open");
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(400);
    expect(network.made.length).toBe(2);
  });

  test("a first connection that fails is no error: it is tried again", async () => {
    const open = socket.open();
    network.newest.cut();
    await open;
    expect(states).toEqual(["connecting", "lost"]);
    await vi.advanceTimersByTimeAsync(400);
    expect(network.made.length).toBe(2);
  });

  test("once closed it stays closed", async () => {
    await come();
    expect([socket.closed, socket.connected]).toEqual([false, true]);
    const last = network.newest;
    void socket.ask({ do: "resign" });
    socket.close();
    expect([socket.closed, socket.connected]).toEqual([true, false]);
    expect(last.readyState).toBe(3);
    last.cut();
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.made.length).toBe(1);
  });

  test("closed while it waits, it does not try again", async () => {
    await come();
    network.newest.cut();
    socket.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(network.made.length).toBe(1);
  });
});

describe("over a real connection", () => {
  let server: WebSocketServer;
  let socket: TableSocket;

  /** The next client: its address, and everything that it sends. */
  async function visited(): Promise<{ line: ServerSide; url?: string; said: Frame[] }> {
    const [line, request] = (await once(server, "connection")) as [ServerSide, { url?: string }];
    const said: Frame[] = [];
    line.on("message", (data) => said.push(JSON.parse(String(data)) as Frame));
    return { line, url: request.url, said };
  }

  async function listen(port = 0): Promise<number> {
    server = new WebSocketServer({ host: "127.0.0.1", port });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    for (const line of server.clients) line.terminate();
    await new Promise((done) => server.close(done));
  }

  beforeEach(async () => {
    const port = await listen();
    vi.stubGlobal("location", new URL(`http://127.0.0.1:${port}/`));
    ({ socket } = owned());
  });

  afterEach(async () => {
    socket.close();
    await stop();
  });

  test("it asks, survives the end of the server, and is answered by the next one", async () => {
    const first = visited();
    const open = socket.open();
    const { line, url, said } = await first;
    expect(url).toBe(PATH);
    line.send(JSON.stringify(welcome()));
    await open;
    const answer = socket.ask({ do: "play", decision: 1, action: "a" });
    await vi.waitFor(
      () => expect(said.map((frame) => frame.do)).toEqual(["hello", "play"]),
      30_000,
    );

    const { port } = server.address() as AddressInfo;
    await stop();
    await listen(port);
    const again = await visited();
    await vi.waitFor(() => expect(again.said).toHaveLength(2), 30_000);
    expect(again.said).toEqual([{ do: "hello", have: 1 }, said[1]]);
    again.line.send(JSON.stringify(yes(said[1]?.key ?? "")));
    expect((await answer).ok).toBe(true);
  });

  test("it uses TLS where the page does", () => {
    const opened: string[] = [];
    vi.stubGlobal("location", new URL("https://zashiki.test/table/t1"));
    vi.stubGlobal(
      "WebSocket",
      class {
        constructor(address: string) {
          opened.push(address);
        }
      },
    );
    connectHere(PATH);
    expect(opened).toEqual([`wss://zashiki.test${PATH}`]);
  });
});
