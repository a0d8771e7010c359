/** Data that the server has embedded in the page, to save requests. */

import type * as wire from "./wire";

interface First {
  games?: wire.OfferedGame[];
  session?: wire.Session;
  /** By game and language: `red-town en`. */
  texts: Record<string, wire.GameTexts>;
}

const none: First = { texts: {} };
const element = document.getElementById("first");
const first = element ? (JSON.parse(element.textContent) as First) : none;

/** The games, or undefined if they must be fetched. */
export const writtenGames = (): wire.OfferedGame[] | undefined => first.games;

/** The texts of a game, or undefined if they must be fetched. */
export const writtenTexts = (key: string): wire.GameTexts | undefined => first.texts[key];

/** The session, returned only once: it is as old as the page. */
export function takeSession(): wire.Session | undefined {
  const session = first.session;
  delete first.session;
  return session;
}
