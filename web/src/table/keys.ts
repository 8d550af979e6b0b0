// The keyboard at the table.

import { focusTowards, typing } from "../ui.js";
import { keysOpen, undo } from "./controls.js";
import { putAside } from "./gallery.js";
import { sideOpen, sideTab } from "./log.js";
import { movesOpen } from "./menu.js";
import { isSingle } from "./model.js";
import type { Play } from "./play.js";

/** Keys that give an answer, or begin one. */
const ANSWERING = /^(Enter| |[1-9]|p)$/i;
const MODIFIERS: readonly string[] = ["Shift", "Control", "Alt", "Meta", "CapsLock"];

/** Before anything hears a key: one that is held down answers once, and one that comes just after the question has changed was meant for the last one. */
export function beforeKey(play: Play, event: KeyboardEvent): void {
  const slider = event.target instanceof HTMLInputElement && event.target.type === "range";
  if (!play.question.value || MODIFIERS.includes(event.key) || (typing(event) && !slider) || document.querySelector("dialog[open]")) return;
  const answers = ANSWERING.test(event.key);
  if (answers && (event.repeat || play.fresh.value)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    // A button takes the space bar when it is let go.
    addEventListener("keyup", (up) => up.preventDefault(), { capture: true, once: true });
  } else if (!answers) {
    play.lookAround();
  }
}

const ARROWS: Record<string, "left" | "right" | "up" | "down"> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export function onKey(play: Play, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || document.querySelector("dialog[open]")) {
    const slider = event.target instanceof HTMLInputElement && event.target.type === "range";
    if (!slider || document.querySelector("dialog[open]")) return;
  }
  const table = play.table;
  if (!table) return;
  const slider = event.target instanceof HTMLInputElement;
  const arrow = slider ? undefined : ARROWS[event.key];
  if (arrow && !play.menu.value) {
    const within = play.gallery.value ? ".gallery [data-nav], .table-bottom [data-nav]" : ".table [data-nav]";
    const all = [...document.querySelectorAll<HTMLElement>(within)].filter((element) => element.checkVisibility());
    if (focusTowards(all, document.activeElement, arrow)) event.preventDefault();
    return;
  }
  if (act(play, event)) event.preventDefault();
}

function act(play: Play, event: KeyboardEvent): boolean {
  const table = play.table;
  const question = play.question.value;
  if (!table) return false;
  switch (event.key) {
    case "p":
    case "P":
      void play.pass();
      return true;
    case "u":
    case "U":
      undo(table);
      return true;
    case "?":
    case "i":
    case "I":
      return lookAtFocus(play);
    case "m":
    case "M":
      movesOpen.value = true;
      return true;
    case "l":
    case "L":
      return openSide("log");
    case "c":
    case "C":
      return openSide("chat");
    case "h":
    case "H":
      document.querySelector<HTMLElement>(".table .hand [data-nav]")?.focus();
      return true;
    case "k":
    case "K":
      keysOpen.value = true;
      return true;
    case "+":
    case "=":
    case "-":
      if (question && play.ladder.value.length > 0) {
        play.climb(play.rung.value + (event.key === "-" ? -1 : 1));
        return true;
      }
      if (question?.kind !== "number") return false;
      play.number.value = Math.max(question.least, Math.min(question.most, play.number.value + (event.key === "-" ? -1 : 1)));
      return true;
    case "Enter":
      // Where a card or a button has the focus the key is its own.
      if (document.activeElement instanceof HTMLButtonElement || document.activeElement instanceof HTMLAnchorElement) return false;
      if (document.activeElement?.closest(".ladder")) play.chooseRung();
      else if (!question || isSingle(question)) return false;
      else play.confirm();
      return true;
    case "Escape":
      if (play.gallery.value && !sideOpen.value) putAside(play);
      sideOpen.value = false;
      return false;
    default:
      return chooseByDigit(play, event.key);
  }
}

function lookAtFocus(play: Play): boolean {
  const card = document.activeElement?.closest<HTMLElement>("[data-card]")?.dataset.card;
  if (card === undefined) keysOpen.value = true;
  else play.look(Number(card));
  return true;
}

function openSide(tab: "log" | "chat"): boolean {
  sideTab.value = tab;
  sideOpen.value = true;
  requestAnimationFrame(() => document.querySelector<HTMLElement>(tab === "log" ? ".side .log" : ".side input")?.focus());
  return true;
}

function chooseByDigit(play: Play, key: string): boolean {
  const table = play.table;
  if (!table || !/^[1-9]$/.test(key)) return false;
  const option = play.free.value[Number(key) - 1];
  if (option === undefined) return false;
  play.chooseFree(option, document.querySelector(`[data-option="${option}"]`) ?? document.body);
  return true;
}
