/** Drag and drop for cards, by mouse, finger or pen; a press that hardly moves remains a press. */

const FAR = 8;
/** A drop target: an element with the name of the place in `data-drop`. */
const PLACE = "[data-drop]";

export interface Drag {
  /** True if it may be dragged now. */
  isFree: () => boolean;
  /** Called when it is dragged over this place, or over none. */
  over: (place: string | null) => void;
  /** Called when it is dropped there; null: on no place, or the drag was cancelled. */
  drop: (place: string | null) => void;
  /** The elements that move along: the other chosen cards. */
  others?: () => Iterable<HTMLElement>;
}

interface Held {
  pointer: number;
  x: number;
  y: number;
  /** The moving elements, once the pointer has moved far enough. */
  moving: readonly HTMLElement[] | null;
}

/**
 * Make an element draggable. It must have `touch-action: none`, or a finger would scroll the page.
 */
export function draws({ isFree, over, drop, others }: Drag): (card: HTMLElement) => () => void {
  return (card) => {
    let held: Held | null = null;

    function down(event: PointerEvent) {
      if (held || event.button !== 0 || !event.isPrimary || !isFree()) return;
      held = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moving: null };
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", cancel);
      addEventListener("keydown", key);
    }

    function move(event: PointerEvent) {
      if (!held || event.pointerId !== held.pointer) return;
      const [x, y] = [event.clientX - held.x, event.clientY - held.y];
      if (!held.moving && Math.hypot(x, y) < FAR) return;
      held.moving ??= lift(card, others?.() ?? []);
      for (const one of held.moving) one.style.translate = `${x}px ${y}px`;
      over(placeAt(event));
    }

    function up(event: PointerEvent) {
      if (event.pointerId !== held?.pointer) return;
      const wasMoved = held.moving !== null;
      const place = wasMoved ? placeAt(event) : null;
      release();
      if (!wasMoved) return;
      swallowClick();
      over(null);
      drop(place);
    }

    function cancel(event?: PointerEvent) {
      if (event && event.pointerId !== held?.pointer) return;
      const wasMoved = held?.moving;
      release();
      if (!wasMoved) return;
      over(null);
      drop(null);
    }

    function key(event: KeyboardEvent) {
      if (event.key === "Escape") cancel();
    }

    function release() {
      for (const one of held?.moving ?? []) {
        one.style.translate = "";
        delete one.dataset["drawn"];
      }
      held = null;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key);
    }

    const stay = (event: Event) => event.preventDefault(); // no native dragging of images
    card.addEventListener("pointerdown", down);
    card.addEventListener("dragstart", stay);
    return () => {
      release();
      card.removeEventListener("pointerdown", down);
      card.removeEventListener("dragstart", stay);
    };
  };
}

function lift(card: HTMLElement, others: Iterable<HTMLElement>): readonly HTMLElement[] {
  const moving = [...new Set([card, ...others])];
  for (const one of moving) one.dataset["drawn"] = ""; // in front, and ignored by the pointer
  return moving;
}

function placeAt(event: PointerEvent): string | null {
  const below = document.elementFromPoint(event.clientX, event.clientY);
  return below?.closest<HTMLElement>(PLACE)?.dataset["drop"] ?? null;
}

/** Suppress the click that a browser fires after a drag that ends where it began. */
function swallowClick(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }));
}
