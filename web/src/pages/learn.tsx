// The guided first game: a real match against a bot, with a coach beside the table.

import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cardsOf } from "../catalogue.js";
import { game } from "../games.js";
import { type Match, socket } from "../net.js";
import type { Table } from "../protocol.js";
import { Link, navigate, type PageProps } from "../router.js";
import { TablePage } from "../table/page.js";
import { Button, confirm } from "../ui.js";
import { type Advice, type Lesson as Course, lessonOf, type Standing, type Topic } from "./coach.js";
import { Notice, Page, Pending, Section, someName, useDecks, useTask } from "./common.js";
import { NameField, openTable } from "./play.js";

const LESSON = "trilogy.lesson";
const NO_LESSON = "There is no guided first game of this game yet.";
/** Against the random bot a game of the tcg is over in a turn or two, before half of the lessons have come up. */
const OPPONENT = "greedy";
/** A bot answers sooner than anybody could read that it thinks. */
const THINKING = 1500;

/** What has been read, and the game it was read in: a reload goes on from there. */
interface Lesson {
  table: string | null;
  read: string[];
}

const lessons = new Map<string, Signal<Lesson>>();

/** How far the lesson of a game has come. */
function progressOf(game: string): Signal<Lesson> {
  let found = lessons.get(game);
  if (!found) {
    found = signal(stored(game));
    lessons.set(game, found);
  }
  return found;
}

function stored(game: string): Lesson {
  try {
    const found = JSON.parse(localStorage.getItem(`${LESSON}.${game}`) ?? "") as Partial<Lesson>;
    const known = (lessonOf(game)?.topics ?? []).map((topic) => topic.id);
    return { table: found.table ?? null, read: known.filter((id) => found.read?.includes(id)) };
  } catch {
    return { table: null, read: [] };
  }
}

function keep(game: string, next: Lesson) {
  progressOf(game).value = next;
  localStorage.setItem(`${LESSON}.${game}`, JSON.stringify(next));
}

// ---- before the game ----

export function Learn() {
  const course = lessonOf(game.value);
  if (course) return <Lobby taught={game.value} course={course} />;
  return (
    <Page title="Your first game">
      <Notice kind="bad">{NO_LESSON}</Notice>
    </Page>
  );
}

function Lobby({ taught, course }: { taught: string; course: Course }) {
  const decks = useDecks(taught);
  const [name, setName] = useState(someName);
  const task = useTask();
  const running = progressOf(taught).value.table;
  const begin = () =>
    task.run(async () => {
      const starters = (decks.data ?? []).filter((deck) => deck.starter);
      const wanted = (id: string, seat: number) => starters.find((deck) => deck.id === id) ?? starters.find((deck) => deck.seat === seat);
      const mine = wanted(course.decks[0], 1);
      const theirs = wanted(course.decks[1], 0);
      if (!mine || !theirs) throw new Error("the starter decks are not there");
      const info = await openTable({ game: taught, deck: mine.id, bot: OPPONENT, bot_deck: theirs.id, private: true, clock: { kind: "none" } }, name);
      keep(taught, { table: info.id, read: [] });
      navigate(`/learn/${info.id}`);
    });
  return (
    <Page title="Your first game" lead="About ten minutes. You play a real game; a coach beside the table tells you what is asked, and why.">
      <div class="lobby">
        <Section title="What it is about" class="hero">
          <p>{course.about}</p>
          <ol class="topics-list">
            {course.topics.map((topic) => (
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
  // Where there is no table there is nothing to teach.
  if (match && match.absent.value !== null) return <TablePage params={params} />;
  return (
    <div class="learn">
      <div class="learn-table">
        <TablePage params={params} />
      </div>
      {match?.table.value ? <CoachOf table={match.table.value} /> : <aside class="coach" aria-label="Coach" />}
    </div>
  );
}

function CoachOf({ table }: { table: Table }) {
  const course = lessonOf(table.game);
  if (course) return <Coach table={table} course={course} />;
  return <aside class="coach" aria-label="Coach"><Notice kind="bad">{NO_LESSON}</Notice></aside>;
}

function Coach(props: { table: Table; course: Course }) {
  const { course } = props;
  const { game, catalogue } = props.table;
  const cards = cardsOf(game, catalogue).value;
  const advice = useSettled(useMemo(() => course.advise(props.table, cards), [props.table, cards]));
  const progress = progressOf(game).value;
  const read = progress.read;
  const fresh = advice.topics.find((id) => !read.includes(id));
  const [picked, setPicked] = useState<string | null>(null);
  const shown = picked ?? fresh ?? null;
  const done = (id: string) => {
    keep(game, { ...progress, read: [...read, id] });
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
      {shown && <TopicCard topic={course.topics.find((one) => one.id === shown)} known={read.includes(shown)} onDone={() => (read.includes(shown) ? setPicked(null) : done(shown))} />}
      <Balance standings={course.balance(props.table, cards)} />
      <Progress course={course} read={read} onPick={setPicked} />
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

function TopicCard(props: { topic: Topic | undefined; known: boolean; onDone: () => void }) {
  const { topic } = props;
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

/** How things stand, yours against theirs: what it is all about. */
function Balance(props: { standings: readonly Standing[] }) {
  return (
    <dl class="balance" aria-label="How it stands, yours against theirs">
      {props.standings.map((state) => (
        <div key={state.name} class={state.word.replace(" ", "-")}>
          <dt>{state.name}</dt>
          <dd>
            {state.mine} : {state.theirs}
            <small>{state.word}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Progress(props: { course: Course; read: readonly string[]; onPick: (id: string) => void }) {
  const { topics } = props.course;
  return (
    <details class="coach-progress">
      <summary>
        <progress value={props.read.length} max={topics.length} aria-label="Lessons read" /> {props.read.length} of {topics.length} lessons
      </summary>
      <ol class="topics-list">
        {topics.map((topic) => (
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
