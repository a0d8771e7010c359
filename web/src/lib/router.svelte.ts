/** Which page is meant by the address. */

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

  /** Go to a page of ours. */
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

/** A part as it was meant; as it stands where it cannot be read, like a link that was cut off. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const router = new Router();

/** Links to our own pages do not load anew. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}
