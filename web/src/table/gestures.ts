/** Input at a table: one gesture is one decision, and keyboard focus is never lost. */

const ACTS = ".act, [data-action]";
const SETTLING = 60;
/** The milliseconds within which two presses are one double press. */
const DOUBLE = 400;

/**
 * Ignore the second click of a double click and repeats of a held key: the button may have changed.
 */
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

/**
 * Handle a double press by mouse or finger, after the effect of each single press.
 *
 * A press elsewhere ends it: a card that is pressed for two decisions in a row is not pressed twice.
 */
export function doublePress(act: () => void): (area: HTMLElement) => () => void {
  return (area) => {
    let last = -Infinity;
    function clickAnywhere(event: MouseEvent) {
      if (!area.contains(event.target as Node)) last = -Infinity;
    }
    function click(event: MouseEvent) {
      if (event.detail === 0) return; // by the keyboard
      const isSecond = event.timeStamp - last < DOUBLE;
      last = isSecond ? -Infinity : event.timeStamp;
      if (isSecond) setTimeout(act); // Svelte handles clicks at the root of the page
    }
    document.addEventListener("click", clickAnywhere, { capture: true });
    area.addEventListener("click", click);
    return () => {
      document.removeEventListener("click", clickAnywhere, { capture: true });
      area.removeEventListener("click", click);
    };
  };
}

/** Move the focus to the hand if the pressed element is gone or disabled. */
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
