import { mount } from "svelte";

import App from "./App.svelte";
import { follow } from "./lib/settings.svelte";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";

follow();
mount(App, { target: document.getElementById("app") as HTMLElement });
