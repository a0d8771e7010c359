/**
 * The page /api/docs: Swagger UI over the server's own description of its API.
 *
 * The server writes the page and names these files in it. It imports nothing of the client: the
 * chunk that both would share is the client's first one.
 */

import "swagger-ui-dist/swagger-ui.css";
import "./apiDocs.css";

import bundle from "swagger-ui-dist/swagger-ui-bundle.js?url";
import parts from "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt?raw";
import licence from "swagger-ui-dist/LICENSE?raw";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The theme in the client's settings; empty if they follow the system. */
function chosenTheme(): unknown {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem("zashiki.settings") ?? "{}");
    return typeof kept === "object" && kept !== null && "theme" in kept ? kept.theme : "";
  } catch {
    return ""; // storage is blocked, or holds something else
  }
}

function showTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === "dark" || (theme !== "light" && dark.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}

dark.addEventListener("change", showTheme);
showTheme();

const script = document.createElement("script");
script.src = bundle;
script.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "/schema/openapi.json",
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null, // otherwise it would request an outside host
    requestInterceptor: (request) => {
      request.headers["X-Zashiki"] = "1"; // the server refuses other requests that change data
      return request;
    },
  });
});
document.head.append(script);
document.querySelector("#licence")?.append(`Swagger UI\n${licence}\nIts parts\n\n${parts}`);
