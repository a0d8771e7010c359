import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { FakeNetwork, no, yes } from "$test/transport";
import { chatted, player, seat, table, told, welcome } from "$test/wire";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";
import { chain, nonceHash, ownHash, witnessOf, type Witness } from "$web/verify/witness";
import { TableStore } from "./store.svelte";

let network: FakeNetwork;
let link: TableStore;

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  Object.assign(settings, { language: "en", motion: "on" });
  network = new FakeNetwork();
  link = new TableStore("t1", network.connect);
});

afterEach(() => {
  link.close();
  vi.useRealTimers();
});

async function come(...news: wire.News[]): Promise<void> {
  const open = link.open();
  const line = network.newest.accept();
  for (const one of [welcome(), ...news]) line.tell(one);
  await open;
}

const tell = (news: wire.News) => network.newest.tell(news);
const answer = (what: string, give: (key: string) => wire.Answer = yes) =>
  tell(give(network.newest.asked(what)?.key ?? ""));

describe("news", () => {
  test("as the page comes all that was told stands there, and nothing moves", async () => {
    await come(told(1, ["dealt", "began"], { view: { round: 1 } }));
    expect(link.log.map((one) => one.text)).toEqual(["dealt!", "began!"]);
    expect(link.news).toEqual([]);
    expect(link.past).toBe(link.log);
    expect(link.view).toEqual({ round: 1 });
    expect([link.started, link.settled, link.telling]).toEqual([true, true, false]);
    expect([link.legal, link.toAct, link.asked]).toEqual([["a", "b"], [0], "Choose."]);
    expect([link.label("a"), link.label("unknown")]).toEqual(["A", "unknown"]);
  });

  test("what comes later is news, for its time, and the next waits for it", async () => {
    await come(told(1, ["dealt"]));
    tell(told(2, ["played"], { legal: ["c"] }));
    tell(told(3, ["scored"], { legal: ["d"] }));
    expect(link.news.map((one) => one.fact)).toEqual(["played"]);
    expect([link.legal, link.settled]).toEqual([["c"], false]);
    await vi.advanceTimersByTimeAsync(350);
    expect(link.news.map((one) => one.fact)).toEqual(["scored"]);
    await vi.advanceTimersByTimeAsync(350);
    expect(link.settled).toBe(true);
    expect(link.log.map((one) => one.n)).toEqual([1, 2, 3]);
  });

  test("who wants no motion waits for next to nothing", async () => {
    settings.motion = "off";
    await come(told(1, ["dealt"]));
    tell(told(2, ["played"]));
    await vi.advanceTimersByTimeAsync(80);
    expect(link.settled).toBe(true);
  });

  test("waiting can be cut short", async () => {
    await come(told(1, ["dealt"]));
    tell(told(2, ["played"]));
    link.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(link.settled).toBe(true);
  });

  test("what has been told already is not told twice", async () => {
    await come(told(1, ["dealt", "played"]));
    tell(told(2, ["played", "scored"]));
    expect(link.news.map((one) => [one.n, one.text])).toEqual([[3, "scored!"]]);
    await vi.runAllTimersAsync();
    tell(told(1, ["dealt"], { view: { old: true } }));
    expect(link.view).toEqual({ after: 3 });
    expect(link.log.length).toBe(3);
  });

  test("the same facts again, with nothing after them, may bring another view", async () => {
    await come(told(1, ["dealt"], { decision: 1 }));
    tell(told(2, [], { view: { fresh: true }, legal: ["c"] }));
    expect(link.view).toEqual({ fresh: true });
    expect([link.news, link.settled, link.legal]).toEqual([[], true, ["c"]]);
  });

  test("where facts are missing the page comes back and says what it has", async () => {
    await come(told(1, ["dealt", "played"]));
    tell(told(4, ["scored"]));
    expect(link.state).toBe("lost");
    expect(link.log.length).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    const hello = network.newest.accept().asked("hello");
    expect(hello).toEqual({ do: "hello", have: 2, views: true, language: "en", version: 2 });
  });

  test("facts that wait to be shown are not asked for again", async () => {
    await come(told(1, ["dealt"]));
    tell(told(2, ["played"]));
    tell(told(3, ["scored", "ended"]));
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(0);
    dispatchEvent(new Event("online"));
    expect(network.newest.accept().asked("hello")?.have).toBe(4);
  });

  test("a story is in the log, and is heard when it has been told", async () => {
    const kamiza = table({ game: "kamiza-second" });
    const open = link.open();
    network.newest.accept().tell(welcome({ table: kamiza }));
    await open;
    const view = { history: [{ game: 1, round: 1, starter: 0, cards: ["boss@top"], threats: {} }] };
    tell(told(1, ["dealt"]));
    tell(told(2, ["revealed"], { view }));
    expect(link.telling).toBe(true);
    expect(link.log.map((one) => one.fact)).toEqual(["dealt", "revealed"]);
    expect(link.heard.map((one) => one.fact)).toEqual(["dealt"]);
    await vi.runAllTimersAsync();
    expect(link.telling).toBe(false);
    expect(link.heard).toBe(link.log);
  });

  test("the same actions stay the same list, so that what is picked stays picked", async () => {
    await come(told(1, ["dealt"]));
    const before = link.legal;
    tell(told(2, ["said"]));
    expect(link.legal).toBe(before);
    await vi.runAllTimersAsync();
    tell(told(3, ["played"], { legal: ["b", "a"] }));
    expect(link.legal).toEqual(["b", "a"]);
  });

  test("the end of a match is told with its outcome", async () => {
    const outcome = { ranks: [1, 2], scores: [5, 3] };
    await come(told(1, ["ended"], { over: true, outcome, decision: null, legal: [], to_act: [] }));
    expect([link.over, link.outcome, link.legal]).toEqual([true, outcome, []]);
  });

  test("without words an action stands for itself, and a fact says nothing", async () => {
    await come(told(1, ["dealt"], { words: undefined }));
    expect([link.label("a"), link.asked, link.log[0]?.text]).toEqual(["a", "", ""]);
  });
});

