// Where an invitation leads: the guest chooses a deck and sits down; the host sees the link and waits.

import { useEffect, useState } from "preact/hooks";
import { UNREADABLE, Unreadable } from "../absent.js";
import { sideName, titleAmongOthers } from "../games.js";
import { api, ApiError, socket } from "../net.js";
import type { DeckInfo, TableInfo } from "../protocol.js";
import { Link, navigate, type PageProps } from "../router.js";
import { Button } from "../ui.js";
import { clockWords, CopyButton, ensureName, Notice, Page, Pending, Section, someName, useDecks, useGet, useTask } from "./common.js";
import { DeckSelect, NameField, rememberDeck, usualDeck } from "./play.js";

export function Join({ params }: PageProps) {
  const id = params.id ?? "";
  const table = useGet<TableInfo>(`/api/tables/${encodeURIComponent(id)}`, 2);
  const info = table.data;
  const decks = useDecks(info?.game ?? null);
  const started = info?.mine === true && info.state.is !== "open";
  useEffect(() => {
    if (started) navigate(`/table/${id}`, true);
  }, [started, id]);
  if (!info && table.status === UNREADABLE) return <Unreadable id={id} reason={table.error ?? ""} onAgain={table.reload} />;
  if (!info || !decks.data) {
    return (
      <Page title="A table">
        <Pending error={table.error ?? decks.error} what="The table" />
        {table.error && <Link to="/">Back to the lobby</Link>}
      </Page>
    );
  }
  if (info.mine) return <Waiting info={info} />;
  if (info.state.is !== "open" || info.free_seat === null) return <Taken info={info} />;
  return <SitDown info={info} seat={info.free_seat} decks={decks.data} />;
}

function Waiting(props: { info: TableInfo }) {
  const link = `${location.origin}/join/${props.info.id}`;
  return (
    <Page title="Your table is open">
      <Section title="Invite somebody">
        <p>
          {props.info.private ? "Only those who have this link can join." : "The table stands in the lobby; a friend can also come by this link."} It needs a {sideName(props.info.free_seat ?? 0, props.info.game)} deck. The game starts when they sit down.
        </p>
        <div class="row">
          <input class="grow" readOnly value={link} aria-label="Link to this table" onFocus={(event) => event.currentTarget.select()} />
          <CopyButton kind="primary" text={link}>
            Copy the link
          </CopyButton>
        </div>
        <p class="pulse" role="status">
          Waiting for an opponent…
        </p>
        <Link class="button" to="/">
          Back to the lobby
        </Link>
      </Section>
    </Page>
  );
}

function Taken(props: { info: TableInfo }) {
  const { state } = props.info;
  const over = state.is === "over";
  if (over && state.how === "closed") {
    return (
      <Page title="This table is closed">
        <Link class="button primary" to="/">
          To the lobby
        </Link>
      </Page>
    );
  }
  return (
    <Page title={over ? "This game is over" : "This table is full"}>
      <div class="actions">
        <Link class="button primary" to={over ? `/replay/${props.info.id}` : `/table/${props.info.id}`}>
          {over ? "See the replay" : "Watch the game"}
        </Link>
        <Link class="button" to="/">
          To the lobby
        </Link>
      </div>
    </Page>
  );
}

function SitDown(props: { info: TableInfo; seat: number; decks: DeckInfo[] }) {
  const [name, setName] = useState(someName);
  const [deck, setDeck] = useState(usualDeck(props.decks, props.seat)?.id ?? "");
  const [elsewhere, setElsewhere] = useState<string | null>(null);
  const task = useTask();
  const host = props.info.players.find((player) => player !== null) ?? "Somebody";
  const join = () =>
    task.run(async () => {
      setElsewhere(null);
      await ensureName(name);
      try {
        await api<TableInfo>("POST", `/api/tables/${encodeURIComponent(props.info.id)}/join`, { deck });
      } catch (error) {
        if (!(error instanceof ApiError) || error.moved === null) throw error;
        setElsewhere(error.moved);
        return;
      }
      rememberDeck(props.info.game, deck);
      navigate(`/table/${props.info.id}`);
    });
  // The socket is told where the table is, too, and with a ticket: so the page goes there.
  useEffect(() => {
    if (elsewhere === null) return;
    const [, done] = socket.watch(props.info.id);
    return done;
  }, [elsewhere, props.info.id]);
  return (
    <Page title={`${host} invites you to a game`} lead={[titleAmongOthers(props.info.game), `You play the ${sideName(props.seat, props.info.game)}`, clockWords(props.info.clock)].filter(Boolean).join("; ") + "."}>
      <Section title="Sit down">
        <form
          class="flow"
          onSubmit={(event) => {
            event.preventDefault();
            join();
          }}
        >
          <NameField value={name} onInput={setName} />
          <DeckSelect label="Your deck" decks={props.decks} seat={props.seat} value={deck} onChange={setDeck} />
          <Button type="submit" kind="primary" class="big" disabled={task.busy || deck === ""}>
            Sit down and play
          </Button>
          {task.error && <Notice kind="bad">{task.error}</Notice>}
          {elsewhere !== null && (
            <Notice>
              This table is at <a href={`${elsewhere}join/${props.info.id}`}>another server of ours</a>. Going there …
            </Notice>
          )}
        </form>
      </Section>
    </Page>
  );
}
