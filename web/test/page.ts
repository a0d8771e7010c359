/**
 * The few parts of a page that the client's modules use, for tests in Node.
 *
 * Modules are compiled as for a browser, so Svelte's state is the real one. Modules that need a
 * document with elements are tested in a browser (tests/browser).
 */

import type { Environment } from "vitest/runtime";

/** As in a browser: strings by key, and an error when the storage is full. */
class MemoryStorage {
  #kept = new Map<string, string>();

  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    this.#kept.set(key, String(text));
  }

  removeItem(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }
}

/** A media query that does not match until a test changes it. */
class Query extends EventTarget {
  matches = false;

  constructor(readonly media: string) {
    super();
  }
}

function page(global: unknown): Record<string, unknown> {
  const events = new EventTarget();
  const queries = new Map<string, Query>();
  return {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    document: Object.assign(new EventTarget(), {
      hidden: false,
      visibilityState: "visible",
      title: "",
      documentElement: { lang: "", dataset: {} },
      getElementById: () => null,
    }),
    history: {},
    isSecureContext: true,
    localStorage: new MemoryStorage(),
    location: new URL("http://zashiki.test/"),
    matchMedia: (media: string) => {
      if (!queries.has(media)) queries.set(media, new Query(media));
      return queries.get(media);
    },
    window: global,
  };
}

export default {
  name: "page",
  viteEnvironment: "client",
  setup(global) {
    const made = page(global);
    const before = new Map(
      Object.keys(made).map((name) => [name, Object.getOwnPropertyDescriptor(global, name)]),
    );
    for (const [name, value] of Object.entries(made)) {
      Object.defineProperty(global, name, { value, configurable: true, writable: true });
    }
    return {
      teardown() {
        for (const [name, descriptor] of before) {
          if (descriptor) Object.defineProperty(global, name, descriptor);
          else delete global[name];
        }
      },
    };
  },
} satisfies Environment;
