// Keeps the files of the shell, and a page for when there is no connection. Never what the server
// says about tables: that is asked for each time.

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

/** What has a hash in its name never changes. */
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

/** The oldest go first; what the offline page needs stays. */
async function tidied(cache) {
    const all = await cache.keys();
    const old = all.filter((one) => !OFFLINE.includes(new URL(one.url).pathname));
    await Promise.all(old.slice(0, Math.max(0, old.length - MOST)).map((one) => cache.delete(one)));
}
