// Put into every page by the browser tests: finds what a person could click next. It clicks nothing itself.
window.driver = {
  /** Where an element can be clicked: a point that it, or something in it, is the topmost thing at. */
  place(element, scroll = true) {
    if (!element || element.disabled || !element.checkVisibility()) return null;
    const box = element.getBoundingClientRect();
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const found = inside || !scroll ? driver.point(element) : null;
    if (found || !scroll) return found;
    // The part of the board that it lies in comes first, as by its tab.
    if (!inside) element.closest("[data-place]")?.scrollIntoView({ block: "nearest", inline: "start", behavior: "instant" });
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    return driver.point(element);
  },
  point(element) {
    const box = element.getBoundingClientRect();
    for (const down of [0.5, 0.3, 0.7, 0.12, 0.88]) {
      for (const along of [0.5, 0.3, 0.7, 0.12, 0.88]) {
        const [x, y] = [box.left + box.width * along, box.top + box.height * down];
        const top = document.elementFromPoint(x, y);
        if (top && (element === top || element.contains(top))) return { x, y };
      }
    }
    return null;
  },
  button(text, within = document) {
    return [...within.querySelectorAll("button, a.button")].find((button) => button.textContent.trim().startsWith(text));
  },
  prompt: () => document.querySelector(".prompt.yours:not(.sent)"),
  /** What answers the question, cards first; nothing that has been picked already, or as often as it can be. Many options lie above the board. */
  options: () => [...document.querySelectorAll(document.querySelector(".gallery") ? ".gallery-choices button:not(.picked), .table-bottom .legal:not(.picked:not(.more))" : ".table .legal:not(.picked:not(.more)), .prompt .answers .card-option:not(.picked), .prompt .answers .button:not(.picked, .pass, .primary, .show-choices)")]
    .filter((element) => !element.closest(".amount-ask, .ladder .icon") && element.checkVisibility()),
  /** The number of what is asked, of whom ever. */
  asked: () => document.querySelector(".prompt")?.dataset.ask ?? null,
  /** All that is asked, in words. */
  question() {
    if (!driver.prompt()) return null;
    const all = [...document.querySelectorAll(".table .legal, .gallery-choices button, .prompt .answers button")];
    return [document.querySelector(".prompt-text").textContent, ...all.map((one) => one.getAttribute("aria-label") ?? one.textContent).sort()];
  },
  confirm: () => document.querySelector(".prompt .answers .primary:not(.pass):not(:disabled)"),
  pass: () => document.querySelector(".prompt .answers .pass"),
  /** What to do next: `is` one of over, wait, dialog, menu, number, confirm, choose, pass, stuck; and on which element. */
  next(dice) {
    if (document.querySelector("dialog.end[open]")) return ["over", null];
    // What is asked once more is meant.
    const warned = document.querySelector("dialog.confirm[open] .yes");
    if (warned) return ["confirm", warned];
    const dialog = document.querySelector("dialog[open]");
    if (dialog) return ["dialog", dialog.querySelector(".close")];
    const menu = document.querySelector(".card-menu button");
    if (menu) return ["menu", menu];
    if (!driver.prompt()) return ["wait", null];
    if (document.querySelector(".amount-ask")) return ["number", driver.confirm()];
    const picked = document.querySelector(".table .picked, .prompt .picked") !== null;
    if (picked && driver.confirm()) return ["confirm", driver.confirm()];
    const options = driver.options();
    const pass = driver.pass();
    if (pass && (options.length === 0 || dice % 8 === 0)) return ["pass", pass];
    if (options.length > 0) return ["choose", options[dice % options.length]];
    return driver.confirm() ? ["confirm", driver.confirm()] : ["stuck", null];
  },
  /** The same, with the place to click at. */
  step(dice) {
    const [is, element] = driver.next(dice);
    return { is, at: element ? driver.place(element) : null, what: element ? (element.getAttribute("aria-label") ?? element.textContent) : null };
  },
  /** How many times Tab (or, below nothing, Shift+Tab) leads from the focus to an element; null where it is gone. */
  tabs(element) {
    if (!element.isConnected) return null;
    const all = [...document.querySelectorAll('a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]')]
      .filter((one) => one.checkVisibility() && one.tabIndex >= 0 && (one.type !== "radio" || one.checked));
    const focus = document.activeElement;
    // From what is not a stop itself, as a scroller that the browser stops at, the next one is the first behind it.
    const before = all.includes(focus) ? all.indexOf(focus) : all.filter((one) => focus.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING).length - 0.5;
    const far = all.indexOf(element) - before;
    return far < 0 ? Math.floor(far) : Math.ceil(far);
  },
  titles: (elements) => [...new Set([...elements].map((element) => element.textContent))],
  /** Titles of the cards in this player's hand, and of all else on the table. */
  hand: () => driver.titles(document.querySelectorAll(".hand .card-title")),
  open: () => driver.titles([...document.querySelectorAll(".table .card-title")].filter((title) => !title.closest(".hand, dialog"))),
};