describe("asking", () => {
  test("a play names the decision, and the page is busy until it is answered", async () => {
    await come(told(1, ["dealt"], { decision: 7 }));
    const played = link.play("a");
    expect(network.newest.asked("play")).toMatchObject({ decision: 7, action: "a" });
    expect(network.newest.asked("play")).not.toHaveProperty("says");
    expect(link.busy).toBe(true);
    expect(await link.play("b"), "one at a time").toBe(false);
    answer("play");
    expect(await played).toBe(true);
    expect(link.busy).toBe(false);
    expect(network.newest.sent.filter((frame) => frame.do === "play").length).toBe(1);
  });

  test("words go with a play", async () => {
    await come(told(1, ["dealt"]));
    void link.play("a", "Mind the step.");
    expect(network.newest.asked("play")).toMatchObject({ says: "Mind the step." });
  });

  test("nothing is played where no decision is owed", async () => {
    await come(told(1, ["dealt"], { decision: null }));
    expect(await link.play("a")).toBe(false);
    expect(network.newest.asked("play")).toBeUndefined();
  });

  test("a refusal by a rule names the rule, its words and its cause, until news come", async () => {
    await come(told(1, ["dealt"]));
    const played = link.play("a");
    const details = { ruling: "RT 3.5", blame: ["R3"] };
    answer("play", (key) => no(key, "illegal", "RT 3.5: Too low.", details));
    expect(await played).toBe(false);
    expect(link.why).toEqual({ action: "a", ruling: "RT 3.5", text: "Too low.", blame: ["R3"] });
    expect([...link.blame]).toEqual(["R3"]);
    tell(told(2, ["played"]));
    expect(link.why).toBeNull();
    expect(link.blame.size).toBe(0);
  });

  test("a refusal of the server is told in the page's words", async () => {
    await come(told(1, ["dealt"]));
    const asked = link.whyNot("a");
    answer("why_not", (key) => no(key, "not-playing", "raw words"));
    await asked;
    expect(link.why?.ruling).toBe("");
    expect(link.why?.text).not.toBe("raw words");
    expect(link.why?.text).toBeTruthy();
  });

  test("a play that came too late needs no words: the news are on their way", async () => {
    await come(told(1, ["dealt"]));
    const played = link.play("a");
    answer("play", (key) => no(key, "stale"));
    expect(await played).toBe(false);
    expect(link.why).toBeNull();
  });

  test("an action that is allowed after all is not blamed", async () => {
    await come(told(1, ["dealt"]));
    const asked = link.whyNot("a");
    answer("why_not");
    await asked;
    expect(link.why).toBeNull();
  });

  test("talking is refused in words", async () => {
    await come();
    const fine = link.talk("hello");
    expect(network.newest.asked("say")).toMatchObject({ text: "hello" });
    answer("say");
    expect(await fine).toBe("");
    const refused = link.talk("hello");
    answer("say", (key) => no(key, "surprising", "Not so loud."));
    expect(await refused).toBe("Not so loud.");
  });

  test("who has resigned is offered nothing", async () => {
    await come(told(1, ["dealt"]));
    const done = link.resign();
    answer("resign");
    await done;
    const seats = [seat(player("Aki"), { resigned: true }), seat(player("Ben"))];
    tell({ is: "changed", table: table({ seats }) });
    expect(link.legal).toEqual([]);
  });
});

