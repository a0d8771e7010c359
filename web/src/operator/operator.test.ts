/** The operator's actions on a report, and the account's notices about them. */

import { beforeEach, describe, expect, test } from "vitest";

import { refusing, serving } from "$test/server";
import { player } from "$test/wire";
import { Fault } from "$web/shared/api";
import { faultText, refusalText } from "$web/shared/faults";
import { moment } from "$web/shared/i18n.svelte";
import { me } from "$web/shared/me.svelte";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";
import { actOn, offered, operator } from "./operator.svelte";

const NOW = 1_800_000_000;
const AKI: wire.Me = {
  id: "aki",
  name: "Aki",
  kind: "account",
  login: "aki",
  token: null,
  codes_left: 8,
  codes: [],
  muted_until: null,
  operator: false,
};

function seen(standing: Partial<wire.Standing> | null = {}, more: Partial<wire.Case> = {}) {
  const report: wire.Report = {
    id: "r1",
    at: NOW,
    by: player("Aki"),
    about: standing ? player("Ben") : null,
    text: "rude",
    table: "t1",
    match: null,
    line: 3,
    done: null,
  };
  const usual: wire.Standing = {
    player: player("Ben"),
    created: NOW,
    muted_until: null,
    banned_until: null,
    address_banned_until: null,
    has_address: true,
    owner: null,
  };
  const whole: wire.Case = {
    report,
    standing: standing && { ...usual, ...standing },
    game: "kingdoms",
    state: "playing",
    lines: [],
    others: [],
    acts: [],
  };
  return { ...whole, ...more };
}

beforeEach(() => {
  settings.language = "en";
  me.player = null;
  me.banned = null;
  me.codes = [];
});

describe("an operator", () => {
  test("is offered what makes sense now", () => {
    expect(offered(seen(), NOW)).toEqual(["mute", "ban", "ban-address", "close", "done"]);
    const punished = { muted_until: NOW + 1, banned_until: NOW - 1, address_banned_until: NOW + 1 };
    expect(offered(seen(punished), NOW)).toEqual([
      "unmute",
      "ban",
      "unban-address",
      "close",
      "done",
    ]);
    expect(offered(seen({ has_address: false }, { state: "over" }), NOW)).toEqual([
      "mute",
      "ban",
      "done",
    ]);
    expect(offered(seen(null, { state: "closed" }), NOW)).toEqual(["done"]);
  });

  test("acts on the player, the table or the report", () => {
    expect(actOn(seen(), "mute", "rude", 24)).toEqual({
      kind: "mute",
      why: "rude",
      report: "r1",
      player: "Ben",
      hours: 24,
    });
    expect(actOn(seen(), "unban", "sorry", 24)).not.toHaveProperty("hours");
    expect(actOn(seen(), "close", "spam", 24)).toEqual({
      kind: "close",
      why: "spam",
      report: "r1",
      table: "t1",
    });
    expect(actOn(seen(), "done", "read", 24)).toEqual({ kind: "done", why: "read", report: "r1" });
  });

  test("sends the key with every request, and none without one", async () => {
    const asked = serving(() => ({ name: "key", account: null }));
    await operator.enter(" secret ");
    await operator.act(actOn(seen(), "done", "read", 1));
    await operator.enter();
    const keys = asked.map(({ headers }) => headers["X-Zashiki-Operator"]);
    expect(keys).toEqual(["secret", "secret", undefined]);
  });

  test("is nobody while the server says no", async () => {
    serving(() => refusing(403, "operator-key", "wrong key"));
    await expect(operator.enter("wrong")).rejects.toBeInstanceOf(Fault);
    expect(operator.session).toBeNull();
  });
});

describe("an account", () => {
  test("gets its recovery codes once", async () => {
    serving(() => ({ ...AKI, codes: ["AAAAA-BBBBB"] }));
    await me.register("aki", "a long secret");
    expect([me.codes, me.player?.codes]).toEqual([["AAAAA-BBBBB"], []]);
  });

  test("changes its password and says what becomes of its bots", async () => {
    const asked = serving(() => AKI);
    await me.changePassword("old", "a new secret", true);
    expect(asked[0]).toMatchObject({
      path: "/api/password",
      data: { present: "old", password: "a new secret", keep_bots: true },
    });
    await me.recover("aki", "code", "a new secret");
    expect([asked[1]?.path, me.player]).toEqual(["/api/recover", AKI]);
  });

  test("is told until when it is muted", () => {
    me.player = AKI;
    expect(me.mutedUntil).toBeNull();
    const until = Date.now() / 1000 + 3600;
    me.muted(until);
    expect(me.mutedUntil).toBe(until);
    me.muted(1);
    expect(me.mutedUntil).toBeNull();
    expect(refusalText("muted", "", { until: NOW })).toContain(moment(NOW));
    expect(refusalText("muted", "")).toBe("The operator has muted you for now.");
  });

  test("that is banned is told so, and not asked for a name", async () => {
    const body = { code: "banned", text: "", details: { until: NOW } };
    serving(() => Response.json(body, { status: 403 }));
    await me.find();
    expect([me.player, me.known]).toEqual([null, true]);
    expect(faultText(me.banned)).toContain(moment(NOW));
    expect(await me.needed()).toBe(false);
  });
});
