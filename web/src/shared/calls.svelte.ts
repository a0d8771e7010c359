/**
 * Notifications that a table waits for the player: pushed by the server while they are away, and
 * shown by this page while it is in the background. Off by default; the browser and the server
 * store the choice.
 */

import { get, post } from "./api";
import { t } from "./i18n.svelte";
import { settings } from "./settings.svelte";
import { isBoolean, store, stored } from "./storage";
import type * as wire from "./wire";

const ASKED = "zashiki.calls.asked";

class Calls {
  /** True if this browser shows notifications. */
  on = $state(false);
  /** True if the browser blocks notifications of this site. */
  refused = $state(false);
  /** True if the player was asked here whether they want notifications. */
  asked = $state(stored(ASKED, isBoolean, false));

  readonly isPossible =
    "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

  /**
   * Check whether this browser is subscribed. The server may have lost the subscription, so it is
   * sent again.
   */
  async find(): Promise<void> {
    if (!this.isPossible) return;
    this.refused = Notification.permission === "denied";
    const registration = await navigator.serviceWorker.getRegistration();
    const found = await registration?.pushManager.getSubscription();
    this.on = Boolean(found) && Notification.permission === "granted";
    if (found && this.on) await this.#tell(found);
  }

  /** Subscribe to notifications, if the player permits them. */
  async start(): Promise<void> {
    this.answer();
    this.refused = (await Notification.requestPermission()) === "denied";
    if (Notification.permission !== "granted") return;
    const registration = await navigator.serviceWorker.ready;
    const { key } = await get<wire.Calls>("/api/calls");
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const known = await registration.pushManager.getSubscription();
    await this.#tell(known ?? (await registration.pushManager.subscribe(options)));
    this.on = true;
  }

  async stop(): Promise<void> {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = await registration?.pushManager.getSubscription();
    this.on = false;
    if (!found) return;
    await post("/api/calls/stop", { endpoint: found.endpoint });
    await found.unsubscribe();
  }

  /** Remember the answer, so that this browser does not ask again. */
  answer(): void {
    this.asked = true;
    store(ASKED, true);
  }

  /** Notify the player that it is their turn at a table in a background page. */
  async turnBehind(table: string, game: string): Promise<void> {
    if (!this.on) return;
    const registration = await navigator.serviceWorker.getRegistration();
    const data = { url: `/table/${table}` };
    const shown = { body: game, tag: table, icon: "/icon-192.png", data };
    await registration?.showNotification(t("calls.turn"), shown);
  }

  async #tell(subscription: PushSubscription): Promise<void> {
    const { endpoint, keys } = subscription.toJSON();
    const { language } = settings;
    await post("/api/calls", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, language });
  }
}

export const calls = new Calls();
