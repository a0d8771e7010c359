/** What went wrong, in the language of the page; what it has no words for, as the server says it. */

import { Fault } from "./api";
import { t, type Key } from "./i18n.svelte";

const known: Record<string, Key> = {
  "bad-login": "fault.badLogin",
  "bad-name": "fault.badName",
  "bad-password": "fault.badPassword",
  busy: "fault.busy",
  changed: "fault.changed",
  "link-needed": "fault.linkNeeded",
  "login-taken": "fault.loginTaken",
  "no-card-set": "fault.noCardSet",
  "no-game": "fault.noGame",
  "no-match": "fault.noMatch",
  "no-player": "fault.noPlayer",
  "no-rules": "fault.noRules",
  "no-session": "fault.noSession",
  "no-table": "fault.noTable",
  "not-host": "fault.notHost",
  "not-seated": "fault.notSeated",
  "not-watched": "fault.notWatched",
  offline: "shell.offline",
  "seat-empty": "fault.seatEmpty",
  "seat-taken": "fault.seatTaken",
  "seats-empty": "room.waitFull",
  "sign-in": "fault.signIn",
  "signed-out": "fault.noSession",
  stale: "fault.changed",
  "table-started": "fault.tableStarted",
  "too-many": "fault.tooMany",
  "too-many-seats": "fault.tooManySeats",
  "too-many-tables": "fault.tooManyTables",
};

export function faultText(caught: unknown): string {
  if (!(caught instanceof Fault)) return t("shell.offline");
  const key = known[caught.code];
  if (key) return t(key);
  return caught.status === 429 ? t("fault.tooMany") : caught.message;
}
