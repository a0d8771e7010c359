/** A table that is about to be opened, with the choices made so far. */

import { clientOf } from "$web/shared/clients";
import { usualLevel } from "$web/shared/levels";
import type * as wire from "$web/shared/wire";

/** The planned player of a seat: anyone, anyone with the link, or the bot of this name. */
export type Wanted = "open" | "link" | `bot:${string}`;

type Pace = wire.Relaxed | wire.Clock | wire.Days;
type Seating = NonNullable<wire.NewTable["seating"]>;

export class Plan {
  game: wire.OfferedGame = $state.raw() as wire.OfferedGame;
  seats = $state(2);
  public = $state(false);
  chairs: Wanted[] = $state([]);
  options: Record<string, unknown> = $state.raw({});
  pace: Pace["kind"] = $state("relaxed");
  seconds = $state(60);
  bank = $state(300);
  days = $state(3);
  watch: NonNullable<wire.NewTable["watch"]> = $state("live");
  delay = $state(10);
  level = $state("");
  #seating: Seating | null = $state(null);

  constructor(game: wire.OfferedGame) {
    this.choose(game);
  }

  /** Choose another game; choices that do not fit it are dropped. */
  choose(game: wire.OfferedGame): void {
    this.game = game;
    this.options = {};
    this.#seating = null;
    this.level = usualLevel(game);
    const most = Math.max(...game.seats);
    const usual = Math.min(...game.seats) > 2 ? most : Math.min(4, most);
    this.sitDown(game.seats.includes(this.seats) && this.seats > 2 ? this.seats : usual);
  }

  /** Set the number of seats; existing seats keep their plan. */
  sitDown(seats: number): void {
    this.seats = seats;
    this.chairs = Array.from({ length: seats }, (_, seat) => {
      const before = this.chairs[seat];
      if (before?.startsWith("bot:") && !this.game.levels.includes(before.slice(4))) return "open";
      return before ?? "open";
    });
  }

  /** The values that an option may have at a table of this size. */
  valuesOf(option: wire.OfferedOption): readonly unknown[] {
    return option.by_seats[String(this.seats)] ?? option.values;
  }

  /** The value of an option: the chosen one if it fits, otherwise the default. */
  valueOf(option: wire.OfferedOption): unknown {
    const values = this.valuesOf(option);
    const chosen = this.options[option.name];
    if (chosen !== undefined && (values.includes(chosen) || typeof chosen === "object")) {
      return chosen;
    }
    return values.includes(option.default) ? option.default : values[0];
  }

  set(option: string, value: unknown): void {
    this.options = { ...this.options, [option]: value };
  }

  /** The seat of the player who opens the table; null among bots alone. */
  get own(): number | null {
    const found = this.chairs.findIndex((wanted) => !wanted.startsWith("bot:"));
    return found < 0 ? null : found;
  }

  /** Seats are drawn, unless they are sides or the player chose otherwise. */
  get seating(): Seating {
    return this.#seating ?? (clientOf(this.game.id).sides ? "fixed" : "drawn");
  }

  set seating(wanted: Seating) {
    this.#seating = wanted;
  }

  get wanted(): wire.NewTable {
    return {
      game: this.game.id,
      seats: this.seats,
      options: Object.fromEntries(
        this.game.options.map((option) => [option.name, this.valueOf(option)]),
      ),
      chairs: this.chairs.map((wanted) => this.#chair(wanted)),
      public: this.public,
      watch: this.own === null && this.watch === "off" ? "live" : this.watch,
      delay: this.watch === "delayed" ? this.delay : 0,
      pace: this.#pace,
      level: this.level,
      seating: this.seating,
    };
  }

  #chair(wanted: Wanted): wire.Chair {
    if (wanted.startsWith("bot:")) return { kind: "bot", bot: wanted.slice(4) };
    return { kind: wanted === "link" && this.public ? "link" : "open" };
  }

  get #pace(): Pace {
    if (this.pace === "clock") return { kind: "clock", seconds: this.seconds, bank: this.bank };
    if (this.pace === "days") return { kind: "days", days: this.days };
    return { kind: "relaxed" };
  }
}
