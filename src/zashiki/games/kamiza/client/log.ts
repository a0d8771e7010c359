/** The log of KAMIZA: one line per action, by round. */

import { t } from "$web/shared/i18n.svelte";
import type { GameLog } from "$web/table/model";
import { LogWriter, who, whom } from "$web/table/panel/log";
import { areas, read } from "./cards";
import { spoken } from "./view";

export const tell: GameLog["tell"] = (facts, table) => {
  const writer = new LogWriter(table);
  let laid = "";
  let revealed: { card: string; area: string; seat: number }[] = [];
  /** The last revealed cards of these seats. */
  const lying = (seats: readonly number[]) =>
    revealed.filter(({ seat }) => seats.includes(seat)).map(({ card, seat }) => ({ card, seat }));
  for (const news of facts) {
    const given = news.with;
    const area = typeof given.area === "string" ? table.word(given.area) : "";
    const { misplaced = [], cancelled = [] } = given as Partial<Record<string, readonly number[]>>;
    switch (news.fact) {
      case "round_began":
        writer.head(
          table.say("log-round", { game: Number(given.game), round: Number(given.round) }),
        );
        break;
      case "starter_drawn":
        writer.say("log-drawn", news);
        break;
      case "said":
        writer.say("log-said", news, { words: spoken(table, String(given.words)) ?? "" });
        break;
      case "laid":
        laid = String(given.card);
        break;
      case "placed":
        if (given.seat === table.seat && laid) writer.say("log-placed-own", news, { area }, [laid]);
        else writer.say("log-placed", news, { area });
        break;
      case "placed_open":
        writer.say("log-placed-open", news, { area }, [String(given.card)]);
        break;
      case "revealed": {
        revealed = (given.cards as readonly (string | null)[]).flatMap((one, seat) =>
          one === null ? [] : [{ ...read(one), seat }],
        );
        for (const place of areas) {
          const there = revealed.filter((card) => card.area === place).map(({ seat }) => seat);
          if (there.length === 0) continue;
          writer.say("log-revealed", news, { area: table.word(place) }, lying(there));
        }
        break;
      }
      case "raided":
        writer.say("log-raided", news);
        break;
      case "boss_shot": {
        const [boss, hitman] = [Number(given.boss), Number(given.hitman)];
        writer.say("log-shot", news, { boss: whom(table, boss), hitman: whom(table, hitman) });
        break;
      }
      case "judged":
        if (misplaced.length > 0) writer.say("log-misplaced", news, {}, lying(misplaced));
        if (cancelled.length > 0) writer.say("log-cancelled", news, {}, lying(cancelled));
        writePoints(given.points as readonly number[]);
        break;
      case "wanted_taken":
        writer.say("log-wanted", news);
        break;
      case "dropped_out":
        writer.say("log-dropped", news);
        break;
      case "scene_set":
      case "turn_came":
        break;
      default:
        writer.asTold(news);
    }

    function writePoints(points: readonly number[]) {
      const scored = points.flatMap((count, seat) =>
        count > 0 ? [table.say("points_of", { player: who(table, seat), points: count })] : [],
      );
      if (scored.length === 0) writer.say("log-no-points", news);
      else writer.say("log-points", news, { points: scored.join(t("shell.comma")) });
    }
  }
  return writer.written();
};

export const card: GameLog["card"] = null;
