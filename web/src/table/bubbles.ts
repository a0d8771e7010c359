/** The place of a bubble: beside its seat, inside the stage, and over no control. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Side = "below" | "above" | "right" | "left" | "over";

export interface Placed {
  left: number;
  top: number;
  side: Side;
}

/** Between a seat and its bubble, for the tip. */
const GAP = 8;
const LEAST = 3500;
const PER_CHARACTER = 55;
const MOST = 8000;

/** The milliseconds for which a line is shown. */
export function readingTime(text: string): number {
  return Math.min(MOST, LEAST + PER_CHARACTER * text.length);
}

/** Distances from its seat at which a free place for a bubble is tried, in pixels. */
const FARTHER = [0, 28, 56, 84, 112];

/** The cost of covering a control, relative to covering a seat. */
const PLAY = 100;

interface Size {
  width: number;
  height: number;
}

export interface Surroundings {
  controls: readonly Box[];
  /** The other players' seats. */
  seats: readonly Box[];
}

/**
 * The nearest place where it covers nothing. If there is none, it covers a seat rather than a
 * control.
 */
export function placed(seat: Box, bubble: Size, stage: Box, around: Surroundings): Placed {
  const size = { width: bubble.width, height: bubble.height }; // wherever it is now
  let best: Placed | null = null;
  let least = Infinity;
  for (const wished of wishes(seat, size)) {
    const one = inside(wished, size, stage);
    const box = { ...one, ...size };
    const area = PLAY * covered(box, around.controls) + covered(box, [seat, ...around.seats]);
    if (area === 0) return one;
    if (area < least) [best, least] = [one, area];
  }
  return best ?? inside({ side: "over", left: seat.left, top: seat.top }, size, stage);
}

export function covered(box: Box, others: readonly Box[]): number {
  return others.reduce((sum, other) => sum + overlap(box, other), 0);
}

/** All candidate places, the best first. */
function wishes(seat: Box, size: Size): Placed[] {
  const middle = seat.left + (seat.width - size.width) / 2;
  const level = seat.top + (seat.height - size.height) / 2;
  const across = [middle, seat.left, seat.left + seat.width - size.width];
  const beside = FARTHER.flatMap((more): Placed[] => [
    ...across.map((left): Placed => ({ side: "below", left, top: bottom(seat) + GAP + more })),
    ...across.map((left): Placed => {
      return { side: "above", left, top: seat.top - size.height - GAP - more };
    }),
    { side: "right", left: seat.left + seat.width + GAP + more, top: level },
    { side: "left", left: seat.left - size.width - GAP - more, top: level },
  ]);
  return [...beside, { side: "over", left: middle, top: level }];
}

function bottom(box: Box): number {
  return box.top + box.height;
}

function inside(one: Placed, size: Size, stage: Box): Placed {
  const within = (value: number, first: number, room: number) =>
    Math.max(first, Math.min(value, first + Math.max(0, room)));
  return {
    side: one.side,
    left: within(one.left, stage.left, stage.width - size.width),
    top: within(one.top, stage.top, stage.height - size.height),
  };
}

/** The area that two boxes share. */
function overlap(one: Box, other: Box): number {
  const across =
    Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down =
    Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}
