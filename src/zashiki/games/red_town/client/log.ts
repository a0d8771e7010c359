/** The log of Red Town: one line per action, by turf war. */

import type { GameLog, News } from "$web/table/model";
import { LogWriter, whoAll, whom } from "$web/table/panel/log";
import LogCard from "./cards/LogCard.svelte";

/** Facts that another line covers, or that need no line. */
const SILENT = new Set([
  "has_chosen",
  "discard_offered",
  "end_offered",
  "chose",
  "joined",
  "laid",
  "gathered",
  "split",
  "scene_set",
  "scene_hands",
  "scene_hitmen",
  "scene_sets",
  "scene_waiting",
  "scene_laid",
  "scene_played",
  "scene_turn",
]);

/** The cards of a play, in notation: r3:R3,R4,B5. */
function cardsOf(action: string): readonly string[] {
  return (action.split(":")[1] ?? "").split(",").filter(Boolean);
}

function hitmen(red: unknown, black: unknown): readonly string[] {
  return [
    ...Array.from({ length: Number(red) }, () => "RH"),
    ...Array.from({ length: Number(black) }, () => "BH"),
  ];
}

export const tell: GameLog["tell"] = (facts, table) => {
  const writer = new LogWriter(table);
  let war = 0;
  /** The Hitmen that joined the viewer's hand, if the others do not see their colours. */
  let joined: News | undefined;
  for (const news of facts) {
    const given = news.with;
    const cards = (given.cards ?? []) as readonly string[];
    const { adding = [], confirming = [] } = given as Partial<Record<string, readonly number[]>>;
    if (news.fact === "joined") joined = news;
    if (SILENT.has(news.fact)) continue;
    switch (news.fact) {
      case "round_began":
        war = 0;
        if (table.options.form === "short") writer.head(table.say("log-deal"));
        else writer.head(table.say("log-round", { round: Number(given.round) }));
        break;
      case "war_began":
      case "war_ended":
        war += 1;
        writer.head(table.say("log-war", { war }));
        break;
      case "decided":
        if (adding.length > 0) writer.say("log-adding", news, { names: whoAll(table, adding) });
        if (confirming.length > 0)
          writer.say("log-confirming", news, { names: whoAll(table, confirming) });
        break;
      case "hired":
        writer.say("log-hired", news, {}, hitmen(given.red, given.black));
        break;
      case "hired_unseen":
        if (given.seat === table.seat && joined) {
          writer.say("log-hired", news, {}, hitmen(joined.with.red, joined.with.black));
        } else writer.say("log-hired-unseen", news, { count: Number(given.count) });
        break;
      case "hands_passed":
        writer.say("log-hands-passed", news, { names: whoAll(table, given.adders as number[]) });
        break;
      case "looked_into":
        writer.say("log-looked-into", news, { set: Number(given.set) });
        break;
      case "hitmen_split":
        writer.say("log-split", news, {}, [`${String(given.hitman)}H`]);
        break;
      case "red_three_seen":
        writer.say("log-red-three", news, {}, ["R3"]);
        break;
      case "played": {
        const action = String(given.action);
        const location = table.word(action.split(":")[0] ?? "");
        const details = { location, number: Number(given.number) };
        writer.say("log-played", news, details, cardsOf(action));
        break;
      }
      case "discarded":
        writer.say("log-discarded", news, {}, [String(given.card)]);
        break;
      case "dealt":
      case "took_up":
      case "scene_held":
        if (cards.length > 0) writer.say("log-dealt", news, {}, cards); // else: sets face down
        break;
      case "took_over":
        writer.say("log-took-over", news, { to: whom(table, Number(given.to)) }, cards);
        break;
      case "looked_at":
        writer.say("log-looked-at", news, { set: Number(given.set) }, cards);
        break;
      case "hitmen_split_unseen":
        writer.say("log-split-unseen", news);
        break;
      case "sets_exchanged":
        writer.say("log-exchanged", news);
        break;
      case "took_waiting":
        writer.say("log-waiting", news);
        break;
      case "went_out":
        writer.say("log-out", news);
        break;
      case "has_passed":
        writer.say("log-passed", news);
        break;
      case "kept":
        writer.say("log-kept", news);
        break;
      case "cut_short":
        writer.say("log-cut-short", news);
        break;
      case "stayed":
        writer.say("log-stayed", news);
        break;
      case "boss_lost":
        writer.say("log-boss-lost", news);
        break;
      default:
        writer.asTold(news);
    }
  }
  return writer.written();
};

export const card: GameLog["card"] = LogCard;
