/** Who sits in front of this page. */

import { get, post } from "./api";
import type * as wire from "./wire";

class Me {
  player: wire.Me | null = $state.raw(null);
  /** Has the server been asked who we are? */
  known = $state(false);
  /** Somebody waits for a name to be given. */
  asking = $state(false);
  #waiting: ((come: boolean) => void)[] = [];

  async find(): Promise<void> {
    this.player = (await get<wire.Session>("/api/session")).player;
    if (this.player !== null) await get("/api/me"); // which renews a session that is not young
    this.known = true;
  }

  /** Have a name: asked for once, nicely. False when somebody would rather not. */
  async needed(): Promise<boolean> {
    if (!this.known) await this.find();
    if (this.player !== null) return true;
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
    this.player = await post<wire.Me>("/api/register", { login, password });
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
