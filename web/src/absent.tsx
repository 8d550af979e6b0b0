// A match that the server does not show: there is none, it cannot be read, or it cannot be had just now.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, ApiError, me, socket } from "./net.js";
import { Link } from "./router.js";
import { Button } from "./ui.js";

type Found = { is: "here" | "unreadable" | "not now" | "none"; reason: string };

/** The status of a request for a match that the server keeps and cannot read. */
export const UNREADABLE = 409;

/** Milliseconds until it is looked for again: at first, at most, and where somebody has to do something first. */
const SOON = 1000;
const LATER = 8000;
const RARELY = 30_000;

/** How it is with a match is told by the status of a request: the words of the reason are for people. */
async function lookFor(id: string): Promise<Found> {
  try {
    await api("GET", `/api/tables/${encodeURIComponent(id)}/view`);
    return { is: "here", reason: "" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const is = error.moved !== null ? "here" : error.status === UNREADABLE ? "unreadable" : error.passes ? "not now" : "none";
    return { is, reason: error.message };
  }
}

/** In place of the table while the socket may not follow the match. It goes away by itself as soon as that works. */
export function Absent({ id }: { id: string }) {
  const [found, setFound] = useState<Found | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let live = true;
    let timer = 0;
    const look = async (pause: number) => {
      const now = await lookFor(id);
      if (!live) return;
      setFound(now);
      if (now.is === "here") socket.watchAgain(id);
      if (now.is === "here" || now.is === "not now") timer = window.setTimeout(() => void look(Math.min(pause * 2, LATER)), pause);
    };
    void look(SOON);
    return () => {
      live = false;
      window.clearTimeout(timer);
    };
  }, [id, tries]);
  const again = () => setTries(tries + 1);
  switch (found?.is) {
    case undefined:
    case "here":
      return <p class="loading" role="status">Coming to the table …</p>;
    case "unreadable":
      return <Unreadable id={id} reason={found.reason} onAgain={again} />;
    case "not now":
      return (
        <Empty title="The table is not here just now">
          <p>{found.reason}</p>
          <p class="dim" role="status">Trying again …</p>
        </Empty>
      );
    case "none":
      return <Empty title="This table cannot be shown"><p>{found.reason}</p></Empty>;
  }
}

/** A page about a table that cannot be drawn. */
export function Empty(props: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h1>{props.title}</h1>
      {props.children}
      <Link to="/" class="button">To the lobby</Link>
    </section>
  );
}

/** A match of which the server keeps every answer, but with which it cannot go on. */
export function Unreadable(props: { id: string; reason: string; onAgain: () => void }) {
  const again = useRef(props.onAgain);
  again.current = props.onAgain;
  useEffect(() => {
    const timer = window.setInterval(() => again.current(), RARELY);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <section class="empty unreadable">
      <h1>This match cannot be read just now</h1>
      <p class="notice notice-bad">{props.reason}</p>
      <h2>Nothing is lost</h2>
      <p>The match is kept as it was left, with every answer. It is here again as soon as the server can read it.</p>
      <h2>What to do</h2>
      <p>Tell those who look after this server. The number of the match is <code>{props.id}</code>. This page looks again by itself; you may also come back later.</p>
      <div class="actions">
        <Button kind="primary" onClick={props.onAgain}>Try again</Button>
        {me.value?.admin ? <Link to="/admin" class="button">Administration</Link> : null}
        <Link to="/" class="button">To the lobby</Link>
      </div>
    </section>
  );
}
