import { mount } from "svelte";

import App from "./App.svelte";
import { follow } from "./lib/settings.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

follow();
mount(App, { target: document.getElementById("app") as HTMLElement });

// What is kept for when there is no connection; the pages do without it.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  });
}
