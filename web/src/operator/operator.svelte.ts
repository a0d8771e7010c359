/** The operator's session: by an account that the server names, or by the operator's key. */

import { get, post } from "$web/shared/api";
import type * as wire from "$web/shared/wire";

const PATH = "/api/operator";

export type Kind = wire.NewAct["kind"];
export type Which = "open" | "all";

class Operator {
  /** The operator who acts; null before sign-in. */
  session: wire.OperatorSession | null = $state.raw(null);
  reports: readonly wire.Report[] | null = $state.raw(null);
  acts: readonly wire.Act[] = $state.raw([]);
  opened: wire.Case | null = $state.raw(null);
  /** Kept in memory only: after a reload the key is asked for again. */
  #key = "";

  /** Sign in with a key, or with the signed-in account. Throws if the server refuses. */
  async enter(key = ""): Promise<void> {
    this.#key = key.trim();
    this.session = null;
    this.session = await this.#get<wire.OperatorSession>("");
  }

  async list(which: Which): Promise<void> {
    const [reports, acts] = await Promise.all([
      this.#get<wire.Report[]>(`/reports?which=${which}`),
      this.#get<wire.Act[]>("/acts"),
    ]);
    this.reports = reports;
    this.acts = acts;
  }

  async open(report: string): Promise<void> {
    this.opened = await this.#get<wire.Case>(`/reports/${encodeURIComponent(report)}`);
  }

  async act(act: wire.NewAct): Promise<void> {
    await post<wire.Act>(`${PATH}/acts`, act, this.#headers);
  }

  #get<T>(path: string): Promise<T> {
    return get<T>(PATH + path, this.#headers);
  }

  get #headers(): Record<string, string> {
    return this.#key ? { "X-Zashiki-Operator": this.#key } : {};
  }
}

export const operator = new Operator();

/** The actions available for a report, given those already taken. */
export function offered(seen: wire.Case, now = Date.now() / 1000): Kind[] {
  const kinds: Kind[] = [];
  const { standing, report, state } = seen;
  if (standing) {
    const isOn = (until: number | null) => until !== null && until > now;
    kinds.push(isOn(standing.muted_until) ? "unmute" : "mute");
    kinds.push(isOn(standing.banned_until) ? "unban" : "ban");
    if (isOn(standing.address_banned_until)) kinds.push("unban-address");
    else if (standing.has_address) kinds.push("ban-address");
  }
  if (state === "open" || state === "playing") kinds.push("close");
  if (report.done === null) kinds.push("done");
  return kinds;
}

/** Act on the subject of a report; `hours` only for actions that expire. */
export function actOn(seen: wire.Case, kind: Kind, why: string, hours: number): wire.NewAct {
  const { report, standing } = seen;
  const act: wire.NewAct = { kind, why, report: report.id };
  if (kind === "close") return { ...act, table: report.table };
  if (kind === "done") return act;
  const onPlayer = { ...act, player: standing?.player.id ?? null };
  return ["mute", "ban", "ban-address"].includes(kind) ? { ...onPlayer, hours } : onPlayer;
}
