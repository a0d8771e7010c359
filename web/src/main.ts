import { mount } from "svelte";

import App from "./App.svelte";
import { loadOwn, watchLetters } from "./shared/letters";
import { follow, settings } from "./shared/settings.svelte";
import "virtual:fonts/first.css";
import "./styles/tokens.css";
import "./styles/base.css";

follow();
watchLetters();
if (settings.language === "ja") loadOwn().catch(() => undefined);
mount(App, { target: document.getElementById("app") as HTMLElement });

// The service worker caches files for offline use; the pages work without it.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}
