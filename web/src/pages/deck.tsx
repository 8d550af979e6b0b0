// The deck builder: search on one side, the deck on the other, and at every change what is still wrong with it.

import { useEffect, useMemo, useState } from "preact/hooks";
import { zoomProps } from "../card.js";
import { aboutCard, cardsOf, fullTitle, isSet } from "../catalogue.js";
import { game } from "../games.js";
import { api } from "../net.js";
import type { CardInfo, DeckInfo, DeckReport } from "../protocol.js";
import { Link, navigate, type PageProps } from "../router.js";
import { aboutOf } from "../table/layouts/about.js";
import { Button, complain, confirm, Tabs, toast } from "../ui.js";
import { apply, fromQuery, keywords } from "./card-filter.js";
import { CardDialog } from "./cards.js";
import { announce, CopyButton, download, Field, message, Notice, Page, Pending, RuleLink, Section, useDecks, useRules } from "./common.js";
import { CostCurve, TypeBars } from "./deck-charts.js";
import { type Counts, countsOf, ordered, setsIn, total, withSet, writeList } from "./deck-list.js";
import { SetDeck, SetSearch } from "./deck-sets.js";
import { ImportDialog, keepNew } from "./decks.js";

export function Deck({ params }: PageProps) {
  const decks = useDecks();
  const cards = cardsOf(game.value).value;
  const deck = decks.data?.find((one) => one.id === params.id);
  const read = useReport(deck?.list ?? null);
  if (!decks.data || cards.size === 0 || (deck && !read)) {
    return (
      <Page title="Deck">
        <Pending error={decks.error} what="The deck" />
      </Page>
    );
  }
  if (!deck) {
    return (
      <Page title="No such deck">
        <p>It may have been deleted, or it belongs to somebody else.</p>
        <Link class="button" to="/decks">
          All decks
        </Link>
      </Page>
    );
  }
  return <Builder key={deck.id} deck={deck} start={read?.list ?? ""} cards={cards} />;
}

type Cards = ReadonlyMap<string, CardInfo>;
type Pane = "deck" | "add" | "numbers";

