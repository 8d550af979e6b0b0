// What cards of a game can be written with, searched by English or by name: for those who write cards.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { VocabularyInfo } from "../protocol.js";
import { Link } from "../router.js";
import { Button, useSlash } from "../ui.js";
import { announce, Field, Page, Pending, RuleLink, useVocabulary } from "./common.js";
import { plain } from "./deck-list.js";

/** Where words of each sort are written. */
const WRITTEN: Record<string, string> = {
  noun: "in a phrase: [your other NOUNS]",
  adjective: "in a phrase, before its noun: [ADJECTIVE units]",
  word: "behind the colon of a card's first line, in phrases, and behind is",
  member: "in a card's first line, in phrases, and behind is",
  kind: "first in a line of a card: an ability that its player may use",
  timing: "behind the kind of an ability",
  cost: "behind pay",
  verb: "a line in the program of an ability",
  template: "a line of a card: abilities that many cards share",
  value: "behind gets, or card.VALUE; some are printed numbers and keywords",
  counter: "card.COUNTER or player.COUNTER",
  field: "card.FIELD: what a card remembers",
  function: "FUNCTION(...) or x.FUNCTION",
  event: "behind when",
  permission: "behind forbid, allow and can",
  scope: "in SCOPE: above abilities that work elsewhere",
  window: "behind in, for timings and kinds",
  period: "until PERIOD:, once per PERIOD",
  zone: "player.ZONE, or alone where both players share it",
  role: "how a card lies on another one: attached(card, ROLE)",
  variable: "what the rules remember",
};

/** More are drawn only when they are asked for. */
const AT_ONCE = 150;

export function VocabularyPage() {
  const words = useVocabulary();
  const asked = new URLSearchParams(location.search);
  const [text, setText] = useState(asked.get("q") ?? "");
  const [sort, setSort] = useState(asked.get("sort") ?? "");
  const [all, setAll] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useSlash(search);
  const near = useMemo(() => nearest(words.data ?? [], text), [words.data, text]);
  const found = useMemo(() => near.filter((word) => sort === "" || word.sort === sort), [near, sort]);
  useEffect(() => setAll(false), [text, sort]);
  useEffect(() => {
    if (text !== "" || sort !== "") announce(`${found.length} words`);
    const query = new URLSearchParams({ ...(text === "" ? {} : { q: text }), ...(sort === "" ? {} : { sort }) }).toString();
    history.replaceState(null, "", query === "" ? location.pathname : `?${query}`);
  }, [text, sort, found.length]);
  const shown = all ? found : found.slice(0, AT_ONCE);
  return (
    <Page title="Vocabulary" lead={words.data && `${words.data.length} words that cards of this game are written with, with what texts print for them.`}>
      {words.data ? (
        <div class="browser">
          <div class="filters">
            <div role="search">
              <Field label="Search" hint="By what a card says, or by name.">
                {(id, hint) => (
                  <input ref={search} id={id} type="search" aria-describedby={hint} value={text} placeholder="press / to search" onInput={(event) => setText(event.currentTarget.value)} />
                )}
              </Field>
            </div>
            <details class="filter-more" open={innerWidth > 900}>
              <summary>Sorts{sort === "" ? "" : " (in use)"}</summary>
              <div class="chips" role="group" aria-label="Sorts">
                {counts(words.data, near).map(([name, count]) => (
                  <button key={name} type="button" class="chip" aria-pressed={sort === name} onClick={() => setSort(sort === name ? "" : name)}>
                    {name} <small>{count}</small>
                  </button>
                ))}
              </div>
            </details>
          </div>
          <div class="rules">
            {sort !== "" && WRITTEN[sort] && (
              <p class="dim">
                A {sort} is written {WRITTEN[sort]}.
              </p>
            )}
            {found.length === 0 && <p class="empty-line">No word says that.</p>}
            {shown.map((word) => (
              <Word key={`${word.sort} ${word.name}`} word={word} />
            ))}
            {shown.length < found.length && <Button onClick={() => setAll(true)}>Show all {found.length}</Button>}
          </div>
        </div>
      ) : (
        <Pending error={words.error} what="The vocabulary" />
      )}
    </Page>
  );
}

