/** Errors in the language of the page: the server sends a code and an English text. */

import { Fault } from "./api";
import { moment, t, type Key } from "./i18n.svelte";
import { settings } from "./settings.svelte";

/** Refusals that end at a known time. */
const ending: Record<string, Key> = {
  banned: "fault.bannedUntil",
  muted: "fault.mutedUntil",
};

const known: Record<string, Key> = {
  "bad-login": "fault.badLogin",
  "bad-name": "fault.badName",
  "bad-password": "fault.badPassword",
  banned: "fault.banned",
  broken: "fault.broken",
  busy: "fault.busy",
  changed: "fault.changed",
  "common-password": "fault.commonPassword",
  declined: "fault.declined",
  "house-name": "fault.houseName",
  "link-needed": "fault.linkNeeded",
  "login-taken": "fault.loginTaken",
  "match-over": "fault.matchOver",
  "memory-full": "fault.memoryFull",
  muted: "fault.muted",
  "no-address": "fault.noAddress",
  "no-bots": "fault.noBots",
  "no-card-set": "fault.noCardSet",
  "no-companion": "fault.noCompanion",
  "no-digest": "fault.noDigest",
  "no-game": "fault.noGame",
  "no-match": "fault.noMatch",
  "no-player": "fault.noPlayer",
  "no-report": "fault.noReport",
  "no-rules": "fault.noRules",
  "no-session": "fault.noSession",
  "no-table": "fault.noTable",
  "not-a-guest": "fault.notAGuest",
  "not-found": "nowhere.text",
  "not-host": "fault.notHost",
  "not-idle": "fault.notIdle",
  "not-over": "replay.going",
  "not-playing": "fault.notPlaying",
  "not-seated": "fault.notSeated",
  "not-sent": "fault.notSent",
  "not-starting": "fault.changed",
  "not-welcome": "fault.notWelcome",
  "not-shown": "fault.notShown",
  "not-watched": "fault.notWatched",
  "not-yours": "fault.notYours",
  offline: "shell.offline",
  "old-rules": "fault.oldRules",
  operator: "operator.only",
  "operator-key": "operator.wrongKey",
  recovery: "fault.recovery",
  "private-chat": "fault.privateChat",
  removed: "fault.removed",
  resigned: "table.resigned",
  "seat-empty": "fault.seatEmpty",
  "seat-taken": "fault.seatTaken",
  seated: "fault.seated",
  "seats-empty": "room.waitFull",
  "sent-away": "fault.sentAway",
  "sign-in": "fault.signIn",
  "signed-out": "fault.noSession",
  "spectators-muted": "fault.spectatorsMuted",
  stale: "fault.changed",
  store: "fault.broken",
  "table-closed": "room.closed",
  "table-started": "fault.tableStarted",
  "too-hard": "fault.tooHard",
  "too-long": "fault.tooLong",
  "too-many-invited": "fault.tooManyInvited",
  "too-many": "fault.tooMany",
  "too-many-bot-tables": "fault.tooManyBotTables",
  "too-many-bots": "fault.tooManyBots",
  "too-many-card-sets": "fault.tooManyCardSets",
  "too-many-muted": "fault.tooManyMuted",
  "too-many-seats": "fault.tooManySeats",
  "too-many-sockets": "fault.tooMany",
  "too-many-tables": "fault.tooManyTables",
  "wrong-password": "fault.wrongPassword",
  "your-turn": "table.yourTurn",
};

/** The text of a refusal: our own for a known code, otherwise the server's English. */
export function refusalText(
  code: string,
  text: string,
  details: Record<string, unknown> = {},
): string {
  const { until } = details;
  const ends = ending[code];
  if (ends && typeof until === "number") return t(ends, { until: moment(until) });
  const key = known[code];
  if (key) return t(key);
  if (settings.language === "en" && text) return text;
  return code === "malformed" ? t("fault.malformed") : t("fault.unknown");
}

export function faultText(caught: unknown): string {
  if (!(caught instanceof Fault)) return t("shell.offline");
  return refusalText(caught.code, caught.message, caught.details);
}
