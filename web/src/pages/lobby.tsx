// The first page: play at once against a bot, sit down at somebody's table, or open one.

import { useState } from "preact/hooks";
import { game, sideName, titleAmongOthers } from "../games.js";
import { me, messageOfTheDay } from "../net.js";
import type { DeckInfo, TableInfo } from "../protocol.js";
import { Link } from "../router.js";
import { aboutOf } from "../table/layouts/about.js";
import { Button, Dialog } from "../ui.js";
import { agoWords, clockWords, Page, Pending, playersWords, Section, useDecks, useGet } from "./common.js";
import { OpenTable, PlayBot } from "./play.js";

export function Lobby() {
  const about = aboutOf(game.value);
  const decks = useDecks();
  const tables = useGet<TableInfo[]>("/api/tables", 3);
  const news = useGet<{ text: string }>("/api/message");
  const [opening, setOpening] = useState(false);
  const words = messageOfTheDay.value || news.data?.text || "";
  return (
    <Page title="Play" lead={about.lead} actions={about.lesson ? <FirstTime /> : null}>
      {words && (
        <p class="notice" role="note">
          {words}
        </p>
      )}
      <div class="lobby">
        <div class="column">
          <Section title="Play now against a bot" class="hero">
            {decks.data ? <PlayBot decks={decks.data} /> : <Pending error={decks.error} what="The decks" />}
          </Section>
        </div>
        <div class="column">
          <Section
            title="Tables"
            actions={
              <Button kind="primary" onClick={() => setOpening(true)} disabled={!decks.data}>
                Open a table
              </Button>
            }
          >
            {tables.data ? <Tables tables={tables.data} /> : <Pending error={tables.error} what="The tables" />}
          </Section>
          <Account />
        </div>
      </div>
      {opening && decks.data && <OpenDialog decks={decks.data} onClose={() => setOpening(false)} />}
    </Page>
  );
}

function OpenDialog(props: { decks: DeckInfo[]; onClose: () => void }) {
  return (
    <Dialog title="Open a table" onClose={props.onClose}>
      <OpenTable decks={props.decks} onOpened={props.onClose} />
    </Dialog>
  );
}

function FirstTime() {
  return (
    <Link class="button" to="/learn">
      First time here? Learn it by playing
    </Link>
  );
}

function Account() {
  const who = me.value;
  return (
    <Section title={who ? `You are ${who.name}` : "Your name"}>
      {who && !who.guest ? (
        <p class="dim">Your games, decks and history are kept with your account.</p>
      ) : (
        <p class="dim">
          {who ? "You play as a guest, on this device only. " : "No account is needed to play. "}
          With one you find your games, decks and history on any device.
        </p>
      )}
      <div class="actions">
        <Link class="button" to="/account">
          {who && !who.guest ? "Your account" : "Sign in or register"}
        </Link>
        {who && (
          <Link class="button quiet" to="/history">
            Your games
          </Link>
        )}
      </div>
    </Section>
  );
}

function Tables(props: { tables: TableInfo[] }) {
  const live = props.tables.filter((table) => table.state.is !== "over");
  const mine = live.filter((table) => table.mine);
  const open = live.filter((table) => !table.mine && table.state.is === "open");
  const playing = live.filter((table) => !table.mine && table.state.is === "playing");
  if (live.length === 0) return <p class="empty-line">Nobody sits anywhere just now. Open a table, or play against a bot meanwhile.</p>;
  return (
    <div class="flow">
      <TableList title="Yours" tables={mine} verb={(table) => (table.state.is === "open" ? ["/join/", "Invite"] : ["/table/", "Resume"])} />
      <TableList title="Waiting for somebody" tables={open} verb={() => ["/join/", "Join"]} />
      <TableList title="Being played" tables={playing} verb={() => ["/table/", "Watch"]} />
    </div>
  );
}

function TableList(props: { title: string; tables: TableInfo[]; verb: (table: TableInfo) => readonly [string, string] }) {
  if (props.tables.length === 0) return null;
  return (
    <div>
      <h3>{props.title}</h3>
      <ul class="rows">
        {props.tables.map((table) => {
          const [where, what] = props.verb(table);
          return (
            <li key={table.id}>
              <div class="row-text">
                <b>{playersWords(table)}</b>
                <small class="dim">{facts(table)}</small>
              </div>
              <Link class={`button ${what === "Watch" ? "" : "primary"}`} to={where + table.id} aria-label={`${what}: ${playersWords(table)}`}>
                {what}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function facts(table: TableInfo): string {
  const parts = [titleAmongOthers(table.game), clockWords(table.clock), agoWords(table.created)].filter(Boolean);
  if (table.free_seat !== null) parts.unshift(`needs a ${sideName(table.free_seat, table.game)} deck`);
  if (table.private) parts.push("private");
  if (table.answers > 0) parts.push(`${table.answers} moves`);
  return parts.join(" · ");
}
