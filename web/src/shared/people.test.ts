/** The stores that all pages share: the player, their tables, and what waits for them. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { game } from "$test/games";
import { refusing, serving, type Answers } from "$test/server";
import { chatted, player, seat, table } from "$test/wire";
import { Lobby, namesOf, waitingAt } from "$web/lobby/lobby.svelte";
import { Panel } from "$web/table/panel.svelte";
import { TableStore } from "$web/table/store.svelte";
import { me } from "./me.svelte";
import { mine } from "./mine.svelte";
import { router } from "./router.svelte";
import { settings } from "./settings.svelte";
import { texts } from "./texts.svelte";
import { turns } from "./turns.svelte";
import type * as wire from "./wire";

const AKI = { ...player("Aki"), login: null } as unknown as wire.Me;

beforeEach(() => {
  settings.language = "en";
  me.player = null;
  mine.forget();
});
afterEach(() => void vi.useRealTimers());

describe("a name", () => {
  test("is asked for once, by whoever needs it", async () => {
    let known: wire.Me | null = null;
    const asked = serving(({ path }) => (path === "/api/session" ? { player: known } : {}));
    const [one, other] = [me.needed(), me.needed()];
    await vi.waitFor(() => expect(me.asking).toBe(true));
    known = AKI;
    await me.come("Aki");
    expect(await Promise.all([one, other])).toEqual([true, true]);
    expect([me.asking, me.player, await me.needed()]).toEqual([false, AKI, true]);
    expect(asked.filter(({ path }) => path === "/api/guest").map(({ data }) => data)).toEqual([
      { name: "Aki" },
    ]);
  });

  test("may be refused", async () => {
    serving(() => ({ player: null }));
    const needed = me.needed();
    await vi.waitFor(() => expect(me.asking).toBe(true));
    me.refuse();
    expect([await needed, me.asking]).toEqual([false, false]);
  });

  test("can be changed, kept, left and forgotten", async () => {
    const asked = serving(() => AKI);
    await me.register("aki", "secret");
    await me.rename("Aki");
    expect(me.player).toEqual(AKI);
    await me.signOut();
    expect(me.player).toBeNull();
    await me.signIn("aki", "secret");
    expect(me.player).toEqual(AKI);
    await me.forget();
    expect(me.player).toBeNull();
    const paths = ["register", "rename", "sign-out", "sign-in", "delete"].map(
      (path) => `/api/${path}`,
    );
    expect(asked.map(({ path }) => path)).toEqual(paths);
  });
});

const MINE: Answers = ({ path }) => {
  if (path === "/api/my-turns") return ["t2"];
  if (path === "/api/my-invitations") return [];
  return [at("t1", { until: 30 }), at("t2"), at("t3"), at("t4", {}, "open")];
};

/** The number of requests for the player's tables. */
const looks = (asked: readonly { path: string }[]) =>
  asked.filter(({ path }) => path === "/api/my-tables").length;

function at(id: string, more: Partial<wire.Seat> = {}, state: wire.Table["state"] = "playing") {
  return table({ id, state, seats: [seat(player("Aki"), more), seat(player("Ben"))] });
}

