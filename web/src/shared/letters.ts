/**
 * Loads fonts when a character is missing in the fonts of every page: those for the client's own
 * Japanese first, and the pieces for everything else only after that.
 */

import { first } from "virtual:fonts/first.js";

/** Latin letters, accents included; their pieces are in the first style sheet. */
const LATIN = /[\0-\u024f\u1e00-\u1eff]+/g;
const known = new Set(first);

let own: Promise<ReadonlySet<string>> | undefined;
let isComplete = false;

/** Fonts for the client's own Japanese. */
export function loadOwn(): Promise<ReadonlySet<string>> {
  own ??= Promise.all([import("virtual:fonts/own.js"), import("virtual:fonts/own.css")]).then(
    ([letters]) => new Set(letters.own),
    (fault) => {
      own = undefined;
      throw fault;
    },
  );
  return own;
}

/** Load the fonts that a text needs. */
export async function need(text: string): Promise<void> {
  const unknown = [...text.replace(LATIN, "")].filter((letter) => !known.has(letter));
  if (unknown.length === 0 || isComplete) return;
  const letters = await loadOwn();
  if (isComplete || unknown.every((letter) => letters.has(letter))) return;
  isComplete = true;
  try {
    await import("virtual:fonts/rest.css");
  } catch (fault) {
    isComplete = false;
    throw fault;
  }
}

/** Watch every text of the page from now on. */
export function watchLetters(): void {
  const see = (text: string | null) => {
    // offline, the system's fonts draw it, and the next text asks again
    if (text) need(text).catch(() => undefined);
  };
  const looked = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "childList") for (const node of addedNodes) see(node.textContent);
      else if (type === "characterData") see(target.textContent);
      else see((target as HTMLInputElement).placeholder);
    }
  });
  looked.observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["placeholder"],
  });
  document.addEventListener("input", ({ target }) => see((target as HTMLInputElement).value));
}
