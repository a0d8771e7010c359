/** The page that the address names. */

class Router {
  path = $state(location.pathname);
  search = $state(location.search);

  constructor() {
    addEventListener("popstate", () => this.#read());
  }

  #read(): void {
    this.path = location.pathname;
    this.search = location.search;
  }

  /** Go to a page of the site. */
  go(address: string, replace = false): void {
    if (replace) {
      history.replaceState(null, "", address);
    } else {
      history.pushState(null, "", address);
      scrollTo(0, 0);
    }
    this.#read();
  }

  /** The parts of the address: /table/abc is ["table", "abc"]. */
  get parts(): string[] {
    return this.path.split("/").filter(Boolean).map(decoded);
  }

  get asked(): URLSearchParams {
    return new URLSearchParams(this.search);
  }
}

/** A decoded part; the raw part if it cannot be decoded, as in a truncated link. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const router = new Router();

/** Open links to the site's own pages without a reload. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (/^\/(api|docs)(\/|$)/.test(link.pathname)) return; // pages of the server
  if (link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}