describe("one's own tables", () => {
  test("are looked for once at a time, and not for who has no name", async () => {
    const asked = serving(MINE);
    await mine.look();
    expect(asked).toEqual([]);
    me.player = AKI;
    const [one, other] = [mine.look(), mine.look()];
    expect(one).toBe(other);
    await one;
    expect(looks(asked)).toBe(1);
    expect([mine.tables.length, [...mine.turns]]).toEqual([4, ["t2"]]);
    serving(() => refusing(503, "busy"));
    await mine.look();
    expect(mine.tables.length, "the next look will tell").toBe(4);
  });

  test("that wait are told, the turns first, and not the one that is looked at", async () => {
    serving(MINE);
    me.player = AKI;
    await mine.look();
    expect(turns.all).toEqual([
      { table: "t2", game: "some-game", turn: true, until: null, standIn: false },
      { table: "t1", game: "some-game", turn: false, until: 30_000, standIn: false },
    ]);
    router.path = "/table/t2";
    expect(turns.elsewhere.map((one) => one.table)).toEqual(["t1"]);
    router.path = "/player/t2";
    expect(turns.elsewhere.length).toBe(2);
  });

  test("are looked for now and then, while somebody sees the page", async () => {
    vi.useFakeTimers();
    const asked = serving(MINE);
    me.player = AKI;
    const stop = turns.follow();
    await vi.advanceTimersByTimeAsync(600);
    expect(looks(asked)).toBe(1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks(asked)).toBe(2);
    Object.assign(document, { visibilityState: "hidden" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks(asked)).toBe(2);
    Object.assign(document, { visibilityState: "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    expect(looks(asked)).toBe(3);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(looks(asked)).toBe(3);
  });
});

describe("the lobby", () => {
  class Line {
    static all: Line[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    isClosed = false;
    constructor(readonly address: string) {
      Line.all.push(this);
    }
    close(): void {
      this.isClosed = true;
      this.onclose?.();
    }
    tell(news: wire.News): void {
      this.onmessage?.({ data: JSON.stringify(news) });
    }
  }
  const newest = () => Line.all.at(-1) as Line;
  let lobby: Lobby;
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    Line.all = [];
    vi.stubGlobal("WebSocket", Line);
    vi.stubGlobal("location", new URL("https://zashiki.test/"));
    serving(() => [table({ id: "t1" }), table({ id: "t2" })]);
    lobby = new Lobby();
    stop = lobby.follow();
  });
  afterEach(() => stop());

  const ids = () => lobby.tables.map((one) => one.id);

  test("lists the tables once it hears of changes, and follows them", async () => {
    expect([newest().address, lobby.state]).toEqual([
      "wss://zashiki.test/api/lobby/socket",
      "connecting",
    ]);
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    expect([lobby.state, ids()]).toEqual(["open", ["t1", "t2"]]);
    newest().tell({ is: "changed", table: table({ id: "t3" }) });
    newest().tell({ is: "changed", table: table({ id: "t2", paused: true }) });
    expect(ids()).toEqual(["t2", "t3", "t1"]);
    newest().tell({ is: "changed", table: table({ id: "t3", state: "over" }) });
    newest().tell({ is: "changed", table: table({ id: "t1", state: "closed" }) });
    expect(ids()).toEqual(["t2"]);
  });

  test("asks for more tables, page by page, and shows each once", async () => {
    const all = Array.from({ length: 60 }, (_, number) => table({ id: `t${number}` }));
    const asked = serving(({ path }) => {
      const query = new URL(path, location.href).searchParams;
      const skip = Number(query.get("skip"));
      return all.slice(skip, skip + Number(query.get("limit")));
    });
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    expect([ids().length, lobby.hasMore]).toEqual([50, true]);
    newest().tell({ is: "changed", table: table({ id: "t55" }) });
    all.unshift(...all.splice(55, 1)); // it is now the first, and moves the others down
    await lobby.showMore();
    expect([ids().length, new Set(ids()).size, lobby.hasMore]).toEqual([60, 60, false]);
    expect(asked.map(({ path }) => path)).toEqual([
      "/api/tables?skip=0&limit=50",
      "/api/tables?skip=51&limit=50",
    ]);
    serving(() => refusing(503, "busy"));
    await lobby.showMore();
    expect(ids().length).toBe(60);
  });

  test("comes back, later and later, until it has the list again", async () => {
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    for (const wait of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
      newest().close();
      expect(lobby.state).toBe("lost");
      const before = Line.all.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(Line.all.length).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(Line.all.length).toBe(before + 1);
    }
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    newest().close();
    await vi.advanceTimersByTimeAsync(500);
    expect(lobby.state).toBe("lost");
  });

  test("tries another line where the list does not come", async () => {
    serving(() => refusing(503, "busy"));
    newest().onopen?.();
    await vi.advanceTimersByTimeAsync(0);
    expect([newest().isClosed, lobby.state]).toEqual([true, "lost"]);
  });

  test("does not come back where it is not wanted, or not looked at", async () => {
    newest().tell({ is: "bye", code: "too-many-sockets", text: "", again: false });
    newest().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([Line.all.length, lobby.state]).toEqual([1, "lost"]);
    const other = new Lobby();
    other.follow()();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Line.all.length).toBe(2);
  });

  test("looks for one's own tables when one of them changes, and when the page is seen", async () => {
    const asked = serving(MINE);
    me.player = AKI;
    await mine.look();
    newest().tell({ is: "changed", table: table({ id: "other" }) });
    expect(looks(asked)).toBe(1);
    newest().tell({ is: "changed", table: table({ id: "t1" }) });
    await vi.advanceTimersByTimeAsync(0);
    expect(looks(asked)).toBe(2);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    expect(looks(asked)).toBe(3);
  });

  test("says what a match waits for", () => {
    expect(namesOf(table().seats)).toEqual(["Aki", "Ben"]);
    expect(waitingAt(table({ to_act: [1, 0] }))).toContain("Ben, Aki");
    expect(waitingAt(table({ to_act: [5] }))).toBe(waitingAt(table()));
    expect(waitingAt(table({ paused: true, to_act: [1] }))).not.toContain("Ben");
  });
});

describe("what games say", () => {
  test("is asked once for each language, and again after a fault", async () => {
    serving(() => refusing(503, "busy"));
    await expect(texts.fetch("g1", "en")).rejects.toMatchObject({ code: "busy" });
    const asked = serving(() => ({
      words: { boss: "Boss" },
      client: { won: "{name} won" },
      phrases: {},
    }));
    await texts.fetch("g1");
    await texts.fetch("g1", "en");
    expect(asked.map(({ path }) => path)).toEqual(["/api/games/g1/texts?language=en"]);
    expect([texts.has("g1"), texts.word("g1", "boss"), texts.word("g1", "x")]).toEqual([
      true,
      "Boss",
      "x",
    ]);
    expect(texts.say("g1", "won", { name: "Aki" })).toBe("Aki won");
    settings.language = "ja";
    expect([texts.has("g1"), texts.word("g1", "boss"), texts.of("g1").title]).toEqual([
      false,
      "boss",
      "",
    ]);
  });

  test("games with a table of their own come first, the newer editions before the older", async () => {
    const ids = ["goofspiel", "kamiza-2014", "kamiza-second"];
    const asked = serving(() => ids.map((id) => game({ id, titles: { en: id.toUpperCase() } })));
    await texts.load();
    await texts.load();
    expect(asked.length).toBe(1);
    expect(texts.games.map((one) => one.id)).toEqual(["kamiza-second", "kamiza-2014", "goofspiel"]);
    expect([texts.title("goofspiel"), texts.title("unknown")]).toEqual(["GOOFSPIEL", "unknown"]);
    settings.language = "ja";
    expect(texts.title("goofspiel")).toBe("goofspiel");
  });
});

describe("beside the table", () => {
  function panelOf(...chat: wire.Chatted[]): Panel {
    const link = new TableStore("t1");
    link.me = "aki";
    link.chat = chat;
    return new Panel(link);
  }

  test("what others said since is unread, until it is read", () => {
    const panel = panelOf(chatted(1, "before"));
    expect([panel.unread, panel.latest]).toEqual([[], undefined]);
    const { table } = panel;
    table.chat = [...table.chat, chatted(2, "hello"), chatted(3, "mine", "aki")];
    expect(panel.unread.map((line) => line.n)).toEqual([2]);
    expect(panel.latest, "one's own words are no news").toBeUndefined();
    table.chat = [...table.chat, chatted(4, "and more")];
    expect([panel.unread.length, panel.latest?.n]).toEqual([2, 4]);
    panel.markRead();
    expect(panel.unread).toEqual([]);
  });

  test("who is muted is neither unread nor heard, unless the server refuses", async () => {
    const panel = panelOf();
    panel.table.chat = [chatted(1, "hello")];
    const asked = serving(() => ({}));
    await panel.mute("ben", true);
    expect([panel.unread, panel.latest]).toEqual([[], undefined]);
    await panel.mute("ben", false);
    expect(panel.unread.length).toBe(1);
    expect(asked.map(({ data }) => data)).toEqual([
      { player: "ben", muted: true },
      { player: "ben", muted: false },
    ]);
    serving(() => refusing(409, "too-many-muted"));
    await expect(panel.mute("ben", true)).rejects.toMatchObject({ code: "too-many-muted" });
    expect(panel.muted.size).toBe(0);
  });

  test("a rule that is asked for is shown", () => {
    const panel = panelOf();
    expect([panel.tab, panel.isShown]).toEqual(["log", false]);
    panel.showRule("RT 3.5");
    expect([panel.rule.id, panel.tab, panel.isShown]).toEqual(["RT 3.5", "rules", true]);
    panel.shut();
    expect(panel.open).toBe(false);
  });
});
