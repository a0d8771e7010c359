/** How presses are taken at a table: one gesture is one decision, and the keyboard keeps its place. */

const ACTS = ".act, [data-action]";
const SETTLING = 60;

/** A button may mean something else by the second click of a double click, or while a key is held. */
export function oneGesture(area: HTMLElement): () => void {
  function click(event: MouseEvent) {
    if (event.detail > 1 && isAct(event)) stop(event);
  }
  function key(event: KeyboardEvent) {
    if (event.repeat && (event.key === "Enter" || event.key === " ") && isAct(event)) stop(event);
  }
  area.addEventListener("click", click, { capture: true });
  area.addEventListener("keydown", key, { capture: true });
  return () => {
    area.removeEventListener("click", click, { capture: true });
    area.removeEventListener("keydown", key, { capture: true });
  };
}

/** What was pressed may be gone or disabled: the keyboard goes on from the hand. */
export function keepsFocus(area: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function pressed() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (document.activeElement !== document.body) return;
      const hand = area.querySelector<HTMLElement>("[data-hand]") ?? area;
      hand.focus({ preventScroll: true });
    }, SETTLING);
  }
  area.addEventListener("click", pressed);
  return () => {
    clearTimeout(timer);
    area.removeEventListener("click", pressed);
  };
}

function isAct(event: Event): boolean {
  return (event.target as Element).closest(ACTS) !== null;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
