/** Ratings: their pools, and why a match is not rated. */

import { t, type Key } from "./i18n.svelte";
import { numberText } from "./ranks";
import { texts } from "./texts.svelte";
import type * as wire from "./wire";

const reasons: Record<NonNullable<wire.Table["unrated"]>, Key> = {
  address: "unrated.address",
  "bot-strength": "unrated.botStrength",
  content: "unrated.content",
  "no-rivals": "unrated.noRivals",
  "own-bot": "unrated.ownBot",
  pair: "unrated.pair",
  scene: "unrated.scene",
};

/** Why a match is not rated, in a sentence. */
export function unratedText(why: wire.Table["unrated"]): string {
  return t(why === null ? "end.unrated" : reasons[why]);
}

/** The rated forms of a game for this number of seats; otherwise a single form without a name. */
export function ratedForms(game: wire.OfferedGame, seats: number): readonly string[] {
  const option = game.options.find((one) => one.form);
  const forms = (option?.by_seats[String(seats)] ?? []).map(String);
  return forms.length > 0 ? forms : [""];
}

/** A form's name in the game's texts, without the explanation after it. */
export function formName(game: string, form: string): string {
  const option = texts.offer(game)?.options.find((one) => one.form);
  const said = texts.of(game).options[option?.name ?? ""] as { values?: Record<string, string> };
  return (said?.values?.[form] ?? form).split(/[(（:：]/)[0]?.trim() ?? form;
}

/** A pool in the format of the leaderboard's address. */
export function poolQuery(pool: Pick<wire.Rating, "game" | "form" | "seats" | "rivals">): string {
  const { game, form, seats, rivals } = pool;
  return new URLSearchParams({ game, seats: String(seats), form, rivals }).toString();
}

/** A pool in words: form, seats, opponents. */
export function poolText(rating: Pick<wire.Rating, "game" | "form" | "seats" | "rivals">): string {
  const rivals = t(rating.rivals === "bots" ? "rating.againstBots" : "rating.againstPeople");
  const seats = t("rating.seats", { seats: rating.seats });
  const form = rating.form && formName(rating.game, rating.form);
  return [form, seats, rivals].filter(Boolean).join(t("shell.comma"));
}

/** The rating that a match changed; null if there is none. */
export function ratingOf(match: wire.Played, ratings: readonly wire.Rating[]): wire.Rating | null {
  const people = match.players.filter((one) => one.player && one.player.kind !== "bot");
  const rivals = people.length > 1 ? "people" : "bots";
  const found = ratings.find(
    (one) =>
      one.game === match.game &&
      one.form === match.form &&
      one.seats === match.seats &&
      one.rivals === rivals,
  );
  return found ?? null;
}

/** The change of a rating by a match, with its explanation. */
export function changeText(change: wire.RatingChange): string {
  const by = change.mean - change.before;
  const shown = numberText(Math.abs(by), 1);
  if (Math.abs(by) < 0.05) return t("end.ratingSame");
  return t(by > 0 ? "end.ratingUp" : "end.ratingDown", { change: shown });
}
