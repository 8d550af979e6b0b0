// The small menu of a card with several moves, and the list of all moves.

import { useEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { arrows, Button, Dialog } from "../ui.js";
import { optionsOf } from "./model.js";
import { usePlay } from "./play.js";
import { wordsOf } from "./prompt.js";

export function CardMenu() {
  const play = usePlay();
  const menu = play.menu.value;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
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
  const options = optionsOf(play.question.value);
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
      {menu.options.map((at) => (
        <button key={at} type="button" role="menuitem" onClick={() => play.choose(at)}>{arrows(options[at]?.label ?? "")}</button>
      ))}
      <button type="button" role="menuitem" class="dim" onClick={() => { play.menu.value = null; play.look(menu.card); }}>Details and numbers</button>
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
  return (
    <Dialog title={question?.prompt ?? "Nothing is asked of you now"} onClose={close}>
      <div class="stack">
        {options.map((option, at) => (
          <Button key={at} aria-pressed={play.picked.value.includes(at) ? true : undefined} class={play.picked.value.includes(at) ? "picked" : ""} onClick={() => { play.choose(at); if (question?.kind === "pick" && question.most <= 1) close(); }}>
            {arrows(wordsOf(play, option))}
          </Button>
        ))}
        {play.canPass() && question ? <Button kind="primary" onClick={() => { close(); void play.pass(); }}>{play.layout.pass(question.prompt)}</Button> : null}
      </div>
    </Dialog>
  );
}
