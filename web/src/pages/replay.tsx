// A match seen again: step, jump, run at any speed; both hands open once it is over; play on from any moment.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { UNREADABLE, Unreadable } from "../absent.js";
import { sideName } from "../games.js";
import { api, me } from "../net.js";
import type { LogLine, Replay, Table, TableInfo } from "../protocol.js";
import { navigate, type PageProps } from "../router.js";
import { Edition } from "../table/edition.js";
import { arrows, Button, Dialog, typing } from "../ui.js";
import { BOTS, Choice, CopyButton, ensureName, Field, Notice, Page, Pending, playersWords, Section, someName, useGet, useTask } from "./common.js";
import { ReplayBoard } from "./replay-board.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
/** Milliseconds a step at usual speed. */
const STEP = 900;

export function ReplayPage({ params }: PageProps) {
  const id = params.id ?? "";
  const replay = useGet<Replay>(`/api/replays/${encodeURIComponent(id)}`);
  if (!replay.data && replay.status === UNREADABLE) return <Unreadable id={id} reason={replay.error ?? ""} onAgain={replay.reload} />;
  if (!replay.data) {
    return (
      <Page title="Replay">
        <Pending error={replay.error} what="The replay" />
      </Page>
    );
  }
  return <Player key={id} id={id} replay={replay.data} />;
}

function Player(props: { id: string; replay: Replay }) {
  const { id, replay } = props;
  const last = replay.answers;
  const [at, setAt] = useState(() => clamp(Number(new URLSearchParams(location.search).get("at") ?? 0) || 0, last));
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [forking, setForking] = useState(false);
  const own = replay.info.players.findIndex((name) => name !== null && name === me.value?.name);
  const [bottom, setBottom] = useState(own < 0 ? 0 : own);
  const { table, error } = useTableAt(id, at, last);
  const go = useCallback((to: number) => setAt(clamp(to, last)), [last]);
  useEffect(() => {
    history.replaceState(null, "", at === 0 ? location.pathname : `?at=${at}`);
  }, [at]);
  useEffect(() => {
    if (!running) return;
    if (at >= last) {
      setRunning(false);
      return;
    }
    const timer = setTimeout(() => setAt(at + 1), STEP / speed);
    return () => clearTimeout(timer);
  }, [running, at, last, speed]);
  useKeys(at, last, replay.turning_points, go, () => setRunning((was) => !was));
  const over = replay.info.state.is === "over";
  return (
    <Page
      title="Replay"
      lead={`${playersWords(replay.info)}${result(replay)}`}
      actions={
        <>
          <CopyButton text={() => `${location.origin}/replay/${id}${at > 0 ? `?at=${at}` : ""}`}>Share this moment</CopyButton>
          <a class="button" href={`/api/replays/${encodeURIComponent(id)}/journal`} download>
            Download
          </a>
          {over && (
            <Button kind="primary" onClick={() => setForking(true)}>
              Play on from here
            </Button>
          )}
        </>
      }
    >
      <div class="replay">
        <div class="replay-board">
          {table ? <ReplayBoard table={table} bottom={bottom} /> : <Pending error={error} what="The table" />}
        </div>
        <Log lines={replay.log} at={at} onJump={go} table={table} />
        <Controls at={at} last={last} points={replay.turning_points} running={running} speed={speed} onSeek={go} onRun={setRunning} onSpeed={setSpeed} onTurn={() => setBottom(1 - bottom)} />
      </div>
      {forking && <ForkDialog id={id} game={replay.info.game} at={at} onClose={() => setForking(false)} />}
    </Page>
  );
}

function clamp(at: number, last: number): number {
  return Math.max(0, Math.min(last, Math.round(at)));
}

function result(replay: Replay): string {
  const { game, state, players } = replay.info;
  if (state.is !== "over") return ", still being played";
  return state.winner === null ? ", drawn" : `, won by ${players[state.winner] ?? sideName(state.winner, game)}`;
}

/** Tables of this replay that were fetched, and the next ones ahead of time. */
function useTableAt(id: string, at: number, last: number): { table: Table | null; error: string | null } {
  const kept = useRef(new Map<number, Promise<Table>>());
  const [shown, setShown] = useState<Table | null>(null);
  const [error, setError] = useState<string | null>(null);
  const fetched = useCallback(
    (number: number): Promise<Table> => {
      let found = kept.current.get(number);
      if (!found) {
        found = api<Table>("GET", `/api/replays/${encodeURIComponent(id)}/at/${number}`);
        kept.current.set(number, found);
        found.catch(() => kept.current.delete(number));
      }
      return found;
    },
    [id],
  );
  useEffect(() => {
    let live = true;
    fetched(at).then(
      (table) => {
        if (!live) return;
        setShown(table);
        setError(null);
        for (const next of [at + 1, at + 2]) if (next <= last) fetched(next).catch(() => null);
      },
      (problem: unknown) => live && setError(problem instanceof Error ? problem.message : String(problem)),
    );
    return () => {
      live = false;
    };
  }, [fetched, at, last]);
  return { table: shown, error };
}

