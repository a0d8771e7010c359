/** The player who uses this page. */

import { Fault, get, post } from "./api";
import { takeSession } from "./first";
import type * as wire from "./wire";

class Me {
  player: wire.Me | null = $state.raw(null);
  /** True once the server has answered who the player is. */
  known = $state(false);
  /** True while the player is asked for a name. */
  asking = $state(false);
  /** New recovery codes; the server cannot show them again. */
  codes: readonly string[] = $state.raw([]);
  /** The operator's ban of this account; null if there is none. */
  banned: Fault | null = $state.raw(null);
  #waiting: ((come: boolean) => void)[] = [];

  async find(): Promise<void> {
    try {
      this.player = (takeSession() ?? (await get<wire.Session>("/api/session"))).player;
      this.banned = null;
    } catch (caught) {
      if (!(caught instanceof Fault) || caught.code !== "banned") throw caught;
      this.player = null;
      this.banned = caught;
    }
    this.known = true;
    // This renews an ageing session. If it fails, the next page tries again.
    if (this.player !== null) get("/api/me").catch(() => undefined);
  }

  /** Ensure that the player has a name; ask once. Returns false if the player declines. */
  async needed(): Promise<boolean> {
    if (!this.known) await this.find();
    if (this.player !== null) return true;
    if (this.banned !== null) return false;
    this.asking = true;
    return new Promise((done) => this.#waiting.push(done));
  }

  async come(name: string): Promise<void> {
    await post("/api/guest", { name });
    await this.find();
    this.#settle(true);
  }

  refuse(): void {
    this.#settle(false);
  }

  #settle(come: boolean): void {
    this.asking = false;
    for (const done of this.#waiting.splice(0)) done(come);
  }

  async register(login: string, password: string): Promise<void> {
    this.#made(await post<wire.Me>("/api/register", { login, password }));
  }

  /** Make new recovery codes; the old ones become invalid. */
  async makeCodes(password: string): Promise<void> {
    this.#made(await post<wire.Me>("/api/recovery-codes", { password }));
  }

  #made(player: wire.Me): void {
    this.codes = player.codes;
    this.player = { ...player, codes: [] };
  }

  /** Sign in with a recovery code, and set a new password. */
  async recover(login: string, code: string, password: string): Promise<void> {
    this.player = await post<wire.Me>("/api/recover", { login, code, password });
    this.#settle(true);
  }

  /** End every other session, and revoke the tokens of the player's bots unless they are kept. */
  async changePassword(present: string, password: string, keepBots: boolean): Promise<void> {
    const asked = { present, password, keep_bots: keepBots };
    this.player = await post<wire.Me>("/api/password", asked);
  }

  /** Note from an answer that the operator has muted the player. */
  muted(until: unknown): void {
    if (this.player && typeof until === "number") {
      this.player = { ...this.player, muted_until: until };
    }
  }

  /** The end of the operator's mute; null if the player is not muted. */
  get mutedUntil(): number | null {
    const until = this.player?.muted_until ?? null;
    return until !== null && until * 1000 > Date.now() ? until : null;
  }

  async signIn(login: string, password: string): Promise<void> {
    this.player = await post<wire.Me>("/api/sign-in", { login, password });
    this.#settle(true);
  }

  async signOut(): Promise<void> {
    await post("/api/sign-out");
    this.player = null;
  }

  async rename(name: string): Promise<void> {
    this.player = await post<wire.Me>("/api/rename", { name });
  }

  async forget(): Promise<void> {
    await post("/api/delete");
    this.player = null;
  }
}

export const me = new Me();
