// Caches the files of the shell and an offline page. Never caches what the server says about
// tables: each request for that goes to the server.

const NAME = "zashiki-1";
const OFFLINE = ["/offline.html", "/offline.css", "/offline.js", "/icon.svg"];
const MOST = 300;

self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(OFFLINE)));
    self.skipWaiting();
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        caches
            .keys()
            .then((names) =>
                Promise.all(names.filter((one) => one !== NAME).map((one) => caches.delete(one))),
            )
            .then(() => self.clients.claim()),
    );
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== "GET" || address.origin !== location.origin) return;
    if (address.pathname === "/api" || address.pathname.startsWith("/api/")) return;
    if (request.mode === "navigate") {
        event.respondWith(fetch(request).catch(() => caches.match("/offline.html")));
    } else if (address.pathname.startsWith("/assets/")) {
        event.respondWith(kept(request));
    } else if (OFFLINE.includes(address.pathname)) {
        event.respondWith(fetch(request).catch(() => caches.match(request)));
    }
});

/** Answer from the cache first: a file with a hash in its name never changes. */
async function kept(request) {
    const cache = await caches.open(NAME);
    const found = await cache.match(request);
    if (found) return found;
    const answer = await fetch(request);
    if (answer.ok) {
        await cache.put(request, answer.clone());
        await tidied(cache);
    }
    return answer;
}

/** Delete the oldest entries; keep the files of the offline page. */
async function tidied(cache) {
    const all = await cache.keys();
    const old = all.filter((one) => !OFFLINE.includes(new URL(one.url).pathname));
    await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((one) => cache.delete(one)));
}

/**
 * Show a notification that a table waits for the player, unless a page already shows that table.
 */
self.addEventListener("push", (event) => {
    event.waitUntil(told(event.data?.json() ?? {}));
});

async function told({ title = "Zashiki", body = "", url = "/", tag = "zashiki" }) {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.some((page) => page.focused && new URL(page.url).pathname === url)) return;
    const shown = { body, tag, icon: "/icon-192.png", badge: "/icon-192.png", data: { url } };
    await self.registration.showNotification(title, shown);
}

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(shown(event.notification.data?.url ?? "/"));
});

/** Open a table: in a page that shows it, in any other page of the site, or in a new one. */
async function shown(path) {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) return;
    const pages = await self.clients.matchAll({ type: "window" });
    const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
    const page = there ?? pages[0];
    if (!page) {
        await self.clients.openWindow(url.href);
        return;
    }
    const found = there ?? (await page.navigate(url.href));
    await found?.focus();
}