function Builder(props: { deck: DeckInfo; start: string; cards: Cards }) {
  const { deck, cards } = props;
  const [counts, setCounts] = useState<Counts>(() => countsOf(props.start));
  const [name, setName] = useState(deck.name);
  const [pane, setPane] = useState<Pane>("deck");
  const [opened, setOpened] = useState<CardInfo | null>(null);
  const list = useMemo(() => writeList(name, counts, cards), [name, counts, cards]);
  const rows = useMemo(() => ordered(counts, cards, aboutOf(game.value).kinds, aboutOf(game.value).cost), [counts, cards]);
  const report = useReport(list);
  const saved = useSaving(deck, name, list);
  const rules = useRules().data;
  const change = (card: CardInfo, by: number) => {
    const count = Math.max(0, (counts.get(card.key) ?? 0) + by);
    const next = new Map(counts);
    if (count === 0) next.delete(card.key);
    else next.set(card.key, count);
    setCounts(next);
    announce(`${fullTitle(card)}: ${count}; ${total(next)} cards`);
  };
  const changeSet = (card: CardInfo, by: number) => {
    const next = withSet(counts, card, by);
    setCounts(next);
    announce(`${fullTitle(card)}: ${next.get(card.key) ?? 0}; ${total(setsIn(next, cards).sets)} sets`);
  };
  const inSets = useMemo(() => [...cards.values()].some(isSet), [cards]);
  const editable = !deck.starter;
  return (
    <Page title={name || "Deck"} lead={deck.starter ? "A starter deck. Duplicate it to change it." : saved} actions={<Actions deck={deck} name={name} list={list} counts={counts} legal={report?.legal ?? false} onImport={setCounts} />}>
      <Tabs
        class="phone-only"
        label="Parts of the builder"
        tabs={[
          ["deck", `Deck (${total(counts)})`],
          ...(editable ? [["add", inSets ? "Add sets" : "Add cards"] as const] : []),
          ["numbers", report?.legal ? "Legal" : `Faults (${report?.faults.length ?? "…"})`],
        ]}
        chosen={pane}
        onChoose={setPane}
      />
      <div class={`builder show-${pane} ${editable ? "" : "read-only"}`}>
        {editable && inSets && <SetSearch counts={counts} cards={cards} side={sideOf(rows)} onSets={changeSet} onOpen={setOpened} />}
        {editable && !inSets && <Search counts={counts} cards={cards} side={sideOf(rows)} onChange={change} onOpen={setOpened} />}
        <Section title={`Deck: ${inSets ? `${total(setsIn(counts, cards).sets)} sets, ` : ""}${total(counts)} cards`} class="pane-deck">
          {editable && (
            <Field label="Name">{(id) => <input id={id} maxLength={60} value={name} onInput={(event) => setName(event.currentTarget.value)} />}</Field>
          )}
          {inSets ? (
            <SetDeck counts={counts} cards={cards} side={sideOf(rows)} editable={editable} onCounts={setCounts} onSets={changeSet} onOpen={setOpened}>
              {(alone) => <DeckRows rows={rows.flatMap((row) => (alone.has(row.card.key) ? [{ card: row.card, count: alone.get(row.card.key) ?? 0 }] : []))} editable={editable} onChange={change} onOpen={setOpened} />}
            </SetDeck>
          ) : (
            <DeckRows rows={rows} editable={editable} onChange={change} onOpen={setOpened} />
          )}
        </Section>
        <div class="column pane-numbers">
          <Legality report={report} />
          <Section title="Curves">
            <TypeBars rows={rows} about={aboutOf(game.value)} />
            <CostCurve rows={rows} about={aboutOf(game.value)} />
          </Section>
        </div>
      </div>
      {opened && <CardDialog card={opened} cards={rows.map((row) => row.card)} words={keywords(rules ?? [])} onOpen={setOpened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

/** The side whose cards the deck holds, where it is settled. */
function sideOf(rows: readonly { card: CardInfo }[]): string | null {
  return rows.find((row) => row.card.side !== "neutral")?.card.side ?? null;
}

/** What the rules say of the list, asked a moment after the last change. */
function useReport(list: string | null): DeckReport | null {
  const [report, setReport] = useState<DeckReport | null>(null);
  useEffect(() => {
    if (list === null) return;
    let live = true;
    const timer = setTimeout(() => {
      api<DeckReport>("POST", `/api/decks/${game.value}/check`, { list }).then((found) => live && setReport(found), complain);
    }, 250);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [list]);
  return report;
}

/** Keep own decks as they change; says how that stands. */
function useSaving(deck: DeckInfo, name: string, list: string): string {
  const [kept, setKept] = useState(list);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    if (deck.starter || list === kept) return;
    const timer = setTimeout(() => {
      api<DeckInfo>("PUT", `/api/decks/${deck.game}/${encodeURIComponent(deck.id)}`, { name: name.trim() || "Deck", list }).then(
        () => {
          setKept(list);
          setError(null);
        },
        (problem: unknown) => setError(message(problem)),
      );
    }, 600);
    return () => clearTimeout(timer);
  }, [deck, name, list, kept]);
  if (error) return `Not saved: ${error}`;
  return list === kept ? "All changes are saved." : "Saving…";
}

function Actions(props: { deck: DeckInfo; name: string; list: string; counts: Counts; legal: boolean; onImport: (counts: Counts) => void }) {
  const [importing, setImporting] = useState(false);
  const { deck, list, name } = props;
  const copied = `${name.slice(0, 50)} (mine)`;
  const copy = () => keepNew(copied, writeList(copied, props.counts, cardsOf(game.value).value)).then((made) => navigate(`/deck/${made.id}`), complain);
  const remove = async () => {
    if (!(await confirm(`Delete ${name}?`, "The deck is gone for good.", "Delete it"))) return;
    await api("DELETE", `/api/decks/${deck.game}/${encodeURIComponent(deck.id)}`);
    toast(`${name} is deleted.`);
    navigate("/decks");
  };
  return (
    <>
      <CopyButton text={list}>Copy the list</CopyButton>
      <Button onClick={() => download(`${name.replace(/[^\w-]+/g, "_").toLowerCase() || "deck"}.txt`, list)}>Download</Button>
      {!deck.starter && <Button onClick={() => setImporting(true)}>Import</Button>}
      <Button onClick={() => void copy()}>Duplicate</Button>
      {!deck.starter && (
        <Button kind="danger" onClick={() => void remove().catch(complain)}>
          Delete
        </Button>
      )}
      {props.legal && (
        <Link class="button primary" to={`/play?deck=${encodeURIComponent(deck.id)}`}>
          Play this deck
        </Link>
      )}
      {importing && <ImportDialog onClose={() => setImporting(false)} onRead={props.onImport} />}
    </>
  );
}

function Legality(props: { report: DeckReport | null }) {
  const { report } = props;
  return (
    <Section title="Legality">
      <div role="status" aria-live="polite">
        {!report && <p class="pending">Checking…</p>}
        {report?.legal && <Notice kind="good">This deck may be played: {report.cards} cards.</Notice>}
        {report && !report.legal && (
          <ul class="faults">
            {report.faults.map((fault) => (
              <li key={fault.rule + fault.reason}>
                {fault.reason} <RuleLink id={fault.rule}>rule</RuleLink>
              </li>
            ))}
            {report.unread.map((line) => (
              <li key={line}>
                could not be read: <code>{line}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

// ---- the two lists ----

interface RowProps {
  card: CardInfo;
  count: number;
  editable: boolean;
  onChange: (card: CardInfo, by: number) => void;
  onOpen: (card: CardInfo) => void;
}

function Row(props: RowProps) {
  const { card, count } = props;
  const about = aboutCard(card);
  const title = about.mark(card) + fullTitle(card);
  const cost = card.numbers[about.cost];
  return (
    <li class={`deck-row kind-${card.kind.toLowerCase()}`} {...zoomProps(card)}>
      <span class="deck-cost" aria-label={cost === undefined ? "no cost" : `cost ${cost}`}>
        {cost ?? "–"}
      </span>
      <button type="button" class="deck-title" onClick={() => props.onOpen(card)}>
        {title}
        <small class="dim">{numbersOf(card)}</small>
      </button>
      {props.editable && (
        <button type="button" class="count-button" aria-label={`One ${title} less`} disabled={count === 0} onClick={() => props.onChange(card, -1)}>
          −
        </button>
      )}
      <b class={`deck-count ${count > (about.most_copies ?? count) ? "bad" : ""}`} aria-label={`${count} in the deck`}>
        {count}
      </b>
      {props.editable && (
        <button type="button" class="count-button" aria-label={`One ${title} more`} onClick={() => props.onChange(card, 1)}>
          +
        </button>
      )}
    </li>
  );
}

function numbersOf(card: CardInfo): string {
  const about = aboutCard(card);
  const stats = about.stats.flatMap((stat) => card.numbers[stat.name] ?? []);
  const [kind, more] = about.typeLine(card);
  const said = about.corner === null ? kind : [kind, more].filter(Boolean).join(" ");
  return stats.length === 0 ? said : `${said} · ${stats.join("/")}`;
}

function DeckRows(props: { rows: { card: CardInfo; count: number }[]; editable: boolean; onChange: RowProps["onChange"]; onOpen: RowProps["onOpen"] }) {
  const kinds = [...new Set(props.rows.map((row) => row.card.kind))];
  if (kinds.length === 0) return <p class="empty-line">Empty. Search for cards and add them.</p>;
  return (
    <div class="deck-groups">
      {kinds.map((kind) => {
        const rows = props.rows.filter((row) => row.card.kind === kind);
        return (
          <div key={kind} class="deck-group">
            <h3>
              {kind} <small class="dim">{rows.reduce((sum, row) => sum + row.count, 0)}</small>
            </h3>
            <ul class="deck-rows">
              {rows.map((row) => (
                <Row key={row.card.key} card={row.card} count={row.count} editable={props.editable} onChange={props.onChange} onOpen={props.onOpen} />
              ))}
            </ul>
          </div>
        );
      })}
    </div>
  );
}

const MOST = 80;

function Search(props: { counts: Counts; cards: Cards; side: string | null; onChange: RowProps["onChange"]; onOpen: RowProps["onOpen"] }) {
  const [text, setText] = useState("");
  const [kind, setKind] = useState("");
  const [chosenSide, setSide] = useState("");
  const side = props.side ?? chosenSide;
  const found = useMemo(() => {
    const filter = fromQuery(new URLSearchParams({ q: text, kind, side: side ? `${side},neutral` : "", sort: "title" }), []);
    return apply([...props.cards.values()], filter, []);
  }, [props.cards, text, kind, side]);
  const sides = useMemo(() => [...new Set([...props.cards.values()].map((card) => card.side))].filter((one) => one !== "neutral").sort(), [props.cards]);
  const neutral = useMemo(() => [...props.cards.values()].some((card) => card.side === "neutral"), [props.cards]);
  const kinds = useMemo(() => [...new Set([...props.cards.values()].map((card) => card.kind))], [props.cards]);
  return (
    <Section title="Add cards" class="pane-add">
      <div class="row" role="search">
        <Field label="Search" class="grow">
          {(id) => <input id={id} type="search" value={text} placeholder="title, type or text" onInput={(event) => setText(event.currentTarget.value)} />}
        </Field>
        <Field label="Type">
          {(id) => (
            <select id={id} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              <option value="">any</option>
              {kinds.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
        {props.side === null && (
          <Field label="Side">
            {(id) => (
              <select id={id} value={chosenSide} onChange={(event) => setSide(event.currentTarget.value)}>
                <option value="">any</option>
                {sides.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <p class="dim">
        {found.length} cards{side ? `, ${[side, ...(neutral ? ["neutral"] : [])].join(" and ")}` : ""}
      </p>
      <ul class="deck-rows scroll" tabIndex={0} aria-label="Cards found">
        {found.slice(0, MOST).map((card) => (
          <Row key={card.key} card={card} count={props.counts.get(card.key) ?? 0} editable onChange={props.onChange} onOpen={props.onOpen} />
        ))}
      </ul>
      {found.length > MOST && <p class="dim">{found.length - MOST} more; search more closely.</p>}
    </Section>
  );
}
