/**
 * Finds faults in the layout of the table on display: controls outside the stage or covered, parts
 * that scroll, texts that are cut, covered or outside. A fault is a sentence.
 */
() => {
    const SLACK = 1.5; // pixels of rounding
    const PRESSABLE = 24; // a fanned card needs at least this much free width, and twice the height
    const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button]";
    const PLACES = "[data-action], [data-card], [data-held], [data-area], [data-location]";
    const CARDS = "[data-card], [data-held]";

    const frame = document.querySelector(".frame");
    const stage = frame.querySelector(".stage");
    const dialog = document.querySelector("dialog[open]");
    const page = document.scrollingElement;
    const faults = [];

    const isShown = (element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !isOnlyHeard(element);
    /** For screen readers alone, by itself or by an ancestor. */
    function isOnlyHeard(element) {
        const isClipped = getComputedStyle(element).clipPath === "inset(50%)";
        return isClipped || (element.parentElement !== null && isOnlyHeard(element.parentElement));
    }
    const shorten = (text) => text.replace(/\s+/g, " ").trim().slice(0, 40);
    const nameOf = (element) => {
        const data = Object.entries(element.dataset).map(
            ([key, value]) => `data-${key}=${value}`,
        )[0];
        const said = element.getAttribute("aria-label") ?? element.textContent;
        return `${element.localName} ${data ?? ""} "${shorten(said)}"`.replace("  ", " ");
    };
    /** By how many pixels the first rectangle leaves the second, and on which side. */
    const beyond = (inner, outer) => {
        const out = {
            left: outer.left - inner.left,
            top: outer.top - inner.top,
            right: inner.right - outer.right,
            bottom: inner.bottom - outer.bottom,
        };
        const [side, most] = Object.entries(out).sort((a, b) => b[1] - a[1])[0];
        return most > SLACK ? `${Math.round(most)} px ${side}` : "";
    };
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const inside = stage.getBoundingClientRect();
    const homeOf = (element) => (stage.contains(element) ? inside : window_);
    const hits = (element, x, y) => {
        const found = document.elementFromPoint(x, y);
        return found !== null && (element.contains(found) || found.control === element);
    };

    // Nothing scrolls.
    const scrollers = [page, stage, ...stage.querySelectorAll("*")];
    for (const one of scrollers) {
        if (one !== page && one !== stage) {
            const { overflowX, overflowY } = getComputedStyle(one);
            if (![overflowX, overflowY].some((way) => way === "auto" || way === "scroll")) continue;
            if (!isShown(one)) continue;
        }
        const high = one.scrollHeight - one.clientHeight;
        const wide = one.scrollWidth - one.clientWidth;
        const name = one === page ? "page" : one === stage ? "stage" : nameOf(one);
        if (high > SLACK) faults.push(`${name} scrolls by ${high} px down`);
        if (wide > SLACK) faults.push(`${name} scrolls by ${wide} px across`);
    }

    // Every control is inside, and under the pointer.
    const scope = dialog ?? frame;
    for (const one of scope.querySelectorAll(`${CONTROLS}, ${PLACES}`)) {
        if (!isShown(one) || one.closest("aside")) continue;
        const box = one.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) continue;
        const out = beyond(box, homeOf(one));
        if (out) faults.push(`${nameOf(one)} is outside: ${out}`);
        const canPress = one.matches(CONTROLS) && !one.disabled && one.ariaDisabled !== "true";
        if (!canPress || out) continue;
        const middle = [box.left + box.width / 2, box.top + box.height / 2];
        if (hits(one, ...middle)) continue;
        if (!one.matches(CARDS) && !one.closest(CARDS)) {
            const over = document.elementFromPoint(...middle);
            faults.push(`${nameOf(one)} is covered by ${over ? nameOf(over) : "nothing"}`);
        } else if (!hasRoom(one, box)) {
            faults.push(`${nameOf(one)} has less than ${PRESSABLE} px to press`);
        }
    }

    /** True if a part of a fanned card is free, wide and high enough for a finger. */
    function hasRoom(card, box) {
        const high = Math.min(2 * PRESSABLE, box.height - 4);
        const isFree = (x) => {
            let run = 0;
            for (let y = box.top + 1; y < box.bottom; y += 4) {
                run = hits(card, x, y) ? run + 4 : 0;
                if (run >= high) return true;
            }
            return false;
        };
        let run = 0;
        for (let x = box.left + 1; x < box.right; x += 2) {
            run = isFree(x) ? run + 2 : 0;
            if (run >= PRESSABLE - 2) return true;
        }
        return false;
    }

    // Texts: all of them are complete and do not overlap.
    const lines = [];
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const owner = node.parentElement;
        if (node.textContent.trim() === "" || owner.closest("aside, style, script")) continue;
        if (owner.localName === "title" || owner.localName === "desc" || !isShown(owner)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width > 0 && box.height > 0) lines.push({ owner, box, text: node.textContent });
        }
    }
    const told = new Set(); // only one line of a text is reported
    for (const { owner, box, text } of lines.toReversed()) {
        if (told.has(owner)) continue;
        const before = faults.length;
        const said = `text "${shorten(text)}"`;
        if (/\{\w+\}/.test(text)) faults.push(`${said} has a gap that nobody filled`);
        const out = beyond(box, homeOf(owner));
        if (out) faults.push(`${said} is outside: ${out}`);
        else if (cutBy(owner, box)) faults.push(`${said} is cut: ${cutBy(owner, box)}`);
        else if (isHidden(owner, box)) faults.push(`${said} is covered by ${isHidden(owner, box)}`);
        if (faults.length > before) told.add(owner);
    }
    for (const [place, one] of lines.entries()) {
        for (const other of lines.slice(place + 1)) {
            if (one.text === other.text || areCards(one.owner, other.owner)) continue;
            const wide =
                Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const high =
                Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            const least = Math.min(one.box.height, other.box.height);
            if (wide > 3 && high > least * 0.45) {
                faults.push(`text "${shorten(one.text)}" lies over "${shorten(other.text)}"`);
            }
        }
    }

    function isUpright(owner) {
        return getComputedStyle(owner).writingMode.startsWith("vertical");
    }

    /** By how much an ancestor cuts a text, and on which side. */
    function cutBy(owner, box) {
        const spacing = isUpright(owner) ? 0 : box.height * 0.2; // of lines
        for (let one = owner; one && one !== scope; one = one.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(one);
            const edge = one.getBoundingClientRect();
            const cut = beyond(box, {
                left: overflowX === "visible" ? -Infinity : edge.left,
                right: overflowX === "visible" ? Infinity : edge.right,
                top: overflowY === "visible" ? -Infinity : edge.top - spacing,
                bottom: overflowY === "visible" ? Infinity : edge.bottom + spacing,
            });
            if (cut) return `${cut} by ${nameOf(one)}`;
        }
        return "";
    }

    /** The element that paints over the middle of a text, or over an end of an upright one. */
    function isHidden(owner, box) {
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const ends = isUpright(owner) ? [box.top + box.width / 2, box.bottom - box.width / 2] : [];
        return [y, ...ends].map((at) => painted(owner, x, at)).find(Boolean) ?? "";
    }

    /** The element that paints over a point of a text; cards may lie on cards. */
    function painted(owner, x, y) {
        const stack = document.elementsFromPoint(x, y);
        if (!stack.includes(owner)) return "";
        for (const one of stack) {
            if (one === owner || owner.contains(one) || one.contains(owner)) return "";
            if (areCards(one, owner)) return "";
            const { backgroundColor, opacity } = getComputedStyle(one);
            const alpha = /, ([\d.]+)\)$|\/ ([\d.]+)\)$/.exec(backgroundColor);
            const paint =
                backgroundColor === "transparent" ? 0 : Number(alpha?.[1] ?? alpha?.[2] ?? 1);
            if (paint * Number(opacity) > 0.5) return nameOf(one);
        }
        return "";
    }

    function areCards(one, other) {
        const [first, second] = [one.closest(CARDS), other.closest(CARDS)];
        return first !== null && second !== null;
    }

    return [...new Set(faults)];
};
