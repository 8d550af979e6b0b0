// Many things to choose from of which none lies on the table, as in a search of a pile. They have a place of their own
// above the board: it scrolls by itself, what is looked for can be typed, and the question with its buttons stays below.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Question } from "../protocol.js";
import { Button, byKeyboard, isWriting, narrow } from "../ui.js";
import { distinct, optionsOf } from "./model.js";
import { usePlay, type Play } from "./play.js";
import { FreeOption, wordsOf } from "./prompt.js";

/** Of so few nobody needs to look for one. */
const FEW = 8;

export function Gallery() {
  const play = usePlay();
  const question = play.question.value;
  if (!question || !play.gallery.value) return null;
  return <Choices key={play.table?.ask?.number} question={question} />;
}

function Choices({ question }: { question: Question }) {
  const play = usePlay();
  const ref = useRef<HTMLElement>(null);
  const [wanted, setWanted] = useState("");
  const free = play.free.value;
  const found = free.filter((at) => told(play, question, at).includes(wanted.trim().toLowerCase()));
  const onTable = optionsOf(question).map((_, at) => at).filter((at) => !play.isFree(at));
  const besides = distinct(question, onTable).length;
  useCovered(ref);
  useEffect(() => {
    if (byKeyboard() && !isWriting()) firstOf(ref.current)?.focus({ preventScroll: true });
  }, []);
  const aside = () => putAside(play);
  const key = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") firstOf(ref.current)?.focus();
    else if (event.key === "Escape" && wanted === "") aside();
    else if (event.key === "Escape") setWanted("");
    else return;
    event.preventDefault();
  };
  return (
    <section ref={ref} class="gallery" role="group" aria-label={`${free.length} to choose from`}>
      <header>
        {free.length > FEW ? (
          <input type="search" value={wanted} placeholder="Find by name or text" aria-label="Find by name or text" autocomplete="off" onInput={(event) => setWanted(event.currentTarget.value)} onKeyDown={key} />
        ) : null}
        <span class="dim" role="status">{found.length === free.length ? free.length : `${found.length} of ${free.length}`}{narrow.value ? "" : " to choose from"}{besides > 0 ? `, ${besides} more on the table` : ""}</span>
        <Button onClick={aside}>See the table <kbd>Esc</kbd></Button>
      </header>
      <div class={`gallery-choices ${free.length > FEW ? "" : "few"}`}>
        {found.map((at) => (
          <FreeOption key={at} at={at} place={free.indexOf(at)} question={question} size={narrow.value ? "small" : "normal"} />
        ))}
        {found.length === 0 ? <p class="dim">Nothing here is called that.</p> : null}
      </div>
    </section>
  );
}

/** Look at the table; the button that brings the choices back has the focus. */
export function putAside(play: Play): void {
  play.putAside();
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".prompt .show-choices")?.focus());
}

/** All that can be read of an option. */
function told(play: Play, question: Question, at: number): string {
  const option = optionsOf(question)[at];
  if (!option) return "";
  const info = typeof option.card === "number" ? play.info(play.card(option.card)) : undefined;
  const card = info ? [info.title, info.kind, ...info.subtypes, ...info.text] : [];
  return [wordsOf(play, option), option.detail ?? "", ...card].join(" ").toLowerCase();
}

function firstOf(gallery: HTMLElement | null): HTMLElement | null {
  return gallery?.querySelector<HTMLElement>(".gallery-choices [data-nav]") ?? null;
}

/** What lies below is out of reach, so that the Tab key does not go where nothing is seen. */
function useCovered(ref: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const covered = [...(ref.current?.parentElement?.querySelectorAll<HTMLElement>(":scope > .board, :scope > .place-tabs") ?? [])];
    for (const part of covered) part.inert = true;
    return () => {
      for (const part of covered) part.inert = false;
    };
  }, []);
}
