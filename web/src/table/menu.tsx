// The small menu of a card with several moves, and the list of all moves.

import { useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import type { Choice } from "../protocol.js";
import { Button, Dialog } from "../ui.js";
import { copiesAmong, distinct, isSeat, isSingle, optionsOf } from "./model.js";
import { usePlay, type Menu, type Play } from "./play.js";
import { Words } from "./prompt.js";
import { nameOf } from "./unit.js";

export function CardMenu() {
  const play = usePlay();
  const menu = play.menu.value;
  const ref = useRef<HTMLDivElement>(null);
  // With the menu itself: a key may come at once.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!menu || !element) return;
    const [left, top] = placeFor(play, menu, element.getBoundingClientRect());
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    element.querySelector("button")?.focus();
    const away = (event: Event) => {
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (menu.from instanceof HTMLElement) menu.from.focus({ preventScroll: true });
      } else if (event.target instanceof Element && (element.contains(event.target) || event.target.closest(".target, .place-tabs"))) {
        // A target answers, and the tabs lead to it.
        return;
      }
      play.closeMenu();
    };
    addEventListener("pointerdown", away);
    addEventListener("keydown", away);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("keydown", away);
    };
  }, [menu]);
  if (!menu) return null;
  const question = play.question.value;
  const options = optionsOf(question);
  const name = named(play, menu.options, menu.card);
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...(ref.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    all[(at + by + all.length) % all.length]?.focus();
  };
  return (
    <div ref={ref} class="card-menu" role="menu" aria-label={name ? `Moves of ${name}` : "Moves of this card"} onKeyDown={step}>
      {name ? <p class="menu-of" aria-hidden="true">{name}</p> : null}
      {distinct(question, menu.options).map((at) => (
        <button key={at} type="button" role="menuitem" onClick={() => play.choose(at)}><Words option={options[at]} copies={copiesAmong(question, menu.options, at)} of={name} /></button>
      ))}
      {play.card(menu.card) ? <button type="button" role="menuitem" class="dim" onClick={() => { play.menu.value = null; play.look(menu.card); }}>Details and numbers</button> : null}
    </div>
  );
}

/** The name of the card that some options begin with, where they are told apart by a second one. */
function named(play: Play, options: readonly number[], card: number | null | undefined): string {
  const all = optionsOf(play.question.value);
  return isSeat(card) && options.length > 1 && options.some((at) => isSeat(all[at]?.target)) && play.info(play.card(card)) ? nameOf(play, play.card(card)) : "";
}

const MARGIN = 8;

/** Where the menu covers least of what can be chosen on the table instead: above its card where nothing speaks against it. */
function placeFor(play: Play, menu: Menu, box: DOMRect): [number, number] {
  const all = optionsOf(play.question.value);
  const boxes = [...new Set(menu.options.flatMap((at) => all[at]?.target ?? []))].flatMap((id) => document.querySelector(`.table [data-card="${id}"]`)?.getBoundingClientRect() ?? []);
  const within = (at: number, size: number, most: number) => Math.max(MARGIN, Math.min(at, most - size - MARGIN));
  const own = menu.from.getBoundingClientRect();
  const above = menu.y - box.height - MARGIN > MARGIN ? menu.y - box.height - MARGIN : menu.y + 24;
  const ways = [[menu.x - box.width / 2, above], [own.right + MARGIN, above], [own.left - box.width - MARGIN, above], [own.right + MARGIN, own.top], [own.left - box.width - MARGIN, own.top]]
    .map(([x, y]): [number, number] => [within(x ?? 0, box.width, innerWidth), within(y ?? 0, box.height, innerHeight)]);
  const covered = ([x, y]: [number, number]) => boxes.reduce((sum, one) => sum + Math.max(0, Math.min(x + box.width, one.right) - Math.max(x, one.left)) * Math.max(0, Math.min(y + box.height, one.bottom) - Math.max(y, one.top)), 0);
  return ways.reduce((best, way) => (covered(way) < covered(best) ? way : best));
}

export const movesOpen = signal(false);

/** Every option as a list: for those who would rather read than look. */
export function MovesDialog() {
  const play = usePlay();
  if (!movesOpen.value) return null;
  const question = play.question.value;
  const close = () => (movesOpen.value = false);
  const options = optionsOf(question);
  const all = options.map((_, at) => at);
  const groups = byCard(options, distinct(question, all));
  return (
    <Dialog title={question?.prompt ?? "Nothing is asked of you now"} onClose={close}>
      <div class="stack">
        {groups.map((group) => {
          const name = named(play, group, options[group[0] ?? 0]?.card);
          return (
            <div key={group[0]} class="stack" role="group" aria-label={name || undefined}>
              {name ? <h3>{name}</h3> : null}
              {group.map((at) => (
                <Button key={at} aria-pressed={play.picked.value.includes(at) ? true : undefined} class={play.picked.value.includes(at) ? "picked" : ""} onClick={() => { play.choose(at); if (question && isSingle(question)) close(); }}>
                  <Words option={options[at]} copies={copiesAmong(question, all, at)} of={name} />
                </Button>
              ))}
            </div>
          );
        })}
        {play.canPass() ? <Button kind="primary" onClick={() => { close(); void play.pass(); }}>{play.passWord()}</Button> : null}
      </div>
    </Dialog>
  );
}

/** Options that begin with the same card beside each other. */
function byCard(options: readonly Choice[], some: readonly number[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const at of some) {
    const card = options[at]?.card;
    const key = isSeat(card) ? `card ${card}` : `option ${at}`;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  return [...groups.values()];
}