function Word({ word }: { word: VocabularyInfo }) {
  return (
    <article class="rule-entry word-entry" aria-label={word.name}>
      <div class="rule-head">
        <code>{word.written}</code>
        <small class="dim" title={WRITTEN[word.sort]}>
          {word.sort}
          {word.of ? ` of ${word.of}` : ""}
        </small>
      </div>
      {word.english !== "" && <p class="says">{printed(word.english)}</p>}
      {word.meaning !== "" && <p>{word.meaning}</p>}
      <p class="dim">
        {word.cards.map((title, at) => (
          <span key={title}>
            {at > 0 ? ", " : ""}
            <Link to={`/cards?q=${encodeURIComponent(`"${title}"`)}`}>{title}</Link>
          </span>
        ))}
        {used(word)}
        {word.rules.map((rule) => (
          <span key={rule}>
            <RuleLink id={rule} />{" "}
          </span>
        ))}
        <small>{word.place}</small>
      </p>
    </article>
  );
}

/** What stands behind the titles of some cards that use a word. */
function used(word: VocabularyInfo): string {
  const more = word.uses - word.cards.length;
  if (word.uses === 0) return "No card uses it yet. ";
  return more > 0 ? ` and ${more} more ${more === 1 ? "card" : "cards"}. ` : ". ";
}

/** What a text says, its parameters marked: `{n}`, `{cards:each}`; of `{p|one|many}` the second form. */
function printed(english: string): ComponentChildren[] {
  return english.split(/(\{[^{}]*\})/).map((part, at) => {
    const hole = /^\{(\w+)(?::\w+)?\}$/.exec(part);
    const forms = /^\{\w+\|[^|]*\|([^|]*)\}$/.exec(part);
    return hole ? <var key={at}>{hole[1]}</var> : forms ? forms[1] : part;
  });
}

/** The sorts that there are, each with how many words of it were found. */
function counts(all: readonly VocabularyInfo[], found: readonly VocabularyInfo[]): [string, number][] {
  const number = new Map(all.map((word) => [word.sort, 0]));
  for (const word of found) number.set(word.sort, (number.get(word.sort) ?? 0) + 1);
  return [...number];
}

const letters = (text: string): string => plain(text).replace(/[^\p{L}\p{N}']+/gu, " ").trim();

/** Words that hold all that is searched for, what is nearest to it first: the same order as `trilogy cards vocabulary --find`. */
function nearest(words: readonly VocabularyInfo[], text: string): readonly VocabularyInfo[] {
  const wanted = letters(text);
  if (wanted === "") return words;
  const found: [number, VocabularyInfo][] = [];
  for (const word of words) {
    const far = distance(word, wanted);
    if (far !== null) found.push([far, word]);
  }
  return found.sort(([a, one], [b, other]) => a - b || other.uses - one.uses || one.name.localeCompare(other.name)).map(([, word]) => word);
}

function distance(word: VocabularyInfo, wanted: string): number | null {
  // Of nouns both forms are written.
  const forms = word.written.replace(/[(:].*/, "").split("/");
  const own = [...forms, word.english].map(letters);
  const all = own.join(" ");
  const holds = (text: string) => wanted.split(" ").every((part) => text.includes(part));
  if (own.includes(wanted)) return 0;
  if (own.some((one) => one.startsWith(wanted))) return 1;
  if (own.some((one) => ` ${one} `.includes(` ${wanted} `))) return 2;
  if (own.some((one) => one.includes(wanted))) return 3;
  if (holds(all)) return 4;
  return holds(`${all} ${letters(word.meaning)}`) ? 5 : null;
}
