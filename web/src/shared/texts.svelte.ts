/** The specifications and texts of the games, fetched once per language. */

import { get } from "./api";
import { hasTable } from "./clients";
import { writtenGames, writtenTexts } from "./first";
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
  /** Games with their own table first; second editions before first editions. */
  games: readonly OfferedGame[] = $state.raw([]);
  #texts: Record<string, GameTexts> = $state({});
  #asked = new Set<string>();

  async load(): Promise<void> {
    if (this.games.length > 0) return;
    const games = (writtenGames() ?? (await get<OfferedGame[]>("/api/games"))).toReversed();
    this.games = [
      ...games.filter((game) => hasTable(game.id)),
      ...games.filter((game) => !hasTable(game.id)),
    ];
  }

  /** Fetch all texts of a game in a language, once; those in the page are used at once. */
  async fetch(game: string, language: Language = settings.language): Promise<void> {
    const key = `${game} ${language}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    try {
      const path = `/api/games/${encodeURIComponent(game)}/texts?language=${language}`;
      this.#texts[key] = writtenTexts(key) ?? (await get<GameTexts>(path));
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

  /** The texts of the game's own table: the section [client]. */
  say(game: string, key: string, details: Details = {}): string {
    return filled(this.of(game).client[key] ?? key, details);
  }
}

export const texts = new Texts();
