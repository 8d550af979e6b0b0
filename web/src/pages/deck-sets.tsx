// The deck builder where decks are made of sets: a card and those that it brings come and go together. Cards that no
// set has are chosen by themselves: whom the deck is for.

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { zoomProps } from "../card.js";
import { aboutCard, bringersOf, fullTitle, isSet } from "../catalogue.js";
import { game } from "../games.js";
import type { CardInfo } from "../protocol.js";
import { aboutOf } from "../table/layouts/about.js";
import { apply, fromQuery } from "./card-filter.js";
import { Field, Section } from "./common.js";
import { type Counts, setsIn } from "./deck-list.js";

type Cards = ReadonlyMap<string, CardInfo>;
type Open = (card: CardInfo) => void;
type OnSets = (card: CardInfo, by: number) => void;

/** The cards of a set, each once for each copy. */
function brought(card: CardInfo, cards: Cards): CardInfo[] {
  return Object.entries(card.brings).flatMap(([key, copies]) => {
    const other = cards.get(key);
    return other ? Array.from({ length: copies }, () => other) : [];
  });
}

function familyOf(card: CardInfo): string {
  return card.subtypes.find((word) => aboutCard(card).family?.words.includes(word)) ?? "";
}

function SetRow(props: { card: CardInfo; cards: Cards; count: number; editable: boolean; onSets: OnSets; onOpen: Open }) {
  const { card, count } = props;
  const title = fullTitle(card);
  const about = aboutCard(card);
  const stats = about.stats.flatMap((stat) => (card.numbers[stat.name] === undefined ? [] : [`${stat.name.replaceAll("_", " ")} ${card.numbers[stat.name]}`]));
  const inside = brought(card, props.cards).sort((a, b) => about.kinds.indexOf(a.kind) - about.kinds.indexOf(b.kind) || (b.numbers[about.cost] ?? 0) - (a.numbers[about.cost] ?? 0));
  return (
    <li class={`set-row side-${card.side} ${count > 0 ? "taken" : ""}`}>
      <div class="set-head">
        <button type="button" class="deck-title" onClick={() => props.onOpen(card)} {...zoomProps(card)}>
          <b>{title}</b>
          <small class="dim">{[familyOf(card), ...stats].filter(Boolean).join(" · ")}</small>
        </button>
        {props.editable && (
          <button type="button" class="count-button" aria-label={`One set ${title} less`} disabled={count === 0} onClick={() => props.onSets(card, -1)}>
            −
          </button>
        )}
        <b class="deck-count" aria-label={`${count} in the deck`}>
          {count}
        </b>
        {props.editable && (
          <button type="button" class="count-button" aria-label={`One set ${title} more`} onClick={() => props.onSets(card, 1)}>
            +
          </button>
        )}
      </div>
      <ul class="set-cards" aria-label={`Cards of ${title}`}>
        {inside.map((other, at) => (
          <li key={at} class={`kind-${other.kind.toLowerCase()}`}>
            <button type="button" class="set-card" onClick={() => props.onOpen(other)} {...zoomProps(other)}>
              <span class="deck-cost" aria-label={other.numbers[about.cost] === undefined ? "no cost" : `cost ${other.numbers[about.cost]}`}>{other.numbers[about.cost] ?? "–"}</span>
              {about.mark(other)}
              {fullTitle(other)} <small class="dim">{other.kind}</small>
            </button>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Cards that neither bring others nor come with any. */
function leadersIn(cards: Cards): CardInfo[] {
  return [...cards.values()].filter((card) => !isSet(card) && bringersOf(card).length === 0);
}

export function SetDeck(props: {
  counts: Counts;
  cards: Cards;
  side: string | null;
  editable: boolean;
  onCounts: (counts: Counts) => void;
  onSets: OnSets;
  onOpen: Open;
  children: (alone: Counts) => ComponentChildren;
}) {
  const { counts, cards } = props;
  const { sets, alone } = useMemo(() => setsIn(counts, cards), [counts, cards]);
  const leaders = useMemo(() => leadersIn(cards), [cards]);
  const chosen = leaders.filter((card) => counts.has(card.key));
  const strays = new Map([...alone].filter(([key]) => !leaders.some((card) => card.key === key)));
  const lead = (card: CardInfo) => {
    const next = new Map([...counts].filter(([key]) => !leaders.some((one) => one.key === key)));
    props.onCounts(new Map<string, number>([[card.key, 1], ...next]));
  };
  const rows = [...sets].flatMap(([key, count]) => {
    const card = cards.get(key);
    return card ? [{ card, count }] : [];
  });
  // While no set has settled the side, all can be chosen.
  const offered = leaders.filter((card) => rows.length === 0 || card.side === props.side);
  const [kind] = leaders.map((card) => card.kind);
  return (
    <>
      <fieldset class="leaders" disabled={!props.editable}>
        <legend>{kind}</legend>
        {(props.editable ? offered : chosen).map((card) => (
          <label key={card.key} class={`leader side-${card.side}`} {...zoomProps(card)}>
            <input type="radio" name="leader" checked={counts.has(card.key)} onChange={() => lead(card)} />
            <span>{fullTitle(card)}</span>
          </label>
        ))}
      </fieldset>
      {rows.length === 0 ? (
        <p class="empty-line">No set yet. Add some: each comes with all its cards.</p>
      ) : (
        <ul class="set-rows">
          {rows.map(({ card, count }) => (
            <SetRow key={card.key} card={card} cards={cards} count={count} editable={props.editable} onSets={props.onSets} onOpen={props.onOpen} />
          ))}
        </ul>
      )}
      {strays.size > 0 && (
        <>
          <h3>In no whole set</h3>
          {props.children(strays)}
        </>
      )}
    </>
  );
}

/** Sets to choose from: searched by all that is in them. */
export function SetSearch(props: { counts: Counts; cards: Cards; side: string | null; onSets: OnSets; onOpen: Open }) {
  const { cards, counts } = props;
  const [text, setText] = useState("");
  const [family, setFamily] = useState("");
  const sets = useMemo(() => [...cards.values()].filter(isSet), [cards]);
  const families = [...new Set(sets.filter((card) => props.side === null || card.side === props.side).map(familyOf))];
  const leader = leadersIn(cards).find((card) => counts.has(card.key));
  const found = useMemo(() => {
    const hits = new Set(apply([...cards.values()], fromQuery(new URLSearchParams({ q: text, sort: "title" }), []), []).map((card) => card.key));
    const passes = (card: CardInfo) =>
      (props.side === null || card.side === props.side) && (family === "" || familyOf(card) === family) && [card, ...brought(card, cards)].some((one) => hits.has(one.key));
    // Those of the deck's own affiliation come first.
    const rank = (card: CardInfo) => (leader && familyOf(card) === familyOf(leader) ? 0 : 1);
    return sets.filter(passes).sort((a, b) => rank(a) - rank(b) || familyOf(a).localeCompare(familyOf(b)) || a.title.localeCompare(b.title));
  }, [sets, cards, text, family, props.side, leader]);
  const inDeck = setsIn(counts, cards).sets;
  return (
    <Section title="Add sets" class="pane-add">
      <div class="row" role="search">
        <Field label="Search" class="grow">
          {(id) => <input id={id} type="search" value={text} placeholder="any card of a set" onInput={(event) => setText(event.currentTarget.value)} />}
        </Field>
        <Field label={aboutOf(game.value).family?.name ?? "Family"}>
          {(id) => (
            <select id={id} value={family} onChange={(event) => setFamily(event.currentTarget.value)}>
              <option value="">any</option>
              {families.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p class="dim">{found.length} sets</p>
      <ul class="set-rows scroll" tabIndex={0} aria-label="Sets found">
        {found.map((card) => (
          <SetRow key={card.key} card={card} cards={cards} count={inDeck.get(card.key) ?? 0} editable onSets={props.onSets} onOpen={props.onOpen} />
        ))}
      </ul>
    </Section>
  );
}
