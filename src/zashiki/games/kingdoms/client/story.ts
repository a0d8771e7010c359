/** A battle from its reveal to who falls, as a sequence of steps. */

import type { News, View } from "$lib/table";

import type { Book } from "./book";
import { attackerOf, known, type KingdomsView, type Line } from "./view";

export interface Story {
  area: string;
  attacker: number;
  attackers: string[];
  defender: string;
  added: string | null;
  lines: Line[];
  /** The attacker for whom the area has no offset. */
  cancelledBy: string | null;
  totals: { attack: number; defence: number };
  /** A seat; null for a tie. */
  winner: number | null;
  /** Who is discarded, as far as it is settled. */
  fallen: { seat: number; card: string }[];
  /** The card that a skill brings back to the hand. */
  saved: string | null;
}

/** How long each step is looked at, in milliseconds. */
export const PACE = { reveal: 700, line: 420, totals: 700, result: 1200 };

/** Reveal, each line, the cancelled offset if there is one, the totals, the result. */
export function stepsOf(story: Story): number[] {
  const lines = story.lines.length + (story.cancelledBy ? 1 : 0);
  return [PACE.reveal, ...Array<number>(lines).fill(PACE.line), PACE.totals, PACE.result];
}

export function lengthOf(story: Story): number {
  return stepsOf(story).reduce((sum, step) => sum + step, 0);
}

/** The last battle that these news tell of, if they reveal one. */
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

/** The same battle, with what was settled only later; itself where these news tell nothing of it. */
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

/** The battle that lies open in a view: for who comes while it does. */
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

/** What a seat knew just before the end of a battle: nothing has moved, but what was added to it. */
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

/** A battle that ends the match stays as it lies: the losing side is what fell. */
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
