// The small menu of a card with several moves, and the list of all moves.

import { useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { Button, Dialog } from "../ui.js";
import { copiesAmong, distinct, isSingle, optionsOf } from "./model.js";
import { usePlay } from "./play.js";
import { Words } from "./prompt.js";

export function CardMenu() {
  const play = usePlay();
  const menu = play.menu.value;
  const ref = useRef<HTMLDivElement>(null);
  // With the menu itself: a key may come at once.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!menu || !element) return;
    const box = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(menu.x - box.width / 2, innerWidth - box.width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(menu.y - box.height - 8 > 8 ? menu.y - box.height - 8 : menu.y + 24, innerHeight - box.height - 8))}px`;
    element.querySelector("button")?.focus();
    const away = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !element.contains(event.target as Node)) play.menu.value = null;
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
    <div ref={ref} class="card-menu" role="menu" aria-label="Moves of this card" onKeyDown={step}>
      {distinct(question, menu.options).map((at) => (
        <button key={at} type="button" role="menuitem" onClick={() => play.choose(at)}><Words option={options[at]} copies={copiesAmong(question, menu.options, at)} /></button>
      ))}
      {play.card(menu.card) ? <button type="button" role="menuitem" class="dim" onClick={() => { play.menu.value = null; play.look(menu.card); }}>Details and numbers</button> : null}
    </div>
  );
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
  return (
    <Dialog title={question?.prompt ?? "Nothing is asked of you now"} onClose={close}>
      <div class="stack">
        {distinct(question, all).map((at) => (
          <Button key={at} aria-pressed={play.picked.value.includes(at) ? true : undefined} class={play.picked.value.includes(at) ? "picked" : ""} onClick={() => { play.choose(at); if (question && isSingle(question)) close(); }}>
            <Words option={options[at]} copies={copiesAmong(question, all, at)} />
          </Button>
        ))}
        {play.canPass() ? <Button kind="primary" onClick={() => { close(); void play.pass(); }}>{play.passWord()}</Button> : null}
      </div>
    </Dialog>
  );
}
