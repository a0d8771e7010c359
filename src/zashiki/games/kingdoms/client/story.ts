/** A battle from its reveal to its losses, as a sequence of steps. */

import { t } from "$web/shared/i18n.svelte";
import type { News, TableModel, View } from "$web/table/model";
import type { Book } from "./book";
import { attackerOf, known, type KingdomsView, type Line } from "./view";

export interface Story {
  area: string;
  attacker: number;
  attackers: string[];
  defender: string;
  added: string | null;
  lines: Line[];
  /** The attacker that cancels the area's offset. */
  cancelledBy: string | null;
  totals: { attack: number; defence: number };
  /** A seat; null for a tie. */
  winner: number | null;
  /** The discarded cards that are settled so far. */
  fallen: { seat: number; card: string }[];
  /** The card that a skill returns to the hand. */
  saved: string | null;
}

/** The milliseconds for which each step is shown. */
export const PACE = { reveal: 700, line: 420, totals: 700, result: 1200 };

/** Reveal, each line, the cancelled offset if there is one, the totals, the result. */
export function stepsOf(story: Story): number[] {
  const lines = story.lines.length + (story.cancelledBy ? 1 : 0);
  return [PACE.reveal, ...Array<number>(lines).fill(PACE.line), PACE.totals, PACE.result];
}

export function lengthOf(story: Story): number {
  return stepsOf(story).reduce((sum, step) => sum + step, 0);
}

/** The last battle that these news reveal, if any. */
export function storyIn(news: readonly News[], view: View): Story | null {
  const start = news.findLastIndex((one) => one.fact === "revealed");
  const revealed = news[start]?.with as
    | { seat: number; area: string; attackers: string[]; defender: string; added: string | null }
    | undefined;
  if (!revealed) return null;
  const story: Story = {
    area: revealed.area,
    attacker: revealed.seat,
    attackers: revealed.attackers,
    defender: revealed.defender,
    added: revealed.added,
    lines: [],
    cancelledBy: null,
    totals: { attack: 0, defence: 0 },
    winner: null,
    fallen: [],
    saved: null,
  };
  for (const one of news.slice(start + 1)) tell(story, one);
  if (known(view).phase === "over" && known(view).battle) story.fallen = losers(story);
  return story;
}

/** The same battle, with facts that were settled later; unchanged if these news have none. */
export function settled(story: Story, news: readonly News[]): Story {
  if (!news.some((one) => one.fact === "discarded")) return story;
  const whole = { ...story, fallen: [...story.fallen] };
  for (const one of news) tell(whole, one);
  return whole;
}

function tell(story: Story, news: News): void {
  const details = news.with as Record<string, never>;
  switch (news.fact) {
    case "counted":
      story.lines.push(details as unknown as Line);
      break;
    case "offset_counted":
      story.lines.push({ ...(details as unknown as Line), card: null, source: "offset" });
      break;
    case "offset_cancelled":
      story.cancelledBy = details["card"] ?? null;
      break;
    case "totalled":
      story.totals = details as unknown as Story["totals"];
      break;
    case "battle_won":
      story.winner = details["seat"] ?? null;
      break;
    case "discarded":
      for (const card of details["cards"] ?? []) {
        story.fallen.push({ seat: details["seat"] ?? 0, card });
      }
      break;
    case "returned":
      story.saved = details["card"] ?? null;
      break;
  }
}

/** The open battle in a view, for a viewer who arrives during it. */
export function storyOf(view: KingdomsView, book: Book): Story | null {
  const battle = view.battle;
  if (!battle?.revealed || !battle.lines || !battle.totals) return null;
  const attacker = attackerOf(view);
  const { attack, defence } = battle.totals;
  const hasOffset = battle.lines.some((line) => line.source === "offset");
  const bird = battle.attackers.find((card) => book.card(card).skill === "bird-soldier");
  const story: Story = {
    area: battle.area,
    attacker,
    attackers: battle.attackers,
    defender: battle.defender,
    added: battle.added,
    lines: battle.lines,
    cancelledBy: hasOffset ? null : (bird ?? null),
    totals: battle.totals,
    winner: attack === defence ? null : attack > defence ? attacker : 1 - attacker,
    fallen: [],
    saved: null,
  };
  if (view.phase === "over") story.fallen = losers(story);
  return story;
}

/** A seat's view just before the end of a battle: no card has moved, except those added to it. */
export function beforeEnd(
  last: KingdomsView | null,
  now: KingdomsView,
  story: Story,
  seat: number | null,
  book: Book,
): KingdomsView {
  const defender = 1 - story.attacker;
  const areas = { ...now.areas, [story.area]: { seat: defender, card: story.defender } };
  if (last?.battle?.area !== story.area) return { ...now, areas };
  if (!story.added) return last;
  const { added } = story;
  const rank = book.back(added);
  const hands = last.hands.map((shown, one) =>
    one === defender
      ? { ...shown, [rank]: shown[rank] - 1, known: without(shown.known, added) }
      : shown,
  );
  const own = seat === defender && last.hand ? { hand: without(last.hand, added) } : {};
  return { ...last, ...own, hands };
}

function without(cards: readonly string[], card: string): string[] {
  const place = cards.indexOf(card);
  return cards.filter((_, one) => one !== place);
}

/** A battle that ends the match stays open: the losing side is discarded. */
function losers(story: Story): Story["fallen"] {
  const defence = story.added ? [story.defender, story.added] : [story.defender];
  const sides = [
    { seat: story.attacker, cards: story.attackers },
    { seat: 1 - story.attacker, cards: defence },
  ];
  return sides
    .filter((side) => side.seat !== story.winner)
    .flatMap((side) => side.cards.map((card) => ({ seat: side.seat, card })));
}

export interface Result {
  /** The winner, and the card that returns to the hand. */
  text: string;
  /** The cards that each side discards. */
  discards: string;
}

/** The result of a battle in sentences. The text of a tie says already that all are discarded. */
export function resultOf(story: Story, table: TableModel, book: Book): Result {
  const side = (seat: number) => table.word(seat === 0 ? "red" : "blue");
  const { winner, saved } = story;
  const texts = [winner === null ? table.say("tied") : table.say("won", { side: side(winner) })];
  if (saved) texts.push(table.say("saved", { card: book.card(saved).label }));
  const discards: string[] = [];
  for (const seat of winner === null ? [] : [0, 1]) {
    const fallen = story.fallen.filter((one) => one.seat === seat);
    if (fallen.length === 0) continue;
    const cards = fallen.map((one) => book.card(one.card).label).join(t("shell.comma"));
    discards.push(table.say("falls", { side: side(seat), cards }));
  }
  return { text: texts.join(" "), discards: discards.join(" ") };
}
