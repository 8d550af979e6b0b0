// The guided first game: a real match against a bot, with a coach beside the table.

import { signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cardsOf } from "../catalogue.js";
import { type Match, socket } from "../net.js";
import type { Table } from "../protocol.js";
import { Link, navigate, type PageProps } from "../router.js";
import { TablePage } from "../table/page.js";
import { Button, confirm } from "../ui.js";
import { type Advice, advise, arenas, type TopicId, TOPICS } from "./coach.js";
import { Notice, Page, Pending, Section, someName, useDecks, useTask } from "./common.js";
import { NameField, openTable } from "./play.js";

/** The game that is taught. */
const GAME = "tcg";
const LESSON = "trilogy.lesson";
/** Against the random bot a game is over in a turn or two, before half of the lessons have come up. */
const OPPONENT = "greedy";
/** A bot answers sooner than anybody could read that it thinks. */
const THINKING = 1500;

/** What has been read, and the game it was read in: a reload goes on from there. */
interface Lesson {
  table: string | null;
  read: TopicId[];
}

const lesson = signal<Lesson>(stored());

function stored(): Lesson {
  try {
    const found = JSON.parse(localStorage.getItem(LESSON) ?? "") as Partial<Lesson>;
    const known = TOPICS.map((topic) => topic.id);
    return { table: found.table ?? null, read: known.filter((id) => found.read?.includes(id)) };
  } catch {
    return { table: null, read: [] };
  }
}

function keep(next: Lesson) {
  lesson.value = next;
  localStorage.setItem(LESSON, JSON.stringify(next));
}

// ---- before the game ----

export function Learn() {
  const decks = useDecks(GAME);
  const [name, setName] = useState(someName);
  const task = useTask();
  const running = lesson.value.table;
  const begin = () =>
    task.run(async () => {
      const starters = (decks.data ?? []).filter((deck) => deck.starter);
      const mine = starters.find((deck) => deck.seat === 1);
      const theirs = starters.find((deck) => deck.seat === 0);
      if (!mine || !theirs) throw new Error("the starter decks are not there");
      const info = await openTable({ game: GAME, deck: mine.id, bot: OPPONENT, bot_deck: theirs.id, private: true, clock: { kind: "none" } }, name);
      keep({ table: info.id, read: [] });
      navigate(`/learn/${info.id}`);
    });
  return (
    <Page title="Your first game" lead="About ten minutes. You play a real game; a coach beside the table tells you what is asked, and why.">
      <div class="lobby">
        <Section title="What it is about" class="hero">
          <p>
            Two sides fight in three places at once: in <b>Space</b>, on the <b>Ground</b>, and person against <b>Character</b>. Whoever holds two of the three at the end of a turn has won.
          </p>
          <ol class="topics-list">
            {TOPICS.map((topic) => (
              <li key={topic.id}>{topic.title}</li>
            ))}
          </ol>
        </Section>
        <Section title="Begin">
          <form
            class="flow"
            onSubmit={(event) => {
              event.preventDefault();
              begin();
            }}
          >
            <p>You play the Light Side with a starter deck, against a bot. Take back what you regret; leave at any time and come back.</p>
            <NameField value={name} onInput={setName} />
            {running && (
              <Link class="button" to={`/learn/${running}`}>
                Go on with the game you began
              </Link>
            )}
            <Button type="submit" kind="primary" class="big" disabled={task.busy || !decks.data}>
              {running ? "Begin anew" : "Begin"}
            </Button>
            {task.error && <Notice kind="bad">{task.error}</Notice>}
            {decks.error && <Pending error={decks.error} what="The decks" />}
          </form>
        </Section>
      </div>
    </Page>
  );
}

// ---- the game with its coach ----

export function LearnTable({ params }: PageProps) {
  const id = params.id ?? "";
  const [match, setMatch] = useState<Match | null>(null);
  useEffect(() => {
    const [followed, done] = socket.watch(id);
    setMatch(followed);
    return done;
  }, [id]);
  return (
    <div class="learn">
      <div class="learn-table">
        <TablePage params={params} />
      </div>
      {match?.table.value ? <Coach table={match.table.value} /> : <aside class="coach" aria-label="Coach" />}
    </div>
  );
}

