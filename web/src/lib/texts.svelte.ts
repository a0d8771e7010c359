/** What each game offers and says, asked once for each language. */

import { get } from "./api";
import { hasTable } from "./clients";
import { filled, type Details } from "./i18n.svelte";
import { settings, type Language } from "./settings.svelte";
import type { GameTexts, OfferedGame } from "./wire";

const none: GameTexts = {
  title: "",
  summary: "",
  words: {},
  options: {},
  hints: {},
  phrases: {},
  client: {},
  goal: "",
};

class Texts {
  /** Those with a table of their own first, and the first editions after the second. */
  games: readonly OfferedGame[] = $state.raw([]);
  #texts: Record<string, GameTexts> = $state({});
  #asked = new Set<string>();

  async load(): Promise<void> {
    if (this.games.length > 0) return;
    const games = (await get<OfferedGame[]>("/api/games")).reverse();
    this.games = [
      ...games.filter((game) => hasTable(game.id)),
      ...games.filter((game) => !hasTable(game.id)),
    ];
  }

  /** All that a game says in a language: at once where it is known, a moment later otherwise. */
  async fetch(game: string, language: Language = settings.language): Promise<void> {
    const key = `${game} ${language}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    try {
      const path = `/api/games/${encodeURIComponent(game)}/texts?language=${language}`;
      this.#texts[key] = await get<GameTexts>(path);
    } catch (fault) {
      this.#asked.delete(key);
      throw fault;
    }
  }

  has(game: string): boolean {
    return `${game} ${settings.language}` in this.#texts;
  }

  of(game: string): GameTexts {
    return this.#texts[`${game} ${settings.language}`] ?? none;
  }

  offer(game: string): OfferedGame | undefined {
    return this.games.find((one) => one.id === game);
  }

  title(game: string): string {
    return this.offer(game)?.titles[settings.language] ?? game;
  }

  word(game: string, key: string): string {
    return this.of(game).words[key] ?? key;
  }

  /** What the game's own table says: from the section [client] of its texts. */
  say(game: string, key: string, details: Details = {}): string {
    return filled(this.of(game).client[key] ?? key, details);
  }
}

export const texts = new Texts();
