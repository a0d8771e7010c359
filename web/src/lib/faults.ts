/** What went wrong, in the language of the page: the server says it in a word, and in English. */

import { Fault } from "./api";
import { t, type Key } from "./i18n.svelte";
import { settings } from "./settings.svelte";

const known: Record<string, Key> = {
  "bad-login": "fault.badLogin",
  "bad-name": "fault.badName",
  "bad-password": "fault.badPassword",
  broken: "fault.broken",
  busy: "fault.busy",
  changed: "fault.changed",
  "link-needed": "fault.linkNeeded",
  "login-taken": "fault.loginTaken",
  "no-bots": "fault.noBots",
  "no-card-set": "fault.noCardSet",
  "no-game": "fault.noGame",
  "no-match": "fault.noMatch",
  "no-player": "fault.noPlayer",
  "no-rules": "fault.noRules",
  "no-session": "fault.noSession",
  "no-table": "fault.noTable",
  "not-a-guest": "fault.notAGuest",
  "not-found": "nowhere.text",
  "not-host": "fault.notHost",
  "not-over": "replay.going",
  "not-playing": "fault.notPlaying",
  "not-seated": "fault.notSeated",
  "not-starting": "fault.changed",
  "not-watched": "fault.notWatched",
  "not-yours": "fault.notYours",
  offline: "shell.offline",
  "old-rules": "fault.oldRules",
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
  "table-started": "fault.tableStarted",
  "too-hard": "fault.tooHard",
  "too-long": "fault.tooLong",
  "too-many": "fault.tooMany",
  "too-many-card-sets": "fault.tooManyCardSets",
  "too-many-muted": "fault.tooManyMuted",
  "too-many-seats": "fault.tooManySeats",
  "too-many-sockets": "fault.tooMany",
  "too-many-tables": "fault.tooManyTables",
};

/** A refusal: its word for programs in ours, or in English what the server says of it. */
export function refusalText(code: string, text: string): string {
  const key = known[code];
  if (key) return t(key);
  if (settings.language === "en" && text) return text;
  return code === "malformed" ? t("fault.malformed") : t("fault.unknown");
}

export function faultText(caught: unknown): string {
  if (!(caught instanceof Fault)) return t("shell.offline");
  return refusalText(caught.code, caught.message);
}