function Coach(props: { table: Table }) {
  const cards = cardsOf(props.table.game).value;
  const advice = useSettled(useMemo(() => advise(props.table, cards), [props.table, cards]));
  const read = lesson.value.read;
  const fresh = advice.topics.find((id) => !read.includes(id));
  const [picked, setPicked] = useState<TopicId | null>(null);
  const shown = picked ?? fresh ?? null;
  const done = (id: TopicId) => {
    keep({ ...lesson.value, read: [...read, id] });
    setPicked(null);
  };
  // On a narrow screen the coach is one line above the table, and opens over it.
  const [open, setOpen] = useState(false);
  return (
    <aside class={`coach ${open ? "open" : ""}`} aria-label="Coach">
      <Now advice={advice} />
      <Button class="coach-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Back to the table" : fresh ? "Explain" : "Coach"}
      </Button>
      {shown && <TopicCard id={shown} known={read.includes(shown)} onDone={() => (read.includes(shown) ? setPicked(null) : done(shown))} />}
      <Balance table={props.table} />
      <Progress read={read} onPick={setPicked} />
      <Way table={props.table} />
    </aside>
  );
}

/** What was said last stays until the opponent really takes time. */
function useSettled(latest: Advice): Advice {
  const [shown, setShown] = useState(latest);
  useEffect(() => {
    if (!latest.waits) {
      setShown(latest);
      return;
    }
    const timer = setTimeout(() => setShown(latest), THINKING);
    return () => clearTimeout(timer);
  }, [latest]);
  return shown;
}

function Now(props: { advice: Advice }) {
  return (
    <div class="coach-now" role="status" aria-live="polite">
      <h2>{props.advice.now}</h2>
      {props.advice.hint && <p>{props.advice.hint}</p>}
    </div>
  );
}

function TopicCard(props: { id: TopicId; known: boolean; onDone: () => void }) {
  const topic = TOPICS.find((one) => one.id === props.id);
  if (!topic) return null;
  return (
    <section class="coach-topic" aria-label={topic.title}>
      <h3>{topic.title}</h3>
      {topic.text.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="actions">
        <Button kind="primary" onClick={props.onDone}>
          {props.known ? "Close" : "Understood"}
        </Button>
        <a href={`/rules/${topic.rule}`} target="_blank" rel="noopener">
          The rule
        </a>
      </div>
    </section>
  );
}

/** Who holds which arena: what it is all about. */
function Balance(props: { table: Table }) {
  const states = arenas(props.table, cardsOf(props.table.game).value);
  const word = (mine: number, theirs: number) => (mine > 0 && theirs === 0 ? "yours" : theirs > 0 && mine === 0 ? "theirs" : mine + theirs === 0 ? "empty" : "fought over");
  return (
    <dl class="balance" aria-label="Units in the arenas, yours against theirs">
      {states.map((state) => (
        <div key={state.english} class={word(state.mine, state.theirs).replace(" ", "-")}>
          <dt>{state.english}</dt>
          <dd>
            {state.mine} : {state.theirs}
            <small>{word(state.mine, state.theirs)}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Progress(props: { read: readonly TopicId[]; onPick: (id: TopicId) => void }) {
  return (
    <details class="coach-progress">
      <summary>
        <progress value={props.read.length} max={TOPICS.length} aria-label="Lessons read" /> {props.read.length} of {TOPICS.length} lessons
      </summary>
      <ol class="topics-list">
        {TOPICS.map((topic) => (
          <li key={topic.id} class={props.read.includes(topic.id) ? "read" : ""}>
            <button type="button" class="link-button" onClick={() => props.onPick(topic.id)}>
              {topic.title}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Way(props: { table: Table }) {
  const over = props.table.state.is === "over";
  const leave = async () => {
    if (!(await confirm("Leave the guided game?", "The game stays as it is. You find it in the lobby and may come back to the coach from the Learn page.", "Leave"))) return;
    navigate("/");
  };
  if (!over) {
    return (
      <div class="actions">
        <Button kind="quiet" onClick={() => void leave()}>
          Leave
        </Button>
        <Link class="button quiet" to={`/table/${props.table.id}`}>
          Play on without the coach
        </Link>
      </div>
    );
  }
  return (
    <div class="actions">
      <Link class="button primary" to="/">
        Play another
      </Link>
      <Link class="button" to={`/replay/${props.table.id}`}>
        See the replay
      </Link>
      <Link class="button" to="/decks">
        Build a deck
      </Link>
    </div>
  );
}