describe("the deal", () => {
  const starting = (
    commitment: string,
    hashes: wire.Table["hashes"] = null,
    more: Partial<wire.Seat> = {},
  ) => {
    const seats = [seat(player("Aki"), more), seat(player("Ben"))];
    return table({ state: "starting", commitment, hashes, seats });
  };
  const show = (shown: wire.Table) => tell({ is: "changed", table: shown });
  const kept = () => witnessOf("t1") as Witness;
  const sent = (what: string) => network.newest.sent.filter((frame) => frame.do === what);

  test("a commitment is answered with the hash of a nonce, which is kept", async () => {
    await come();
    show(starting("c1"));
    expect(kept().nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(network.newest.asked("ready")).toMatchObject({
      hash: nonceHash("c1", 0, kept().nonce),
    });
    expect(JSON.stringify(network.newest.sent)).not.toContain(kept().nonce);
    expect(kept()).toMatchObject({ seat: 0, commitments: ["c1"], lists: [], accepted: false });
    answer("ready");
    await vi.advanceTimersByTimeAsync(0);
    expect(kept().accepted).toBe(true);
  });

  test("the options are kept as the welcome has them: later news name a card set only", async () => {
    await come();
    const { options } = table();
    show({ ...starting("c1"), options: { card_set: "its name" } });
    show({ ...starting("c1"), options: { card_set: "another name" } });
    expect(kept().options).toEqual(options);
  });

  test("the nonce is revealed once the list with its hash is fixed, and never before", async () => {
    await come();
    show(starting("c1"));
    show(starting("c1", null, { ready: true }));
    expect(sent("reveal")).toEqual([]);
    const list = [ownHash(kept()), "ab"];
    show(starting("c1", list));
    show(starting("c1", list));
    expect(sent("reveal").map((frame) => frame.nonce)).toEqual([kept().nonce]);
    answer("reveal");
    await vi.advanceTimersByTimeAsync(0);
    expect(kept()).toMatchObject({ lists: [list], revealed: true });
  });

  test("nothing is revealed for a list without its hash, nor for a second list", async () => {
    await come();
    show(starting("c1"));
    show(starting("c1", ["", "ab"]));
    expect(sent("reveal")).toEqual([]);
    show(starting("c1", [ownHash(kept()), "cd"]));
    expect(sent("reveal")).toEqual([]);
    expect(kept().lists.length).toBe(2);
  });

  test("a second commitment gets no nonce, and is remembered", async () => {
    await come();
    show(starting("c1"));
    show(starting("c2"));
    expect(sent("ready").map((frame) => frame.hash)).toEqual([ownHash(kept()), ""]);
    show(starting("c2", [ownHash(kept()), "ab"]));
    expect(sent("reveal")).toEqual([]);
    expect(kept().commitments).toEqual(["c1", "c2"]);
  });

  test("after a reload, or a restart of the server, the same is said in each phase", async () => {
    await come();
    show(starting("c1"));
    const { nonce } = kept();
    link.close();
    link = new TableStore("t1", network.connect);
    const open = link.open();
    network.newest.accept().tell(welcome({ table: starting("c1") }));
    await open;
    expect(sent("ready").map((frame) => frame.hash)).toEqual([nonceHash("c1", 0, nonce)]);
    const list = [nonceHash("c1", 0, nonce), ""];
    tell(welcome({ table: starting("c1", list) }));
    tell(welcome({ table: starting("c1", list) }));
    expect(sent("reveal").map((frame) => frame.nonce)).toEqual([nonce, nonce]);
  });

  test("a refused hash is not noted as accepted", async () => {
    await come();
    show(starting("c1"));
    answer("ready", (key) => no(key, "too-late", "too late"));
    await vi.advanceTimersByTimeAsync(0);
    expect(kept().accepted).toBe(false);
  });

  test("an answer to this tab does not count for the nonce of another tab", async () => {
    await come();
    show(starting("c1"));
    const other = { ...kept(), nonce: "00".repeat(16) };
    localStorage.setItem("zashiki.witness.t1", JSON.stringify(other));
    answer("ready");
    await vi.advanceTimersByTimeAsync(0);
    expect(kept()).toMatchObject({ nonce: other.nonce, accepted: false });
  });

  test("who is ready, watches, or sits at no deal gives none", async () => {
    await come();
    show(starting("c1", null, { ready: true }));
    show(table({ state: "open" }));
    link.me = "somebody else";
    show(starting("c2"));
    expect(link.seat).toBeNull();
    expect(network.newest.asked("ready")).toBeUndefined();
    expect(kept().commitments).toEqual(["c1"]);
  });

  test("what is told is kept as a chain, once, whatever is told again", async () => {
    await come();
    show(starting("c1"));
    show(table());
    tell(told(1, ["dealt", "played"]));
    tell(told(1, ["dealt", "another"]));
    tell(told(3, ["scored"]));
    const fact = (name: string) => ({ own: false, fact: name, with: {} });
    expect(kept().told).toEqual(chain(["dealt", "played", "scored"].map(fact)));
  });
});

describe("people", () => {
  test("a page keeps its seat in step with the table", async () => {
    link.me = "Ben";
    await come();
    expect(link.seat).toBe(0);
    tell({ is: "changed", table: table() });
    expect(link.seat).toBe(1);
    tell({ is: "changed", table: table({ seats: [seat(null)] }) });
    expect(link.seat).toBeNull();
  });

  test("seats are told as people", async () => {
    const bot = player("Sensible A", "bot", "bot:sensible");
    const away = { here: false, stand_in: "regular", until: 12 };
    const seats = [seat(player("Aki"), away), seat(bot, { here: false }), seat(null)];
    expect(link.people).toEqual([]);
    const open = link.open();
    network.newest.accept().tell(welcome({ table: table({ seats, options: { form: "short" } }) }));
    await open;
    const [aki, ai, nobody] = link.people;
    expect(aki).toMatchObject({ name: "Aki", me: true, here: false, standIn: "regular" });
    expect(aki).toMatchObject({ until: 12_000, kind: "guest", bot: null, player: "Aki" });
    expect(ai).toMatchObject({ kind: "bot", bot: "sensible", here: true, me: false, until: null });
    expect(nobody).toMatchObject({ name: "", kind: "open", here: false, player: undefined });
    expect(link.options).toEqual({ form: "short" });
    expect([link.game, link.speech, link.phrases]).toEqual(["some-game", 0, {}]);
    expect([link.word("boss"), link.say("out")]).toEqual(["boss", "out"]);
  });

  test("who was away is told what a bot has played, until they know", async () => {
    await come(told(1, ["dealt"], { stood_in: 2 }));
    expect(link.missed).toBe(2);
    link.acknowledge();
    expect(link.missed).toBe(0);
    tell(told(2, ["played"], { stood_in: 3 }));
    expect(link.missed).toBe(1);
  });

  test("chat is kept in order and each line once, also over a new connection", async () => {
    await come(chatted(2, "two"), chatted(2, "two again"));
    expect(link.chat.map((line) => line.text)).toEqual(["two again"]);
    tell(welcome({ chat: [chatted(3, "three"), chatted(1, "one"), chatted(2, "two")] }));
    expect(link.chat.map((line) => line.text)).toEqual(["one", "two", "three"]);
  });
});

describe("the connection", () => {
  test("a table is found by its id, whatever is in it", () => {
    new TableStore("a/b", network.connect).open();
    expect(network.paths).toEqual(["/api/tables/a%2Fb/socket"]);
  });

  test("who is turned away for good is told why", async () => {
    const open = link.open();
    const bye: wire.Bye = { is: "bye", code: "not-watched", text: "no", again: false };
    network.newest.accept().tell(bye);
    await expect(open).rejects.toMatchObject({ code: "not-watched" });
    expect(link.state).toBe("ended");
    expect(link.bye).toContain("spectators");
  });

  test("a server that stops for a moment says nothing that lasts", async () => {
    await come({ is: "bye", code: "stopping", text: "back soon", again: true });
    expect([link.state, link.bye]).toEqual(["open", ""]);
  });

  test("in another language all is told again", async () => {
    const fetched = vi.fn(async () => Response.json({ title: "座敷" }));
    vi.stubGlobal("fetch", fetched);
    await come(told(1, ["dealt", "played"]));
    await link.speak();
    expect(network.made.length, "the language is the same").toBe(1);
    settings.language = "ja";
    const spoken = link.speak();
    await vi.advanceTimersByTimeAsync(0);
    expect(fetched).toHaveBeenCalledOnce();
    expect(network.newest.accept().asked("hello")).toMatchObject({ have: 0, language: "ja" });
    const words = { said: ["配った", "出した"], labels: ["ア", "イ"], asked: "選ぶ" };
    network.newest.tell(welcome());
    network.newest.tell(told(1, ["dealt", "played"], { words }));
    await spoken;
    expect(link.log.map((one) => one.text)).toEqual(["配った", "出した"]);
    expect([link.news, link.settled, link.label("a")]).toEqual([[], true, "ア"]);
  });

  test("a page that was left does not speak", async () => {
    vi.stubGlobal("fetch", async () => Response.error());
    await come(told(1, ["dealt"]));
    settings.language = "ja";
    const spoken = link.speak();
    link.close();
    await spoken;
    expect(link.closed).toBe(true);
    expect([network.made.length, link.log.length]).toEqual([1, 1]);
    await link.speak();
    expect(network.made.length).toBe(1);
  });
});

describe("a rematch", () => {
  const over = { over: true, decision: null, legal: [], to_act: [] };
  const nextTable = (more: Partial<wire.Table> = {}) =>
    welcome({ table: table({ id: "t2", state: "open", ...more }) });

  async function playOn(): Promise<TableStore> {
    link.me = "Aki";
    await come(told(1, ["dealt", "ended"], over));
    const coming = link.playOn();
    tell(nextTable());
    answer("rematch");
    return coming;
  }

  test("goes on by the same connection, and begins with nothing", async () => {
    const next = await playOn();
    expect(network.made.length).toBe(1);
    expect(network.newest.sent.filter((frame) => frame.do === "hello").length).toBe(1);
    expect([next.id, next.me, next.seat, next.state]).toEqual(["t2", "Aki", 0, "open"]);
    expect([next.started, next.over, next.log]).toEqual([false, false, []]);
    tell(told(1, ["dealt again"]));
    expect(next.log.map((one) => one.fact)).toEqual(["dealt again"]);
    expect(link.log.length, "the table before hears no more").toBe(2);
    expect([link.closed, link.next]).toEqual([true, next]);
  });

  test("is left open by the page of the table before", async () => {
    const next = await playOn();
    link.close();
    expect([network.newest.readyState, next.closed]).toEqual([1, false]);
    void next.start();
    expect(network.newest.asked("start")).toBeDefined();
    next.close();
    expect([network.newest.readyState, next.closed]).toEqual([3, true]);
  });

  test("adds a nonce for its own table", async () => {
    await playOn();
    tell({ is: "changed", table: table({ id: "t2", state: "starting", commitment: "c2" }) });
    const kept = witnessOf("t2") as Witness;
    expect(network.newest.asked("ready")).toMatchObject({ hash: ownHash(kept) });
    expect(witnessOf("t1")).toBeNull();
  });

  test("comes back to its own table after a loss, and asks for nothing twice", async () => {
    await playOn();
    tell(told(1, ["dealt again"]));
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(500);
    expect(network.paths).toEqual(["/api/tables/t1/socket", "/api/tables/t2/socket"]);
    expect(network.newest.accept().sent.map((frame) => [frame.do, frame.have])).toEqual([
      ["hello", 1],
    ]);
  });

  test("is asked for again if the connection is lost on the way", async () => {
    await come(told(1, ["ended"], over));
    const coming = link.playOn();
    const asked = network.newest.asked("rematch");
    network.newest.cut();
    await vi.advanceTimersByTimeAsync(500);
    expect(network.newest.accept().asked("rematch")).toEqual(asked);
    tell(welcome());
    tell(nextTable());
    expect((await coming).id).toBe("t2");
  });

  test("that is refused, or ends the connection, says why", async () => {
    await come(told(1, ["ended"], over));
    const refused = link.playOn();
    answer("rematch", (key) => no(key, "not-seated", "sit down"));
    await expect(refused).rejects.toMatchObject({ code: "not-seated", message: "sit down" });
    expect(link.closed).toBe(false);
    const ended = link.playOn();
    tell({ is: "bye", code: "not-watched", text: "not to be watched", again: false });
    await expect(ended).rejects.toMatchObject({ code: "not-watched" });
  });
});