function useKeys(shown: number, last: number, points: readonly number[], go: (to: number) => void, toggle: () => void) {
  // Keys may come faster than effects are renewed.
  const now = useRef(shown);
  now.current = shown;
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = now.current;
      const inside = event.target instanceof HTMLElement && event.target.closest("button, a, dialog") !== null;
      const moves: Record<string, () => void> = {
        ArrowRight: () => go(at + 1),
        ArrowLeft: () => go(at - 1),
        Home: () => go(0),
        End: () => go(last),
        n: () => go(points.find((point) => point > at) ?? last),
        p: () => go([...points].reverse().find((point) => point < at) ?? 0),
        ...(inside ? {} : { " ": toggle }),
      };
      const move = moves[event.key];
      if (!move) return;
      event.preventDefault();
      move();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [last, points, go, toggle]);
}

interface ControlsProps {
  at: number;
  last: number;
  points: readonly number[];
  running: boolean;
  speed: number;
  onSeek: (to: number) => void;
  onRun: (running: boolean) => void;
  onSpeed: (speed: number) => void;
  onTurn: () => void;
}

function Controls(props: ControlsProps) {
  const { at, last, points, onSeek } = props;
  return (
    <div class="replay-controls" role="group" aria-label="Replay">
      <div class="seek">
        {points.map((point) => (
          <button key={point} type="button" class="turning" style={{ left: `calc(0.5rem + (100% - 1rem) * ${point / Math.max(1, last)})` }} title={`Turning point: move ${point}`} aria-label={`To the turning point at move ${point}`} onClick={() => onSeek(point)}>
            ▼
          </button>
        ))}
        <input type="range" min={0} max={last} value={at} aria-label="Move" aria-valuetext={`move ${at} of ${last}`} onInput={(event) => onSeek(Number(event.currentTarget.value))} />
      </div>
      <div class="row">
        {/* Not really disabled: a button that has the focus would swallow the keys. */}
        <div class="actions">
          <Button class="wide-only" onClick={() => onSeek(0)} aria-disabled={at === 0} aria-label="To the start">
            |◀
          </Button>
          <Button onClick={() => onSeek(at - 1)} aria-disabled={at === 0} aria-label="One move back">
            ◀
          </Button>
          <Button kind="primary" onClick={() => props.onRun(!props.running)} aria-disabled={at >= last && !props.running}>
            {props.running ? "Pause" : "Run"}
          </Button>
          <Button onClick={() => onSeek(at + 1)} aria-disabled={at >= last} aria-label="One move on">
            ▶
          </Button>
          <Button class="wide-only" onClick={() => onSeek(last)} aria-disabled={at >= last} aria-label="To the end">
            ▶|
          </Button>
        </div>
        <span class="move-count">
          <span class="wide-only">Move </span>
          <b>{at}</b> of {last}
        </span>
        <Field label="Speed" class="field-inline">
          {(id) => (
            <select id={id} value={props.speed} onChange={(event) => props.onSpeed(Number(event.currentTarget.value))}>
              {SPEEDS.map((speed) => (
                <option key={speed} value={speed}>
                  {speed}×
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button kind="quiet" onClick={props.onTurn} aria-label="Turn the table" title="Turn the table">
          ⇅
        </Button>
        <small class="dim wide-only">← → step · space runs · N and P turning points</small>
      </div>
    </div>
  );
}

/** The log; lines that are still to come are dim, a click goes to the moment. */
function Log(props: { lines: LogLine[]; at: number; onJump: (to: number) => void; table: Table | null }) {
  const list = useRef<HTMLOListElement>(null);
  const current = useMemo(() => props.lines.findLastIndex((line) => line.answer <= props.at), [props.lines, props.at]);
  useEffect(() => {
    const box = list.current;
    const line = box?.children[current];
    if (box && line instanceof HTMLElement) box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [current]);
  return (
    <Section title="Log" class="replay-log-panel">
      <ol class="replay-log" ref={list}>
        {props.lines.map((line, index) => (
          <li key={index}>
            <button type="button" class={line.answer > props.at ? "later" : ""} aria-current={index === current ? "true" : undefined} onClick={() => props.onJump(line.answer)}>
              {arrows(line.text)}
            </button>
          </li>
        ))}
      </ol>
      {props.table && <Edition table={props.table} />}
    </Section>
  );
}

function ForkDialog(props: { id: string; game: string; at: number; onClose: () => void }) {
  const [seat, setSeat] = useState<"0" | "1">("1");
  const [bot, setBot] = useState<string>("greedy");
  const task = useTask();
  const play = () =>
    task.run(async () => {
      await ensureName(someName());
      const info = await api<TableInfo>("POST", `/api/replays/${encodeURIComponent(props.id)}/fork`, { answers: props.at, seat: Number(seat), bot });
      props.onClose();
      navigate(`/table/${info.id}`);
    });
  return (
    <Dialog title={`Play on from move ${props.at}`} onClose={props.onClose}>
      <form
        class="flow"
        onSubmit={(event) => {
          event.preventDefault();
          play();
        }}
      >
        <Choice
          legend="You play"
          value={seat}
          options={[
            { value: "1", label: sideName(1, props.game) },
            { value: "0", label: sideName(0, props.game) },
          ]}
          onChange={setSeat}
        />
        <Choice legend="Against" value={bot} options={BOTS.map((one) => ({ value: one.name, label: one.english, hint: one.says }))} onChange={setBot} />
        <Button type="submit" kind="primary" disabled={task.busy}>
          Play on
        </Button>
        {task.error && <Notice kind="bad">{task.error}</Notice>}
      </form>
    </Dialog>
  );
}
