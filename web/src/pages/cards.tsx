// The card browser: every fact is a filter, the printed text is searched, and the address holds it all.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CardFace, inWords } from "../card.js";
import { bringersOf, cardsOf, fullTitle } from "../catalogue.js";
import { game } from "../games.js";
import type { CardInfo } from "../protocol.js";
import { Link } from "../router.js";
import { aboutOf } from "../table/layouts/about.js";
import { arrows, Button, Dialog, typing } from "../ui.js";
import { apply, type Fact, FACTS, type Filter, fromQuery, keywords, type Keyword, type Range, sorts, toQuery, values } from "./card-filter.js";
import { announce, CopyButton, Field, Page, Pending, RuleLink, useRules } from "./common.js";

const FACT_NAMES: Record<Fact, string> = { side: "Side", family: "Family", kind: "Type", subtype: "Subtype", keyword: "Keyword", with: "Comes with", set: "Set", rarity: "Rarity", version: "Version" };

export function Cards() {
  const all = cardsOf(game.value).value;
  const cards = useMemo(() => [...all.values()], [all]);
  const rules = useRules().data;
  const words = useMemo(() => keywords(rules ?? []), [rules]);
  const [filter, setFilter] = useState<Filter>(() => fromQuery(new URLSearchParams(location.search), aboutOf(game.value).numbers));
  const [opened, setOpened] = useState<CardInfo | null>(null);
  const shown = useMemo(() => apply(cards, filter, words), [cards, filter, words]);
  const query = toQuery(filter);
  useEffect(() => {
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }, [query]);
  useEffect(() => announce(`${shown.length} cards`), [shown.length]);
  const [named] = useState(() => new URLSearchParams(location.search).get("card"));
  useEffect(() => {
    if (named) setOpened(cards.find((card) => card.key === named) ?? null);
  }, [cards, named]);
  return (
    <Page
      title="Cards"
      lead={`${shown.length} of ${cards.length} cards`}
      actions={
        <>
          <Link to="/vocabulary" class="button quiet">
            Vocabulary of cards
          </Link>
          <CopyButton kind="quiet" text={() => location.href}>
            Copy the link to this search
          </CopyButton>
        </>
      }
    >
      <div class="browser">
        <Filters cards={cards} words={words} filter={filter} onChange={setFilter} />
        {cards.length === 0 ? <Pending error={null} what="The cards" /> : <CardGrid cards={shown} onOpen={setOpened} />}
      </div>
      {opened && <CardDialog card={opened} cards={shown} words={words} onOpen={setOpened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

// ---- filters ----

function Filters(props: { cards: CardInfo[]; words: Keyword[]; filter: Filter; onChange: (filter: Filter) => void }) {
  const { filter, onChange } = props;
  const numbers = Object.keys(filter.ranges);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "/" && !typing(event)) {
        event.preventDefault();
        search.current?.focus();
      }
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const asks = toQuery({ ...filter, text: "", sort: "set" }) !== "";
  return (
    <div class="filters" role="search">
      <Field label="Search" hint={'Words of title, type and text. "A phrase" stays together; a minus leaves out.'}>
        {(id, hint) => (
          <input ref={search} id={id} type="search" aria-describedby={hint} value={filter.text} placeholder="press / to search" onInput={(event) => onChange({ ...filter, text: event.currentTarget.value })} />
        )}
      </Field>
      <details class="filter-more" open={asks || innerWidth > 900}>
        <summary>Filters{asks ? " (in use)" : ""}</summary>
        <div class="flow">
          {FACTS.map((fact) => (
            <FactFilter key={fact} fact={fact} label={nameOfFact(fact)} offered={values(props.cards, fact, props.words)} chosen={filter.facts[fact]} onChange={(chosen) => onChange({ ...filter, facts: { ...filter.facts, [fact]: chosen } })} />
          ))}
          {Object.entries(filter.ranges).map(([name, range]) => (
            <RangeFilter key={name} name={name} value={range} onChange={(value) => onChange({ ...filter, ranges: { ...filter.ranges, [name]: value } })} />
          ))}
          <Field label="Sort by">
            {(id) => (
              <select id={id} value={filter.sort} onChange={(event) => onChange({ ...filter, sort: event.currentTarget.value })}>
                {sorts(numbers).map((sort) => (
                  <option key={sort} value={sort}>
                    {sort === "set" ? "set and number" : sort.replaceAll("_", " ")}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Button kind="quiet" disabled={toQuery(filter) === ""} onClick={() => onChange(fromQuery(new URLSearchParams(), numbers))}>
            Clear all
          </Button>
        </div>
      </details>
    </div>
  );
}

function nameOfFact(fact: Fact): string {
  const about = aboutOf(game.value);
  if (fact === "subtype") return about.words_name;
  return (fact === "family" ? about.family?.name : undefined) ?? FACT_NAMES[fact];
}

/** Few values are buttons, many are a list to choose from with the chosen ones as buttons before it. */
function FactFilter(props: { fact: Fact; label: string; offered: Map<string, number>; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const { chosen, onChange } = props;
  const toggle = (value: string) => onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  const few = props.offered.size <= 8;
  const buttons = few ? [...props.offered.keys()] : chosen;
  if (props.offered.size < 2 && chosen.length === 0) return null;
  return (
    <fieldset class="fact">
      <legend>{props.label}</legend>
      <div class="chips">
        {buttons.map((value) => (
          <button key={value} type="button" class="chip" aria-pressed={chosen.includes(value)} onClick={() => toggle(value)}>
            {value} <small>{props.offered.get(value) ?? 0}</small>
          </button>
        ))}
        {!few && (
          <select aria-label={`Add a ${props.label.toLowerCase()}`} value="" onChange={(event) => event.currentTarget.value && toggle(event.currentTarget.value)}>
            <option value="">{chosen.length > 0 ? "or…" : "any"}</option>
            {[...props.offered].filter(([value]) => !chosen.includes(value)).map(([value, count]) => (
              <option key={value} value={value}>
                {value} ({count})
              </option>
            ))}
          </select>
        )}
      </div>
    </fieldset>
  );
}

function RangeFilter(props: { name: string; value: Range; onChange: (value: Range) => void }) {
  const box = (end: "least" | "most") => (
    <input
      type="number"
      inputMode="numeric"
      min={0}
      max={999}
      aria-label={`${props.name.replaceAll("_", " ")}, at ${end}`}
      placeholder={end === "least" ? "from" : "to"}
      value={props.value[end] ?? ""}
      onInput={(event) => {
        const typed = event.currentTarget.value;
        props.onChange({ ...props.value, [end]: typed === "" ? null : Math.round(Number(typed)) });
      }}
    />
  );
  return (
    <fieldset class="fact range">
      <legend>{props.name.replaceAll("_", " ")}</legend>
      {box("least")}
      <span aria-hidden="true">–</span>
      {box("most")}
    </fieldset>
  );
}

// ---- the grid ----

const FIRST = 60;

/** Cards as buttons; arrow keys walk among them. More are drawn when the end comes into sight. */
function CardGrid(props: { cards: CardInfo[]; onOpen: (card: CardInfo) => void }) {
  const [drawn, setDrawn] = useState(FIRST);
  const end = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLUListElement>(null);
  useEffect(() => setDrawn(FIRST), [props.cards]);
  useEffect(() => {
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && setDrawn((count) => count + FIRST), { rootMargin: "600px" });
    if (end.current) watcher.observe(end.current);
    return () => watcher.disconnect();
    // Watched anew after each batch: who scrolls fast has the end still in sight, which is no change.
  }, [props.cards, drawn]);
  const walk = (event: KeyboardEvent) => {
    const all = [...(grid.current?.querySelectorAll<HTMLElement>(".card-cover") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const top = all[at]?.getBoundingClientRect().top ?? 0;
    const row = all.filter((one) => Math.abs(one.getBoundingClientRect().top - top) < 2).length;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    const to = by === undefined ? undefined : all[at + by];
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  if (props.cards.length === 0) return <p class="empty-line">No card is like that. Take a filter away.</p>;
  return (
    <div>
      <ul class="card-grid" ref={grid} onKeyDown={walk}>
        {props.cards.slice(0, drawn).map((card) => (
          <li key={card.key} class="card-cell">
            <CardFace info={card} />
            <button type="button" class="card-cover" aria-label={inWords(card)} onClick={() => props.onOpen(card)} />
          </li>
        ))}
      </ul>
      {drawn < props.cards.length && <div ref={end} class="more-to-come">More…</div>}
    </div>
  );
}

/** One card large, with its text to read and to copy, and links to the rules of its keywords. */
export function CardDialog(props: { card: CardInfo; cards: CardInfo[]; words: Keyword[]; onOpen: (card: CardInfo) => void; onClose: () => void }) {
  const { card } = props;
  const at = props.cards.findIndex((one) => one.key === card.key);
  const step = (by: number) => {
    const next = props.cards[at + by];
    if (next) props.onOpen(next);
  };
  const used = props.words.filter((word) => new RegExp(`\\b${word.name}\\b`, "i").test(card.text.join(" ")));
  return (
    <Dialog title={fullTitle(card)} class="card-dialog" onClose={props.onClose}>
      <div
        class="card-large"
        onKeyDown={(event) => {
          if (event.key === "ArrowRight") step(1);
          if (event.key === "ArrowLeft") step(-1);
        }}
      >
        <CardFace info={card} size="large" />
        <div class="flow">
          <p class="type-line">
            {card.side} {card.kind} {card.subtypes.join(", ")}
          </p>
          <dl class="facts">
            {Object.entries(card.numbers).map(([name, value]) => (
              <div key={name}>
                <dt>{name.replaceAll("_", " ")}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            <div>
              <dt>set</dt>
              <dd>
                {card.set} {card.number}
              </dd>
            </div>
            <div>
              <dt>rarity</dt>
              <dd>{card.rarity}</dd>
            </div>
          </dl>
          {card.text.map((line, index) => (
            <p key={index}>{arrows(line)}</p>
          ))}
          <Company card={card} onOpen={props.onOpen} />
          {used.length > 0 && (
            <p class="dim">
              Rules:{" "}
              {used.map((word) => (
                <RuleLink key={word.rule} id={word.rule}>
                  {word.name}
                </RuleLink>
              ))}
            </p>
          )}
          <div class="actions">
            <Button onClick={() => step(-1)} disabled={at <= 0} aria-label="Previous card">
              ←
            </Button>
            <Button onClick={() => step(1)} disabled={at < 0 || at >= props.cards.length - 1} aria-label="Next card">
              →
            </Button>
            <CopyButton text={() => `${location.origin}/cards?card=${encodeURIComponent(card.key)}`}>Copy the link</CopyButton>
            <Link class="button quiet" to={`/cards?q=${encodeURIComponent(card.title)}`} onClick={props.onClose}>
              Other versions
            </Link>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

/** The cards that come into a deck with this one, or those that it comes with. */
function Company(props: { card: CardInfo; onOpen: (card: CardInfo) => void }) {
  const all = cardsOf(game.value).value;
  const brought = Object.entries(props.card.brings).flatMap(([key, count]) => {
    const card = all.get(key);
    return card ? [[card, count] as const] : [];
  });
  const others = brought.length > 0 ? brought : bringersOf(props.card).map((card) => [card, 1] as const);
  if (others.length === 0) return null;
  return (
    <p class="company">
      <span class="dim">{brought.length > 0 ? "Brings into a deck: " : "Comes with: "}</span>
      {others.map(([card, count]) => (
        <button key={card.key} type="button" class="link-button" onClick={() => props.onOpen(card)}>
          {count > 1 ? `${count}x ` : ""}{fullTitle(card)}
        </button>
      ))}
    </p>
  );
}
