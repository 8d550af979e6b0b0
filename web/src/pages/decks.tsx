// The list of decks: starter decks to take and change, and one's own.

import { useEffect, useState } from "preact/hooks";
import { game, sideName } from "../games.js";
import { api } from "../net.js";
import type { DeckInfo, DeckReport } from "../protocol.js";
import { Link, navigate } from "../router.js";
import { aboutOf } from "../table/layouts/about.js";
import { Button, complain, confirm, Dialog, toast } from "../ui.js";
import { ensureName, Notice, Page, Pending, Section, someName, useDecks, useTask } from "./common.js";
import { countsOf, nameIn, renamed, sizeOf, tidy, writeList } from "./deck-list.js";

export async function keepNew(name: string, list: string): Promise<DeckInfo> {
  await ensureName(someName());
  return api<DeckInfo>("POST", `/api/decks/${game.value}`, { name, list });
}

/** The server's own import, which takes the text as it is. */
function importDeck(list: string): Promise<DeckInfo> {
  return api<DeckInfo>("POST", `/api/decks/${game.value}/import`, list, "text/plain");
}

export function Decks() {
  const decks = useDecks();
  const [importing, setImporting] = useState(false);
  const own = decks.data?.filter((deck) => !deck.starter) ?? [];
  const starters = decks.data?.filter((deck) => deck.starter) ?? [];
  const create = () => {
    keepNew("New deck", writeList("New deck", new Map(), new Map())).then((deck) => navigate(`/deck/${deck.id}`), complain);
  };
  return (
    <Page
      title="Decks"
      lead={aboutOf(game.value).deck_lead}
      actions={
        <>
          <Button onClick={() => setImporting(true)}>Import</Button>
          <Button kind="primary" onClick={create}>
            New deck
          </Button>
        </>
      }
    >
      {!decks.data && <Pending error={decks.error} what="The decks" />}
      <Section title="Your decks">
        {own.length === 0 ? <p class="empty-line">None yet. Duplicate a starter deck and change it, or start with an empty one.</p> : <DeckRows decks={own} onChange={decks.reload} />}
      </Section>
      <Section title="Starter decks">
        <DeckRows decks={starters} onChange={decks.reload} />
      </Section>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </Page>
  );
}

function DeckRows(props: { decks: DeckInfo[]; onChange: () => void }) {
  const copy = (deck: DeckInfo) => {
    const name = `${deck.name.slice(0, 50)} (mine)`;
    keepNew(name, renamed(name, deck.list)).then((made) => navigate(`/deck/${made.id}`), complain);
  };
  const remove = async (deck: DeckInfo) => {
    if (!(await confirm(`Delete ${deck.name}?`, "The deck is gone for good. Export it first if you may want it again.", "Delete it"))) return;
    await api("DELETE", `/api/decks/${deck.game}/${encodeURIComponent(deck.id)}`);
    toast(`${deck.name} is deleted.`);
    props.onChange();
  };
  return (
    <ul class="rows">
      {props.decks.map((deck) => (
        <li key={deck.id}>
          <div class="row-text">
            <Link to={`/deck/${deck.id}`}>
              <b>{deck.name}</b>
            </Link>
            <small class="dim">
              <span class={`side-dot seat-${deck.seat}`} aria-hidden="true" /> {sideName(deck.seat, deck.game)}
              {` · ${sizeOf(deck.list)}`}
              {note(deck) && ` · ${note(deck)}`}
            </small>
          </div>
          <div class="actions">
            <Link class="button primary" to={`/play?deck=${encodeURIComponent(deck.id)}`} aria-label={`Play ${deck.name}`}>
              Play
            </Link>
            <Link class="button" to={`/deck/${deck.id}`} aria-label={`${deck.starter ? "Look at" : "Edit"} ${deck.name}`}>
              {deck.starter ? "Look" : "Edit"}
            </Link>
            <Button onClick={() => copy(deck)} aria-label={`Duplicate ${deck.name}`}>
              Duplicate
            </Button>
            {!deck.starter && (
              <Button kind="danger" onClick={() => void remove(deck).catch(complain)} aria-label={`Delete ${deck.name}`}>
                Delete
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The first comment of a list says what the deck is about. */
function note(deck: DeckInfo): string {
  return /^#\s*(?:(?:Light|Dark) Side:\s*)?(.+)$/m.exec(deck.list)?.[1] ?? "";
}

/** What the server makes of a pasted list, asked a moment after the last change; null while it has not said. */
function useRead(text: string): DeckReport | null {
  const [read, setRead] = useState<{ of: string; report: DeckReport } | null>(null);
  useEffect(() => {
    if (text.trim() === "") return;
    let live = true;
    const timer = setTimeout(() => {
      api<DeckReport>("POST", `/api/decks/${game.value}/check`, { list: tidy(text) }).then((report) => live && setRead({ of: text, report }), complain);
    }, 200);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [text]);
  return read?.of === text ? read.report : null;
}

export function ImportDialog(props: { onClose: () => void; onRead?: (counts: Map<string, number>, name: string | null) => void }) {
  const [text, setText] = useState("");
  const [fileName, setFileName] = useState<string | null>(null);
  const task = useTask();
  const read = useRead(text);
  const count = read?.cards ?? 0;
  const unread = read?.unread ?? [];
  const open = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > 200_000) throw new Error("the file is too large for a deck");
    setText(await file.text());
    setFileName(file.name.replace(/\.[a-z]+$/i, ""));
  };
  const take = () =>
    task.run(async () => {
      if (!read) return;
      if (props.onRead) props.onRead(countsOf(read.list), nameIn(read.list));
      else {
        await ensureName(someName());
        const list = renamed(nameIn(read.list) ?? fileName ?? "Imported deck", read.list);
        navigate(`/deck/${(await importDeck(list)).id}`);
      }
      props.onClose();
    });
  return (
    <Dialog title="Import a deck" onClose={props.onClose}>
      <form
        class="flow"
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <label class="field">
          <span>Paste a list, one card a line</span>
          <textarea rows={10} value={text} placeholder={aboutOf(game.value).list_example} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>or open a file</span>
          <input type="file" accept=".txt,.dek,.xml,.text,text/plain,text/xml" onChange={(event) => void open(event.currentTarget.files?.[0]).catch(complain)} />
        </label>
        <p role="status">
          {text === "" ? "" : !read ? "Reading…" : `${count} cards read${unread.length > 0 ? `, ${unread.length} lines not:` : "."}`}
        </p>
        {unread.length > 0 && (
          <ul class="faults">
            {unread.slice(0, 20).map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        )}
        <div class="actions">
          <Button type="submit" kind="primary" disabled={count === 0 || task.busy}>
            Take {count} cards
          </Button>
        </div>
        {task.error && <Notice kind="bad">{task.error}</Notice>}
      </form>
    </Dialog>
  );
}
