/** The log of Kingdoms: one line per action, by turn; a battle has three, with its arithmetic. */

import { settings } from "$web/shared/settings.svelte";
import type { GameLog, LogLine } from "$web/table/model";
import { LogWriter, who } from "$web/table/panel/log";
import { counted } from "./backs";
import { Book } from "./book";
import LogCard from "./LogCard.svelte";

/** Facts that another line covers. */
const SILENT = new Set([
  "drew",
  "leave_asked",
  "took_hold",
  "emptied",
  "battle_ended",
  "turn_ended",
  "laid",
  "turned_up",
  "took_back",
  "worked_out",
  "scene_set",
  "scene_held",
  "scene_hand",
  "scene_pile",
]);

/** A battle in three lines: the attack, the defence, and the result with its arithmetic. */
class Battle {
  attacker: number | null = null;
  /** The first line, which names the attackers once they are known. */
  attack: LogLine | null = null;
  result: LogLine | null = null;
  totals = { attack: 0, defence: 0 };
  parts: string[] = [];
  #said = "";
  #fallen: { card: string; seat: number }[] = [];
  #saved = "";

  constructor(readonly writer: LogWriter) {}

  side(seat: unknown): string {
    return this.writer.table.word(seat === this.attacker ? "attack" : "defence");
  }

  end(result: LogLine): void {
    this.result = result;
    this.#said = result.text;
    result.details = this.parts;
  }

  fall(seat: number, cards: readonly string[]): void {
    this.#fallen.push(...cards.map((card) => ({ card, seat })));
    this.#tell();
  }

  save(card: string): void {
    this.#saved = card;
    this.#tell();
  }

  /** Add the fate of the cards to the result. */
  #tell(): void {
    if (!this.result) return;
    const { table } = this.writer;
    const more: string[] = [];
    if (this.#fallen.length > 0) more.push(table.say("log-fallen"));
    if (this.#saved) more.push(table.say("log-saved", { card: this.#saved }));
    this.result.text = more.reduce(
      (said, one) => table.say("log-then", { said, more: one }),
      this.#said,
    );
    this.result.cards = this.#fallen;
  }
}

export const tell: GameLog["tell"] = (facts, table) => {
  const writer = new LogWriter(table);
  const book = new Book(table.options.card_set, settings.language, (key) => table.word(key));
  let committed: readonly string[] = [];
  let battle = new Battle(writer);
  for (const news of facts) {
    const given = news.with;
    const area = typeof given.area === "string" ? book.place(given.area).label : "";
    const cards = (given.cards ?? []) as readonly string[];
    if (SILENT.has(news.fact)) continue;
    switch (news.fact) {
      case "turn_began":
        writer.head(
          table.say("log-turn", {
            number: Number(given.number),
            who: who(table, Number(given.seat)),
          }),
        );
        break;
      case "drafted": {
        const numbers = { normal: Number(given.normal), ace: Number(given.ace) };
        if (numbers.normal + numbers.ace === 0) writer.say("log-drafted-none", news);
        else writer.say("log-drafted", news, { what: counted(table, numbers) });
        break;
      }
      case "took":
        if (cards.length > 0) writer.say("log-took", news, {}, cards);
        break;
      case "dealt":
        if (cards.length > 0) writer.say("log-dealt", news, {}, cards);
        break;
      case "occupied":
        writer.say("log-occupied", news, { area }, [String(given.card)]);
        break;
      case "swapped": {
        const taken = book.card(String(given.taken)).label;
        writer.say("log-swapped", news, { area, taken }, [String(given.card)]);
        break;
      }
      case "committed":
        committed = cards;
        break;
      case "attacked":
        battle = new Battle(writer);
        battle.attacker = Number(given.seat);
        if (given.seat === table.seat) {
          battle.attack = writer.say("log-attacked-own", news, { area }, committed);
        } else {
          const count = Number(given.normal) + Number(given.ace);
          battle.attack = writer.say("log-attacked", news, { area, count });
        }
        break;
      case "revealed": {
        const added = typeof given.added === "string" ? [given.added] : [];
        const attackers = (given.attackers as readonly string[]).map((card) => ({ card }));
        battle.attacker = Number(given.seat);
        if (battle.attack) {
          const seen = { area, who: who(table, battle.attacker) };
          battle.attack.text = table.say("log-attacked-own", seen);
          battle.attack.cards = attackers;
        } else battle.attack = writer.say("log-attacked-own", news, { area }, attackers);
        writer.add(news, table.say("log-defenders"), [String(given.defender), ...added]);
        break;
      }
      case "counted":
        if (Number(given.amount) > 0) {
          const card = book.card(String(given.card)).label;
          const source = table.word(`by-${String(given.source)}`);
          const detail = {
            side: battle.side(given.seat),
            card,
            source,
            amount: Number(given.amount),
          };
          battle.parts.push(table.say("log-counted", detail));
        }
        break;
      case "offset_counted":
        if (Number(given.amount) > 0) {
          const side = battle.side(given.seat);
          battle.parts.push(table.say("log-offset", { side, amount: Number(given.amount) }));
        }
        break;
      case "offset_cancelled":
        battle.parts.push(table.say("line-cancelled"));
        break;
      case "totalled":
        battle.totals = { attack: Number(given.attack), defence: Number(given.defence) };
        break;
      case "battle_won":
        battle.end(writer.say("log-won", news, { ...battle.totals, area }));
        break;
      case "battle_tied":
        battle.end(writer.say("log-tied", news, { ...battle.totals, area }));
        break;
      case "discarded":
        battle.fall(Number(given.seat), cards);
        break;
      case "returned":
        battle.save(book.card(String(given.card)).label);
        break;
      default:
        writer.asTold(news);
    }
  }
  return writer.written();
};

export const card: GameLog["card"] = LogCard;
