// Dragging with mouse or pen: a card follows the pointer and is dropped on another card or on the board.
// Fingers tap instead, so that they can scroll.

import { hideZoom } from "../card.js";
import type { Card } from "../protocol.js";
import { actingCard, optionsFor } from "./model.js";
import type { Play } from "./play.js";

const FAR_ENOUGH = 7;

export function dragProps(play: Play, card: Card) {
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      const table = play.table;
      if (!table) return;
      const able = optionsFor(play.question.value, card.id).length > 0 || actingCard(table, play.layout) === card.id;
      if (able) follow(play, card, event);
    },
    onDragStart: (event: Event) => event.preventDefault(),
  };
}

function follow(play: Play, card: Card, start: PointerEvent): void {
  const origin = start.currentTarget as HTMLElement;
  let ghost: HTMLElement | null = null;
  const move = (event: PointerEvent) => {
    if (!ghost) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR_ENOUGH) return;
      ghost = lift(origin);
      play.dragged.value = card.id;
      hideZoom();
    }
    const box = origin.getBoundingClientRect();
    ghost.style.left = `${event.clientX - box.width / 2}px`;
    ghost.style.top = `${event.clientY - box.height / 2}px`;
  };
  const end = (event: PointerEvent) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!ghost) return;
    ghost.remove();
    play.dragged.value = null;
    swallowClick();
    if (event.type === "pointerup") drop(play, card, event, origin);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function lift(origin: HTMLElement): HTMLElement {
  const box = origin.getBoundingClientRect();
  const ghost = origin.cloneNode(true) as HTMLElement;
  ghost.classList.add("ghost");
  ghost.removeAttribute("data-card");
  ghost.removeAttribute("data-nav");
  ghost.style.width = `${box.width}px`;
  ghost.style.height = `${box.height}px`;
  document.body.append(ghost);
  return ghost;
}

function drop(play: Play, card: Card, event: PointerEvent, origin: HTMLElement): void {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  // A card is hit before the place where it lies.
  const aims = (name: "card" | "aim") => under.flatMap((element) => element.closest<HTMLElement>(`[data-${name}]`) ?? []).filter((element) => element !== origin).map((element) => [Number(element.dataset[name]), element] as const);
  if ([...aims("card"), ...aims("aim")].some(([id, element]) => play.aim(card.id, id, element))) return;
  const home = origin.closest("[data-drop]");
  const place = under.map((element) => element.closest("[data-drop]")).find(Boolean);
  if (place && place !== home && optionsFor(play.question.value, card.id).length > 0) {
    play.dropAt(card.id, aims("aim")[0]?.[0] ?? null, place);
  }
}

/** The click that the browser makes of a finished drag is not one. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  window.setTimeout(() => removeEventListener("click", swallow, true), 50);
}
