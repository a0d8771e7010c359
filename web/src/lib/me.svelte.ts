/** Who sits in front of this page. */

import { Fault, get, post } from "./api";
import type * as wire from "./wire";

class Me {
  player: wire.Me | null = $state.raw(null);
  /** Has the server been asked who we are? */
  known = $state(false);
  /** Somebody waits for a name to be given. */
  asking = $state(false);
  /** Recovery codes that were made just now: the server does not know them any more. */
  codes: readonly string[] = $state.raw([]);
  /** Why the operator lets nobody in here; empty when all is well. */
  banned: Fault | null = $state.raw(null);
  #waiting: ((come: boolean) => void)[] = [];

  async find(): Promise<void> {
    try {
      this.player = (await get<wire.Session>("/api/session")).player;
      this.banned = null;
    } catch (caught) {
      if (!(caught instanceof Fault) || caught.code !== "banned") throw caught;
      this.player = null;
      this.banned = caught;
    }
    if (this.player !== null) await get("/api/me"); // which renews a session that is not young
    this.known = true;
  }

  /** Have a name: asked for once, nicely. False when somebody would rather not. */
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

  /** Make new recovery codes; the old ones are worth nothing from then on. */
  async makeCodes(password: string): Promise<void> {
    this.#made(await post<wire.Me>("/api/recovery-codes", { password }));
  }

  #made(player: wire.Me): void {
    this.codes = player.codes;
    this.player = { ...player, codes: [] };
  }

  /** Come back by a recovery code, with a new password. */
  async recover(login: string, code: string, password: string): Promise<void> {
    this.player = await post<wire.Me>("/api/recover", { login, code, password });
    this.#settle(true);
  }

  /** Every other session ends, and the tokens of one's bots unless they are kept. */
  async changePassword(present: string, password: string, keepBots: boolean): Promise<void> {
    const asked = { present, password, keep_bots: keepBots };
    this.player = await post<wire.Me>("/api/password", asked);
  }

  /** The operator has muted us, as an answer says. */
  muted(until: unknown): void {
    if (this.player && typeof until === "number") {
      this.player = { ...this.player, muted_until: until };
    }
  }

  /** Until when we are muted; nothing if we are not. */
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
