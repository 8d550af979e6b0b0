// What every page around the table is made of: a frame with a heading, fields, notices, links to rules, and data that
// is fetched once and kept.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import { game, newestOf } from "../games.js";
import { api, ApiError, me, socket } from "../net.js";
import { Link } from "../router.js";
import { Button } from "../ui.js";
import type { Clock, DeckInfo, Me, RuleInfo, TableInfo, VocabularyInfo } from "../protocol.js";

export const BOTS = [
  { name: "random", english: "Random", says: "plays anything that is allowed: easy" },
  { name: "greedy", english: "Greedy", says: "takes what looks best at once: fair" },
] as const;

// ---- data ----

export interface Loaded<T> {
  data: T | undefined;
  error: string | null;
  /** The status of a request that failed. */
  status: number | null;
  reload: () => void;
}

/** Fetch when the page opens, and again every so many seconds while the page is in sight. */
export function useGet<T>(path: string | null, everySeconds = 0): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data?: T; error: unknown }>({ path: null, error: null });
  const latest = useRef(path);
  latest.current = path;
  const load = useCallback(() => {
    if (path === null) return;
    api<T>("GET", path).then(
      (data) => {
        if (latest.current === path) setState({ path, data, error: null });
      },
      (error: unknown) => {
        if (latest.current === path) setState((old) => ({ ...old, path, error }));
      },
    );
  }, [path]);
  useEffect(() => {
    load();
    if (everySeconds === 0) return;
    const timer = setInterval(() => {
      if (!document.hidden) load();
    }, everySeconds * 1000);
    return () => clearInterval(timer);
  }, [load, everySeconds]);
  const { error } = state;
  return {
    data: state.path === path ? state.data : undefined,
    error: error === null ? null : message(error),
    status: error instanceof ApiError ? error.status : null,
    reload: load,
  };
}

const kept = new Map<string, Promise<unknown>>();

/** Fetch what changes with the rules of a game only. */
function once<T>(path: string, edition: string): Promise<T> {
  const name = `${path} ${edition}`;
  let found = kept.get(name);
  if (!found) {
    found = api<T>("GET", path);
    kept.set(name, found);
    found.catch(() => kept.delete(name));
  }
  return found as Promise<T>;
}

function useOnce<T>(what: string, of: string): { data: T | undefined; error: string | null } {
  const path = `/api/${what}/${of}`;
  const edition = newestOf(of);
  const [state, setState] = useState<{ data: T | undefined; error: string | null }>({ data: undefined, error: null });
  useEffect(() => {
    let live = true;
    once<T>(path, edition).then(
      (data) => live && setState({ data, error: null }),
      (error: unknown) => live && setState({ data: undefined, error: message(error) }),
    );
    return () => {
      live = false;
    };
  }, [path, edition]);
  return state;
}

export const useRules = (of = game.value): { data: RuleInfo[] | undefined; error: string | null } => useOnce("rules", of);
export const useVocabulary = (): { data: VocabularyInfo[] | undefined; error: string | null } => useOnce("vocabulary", game.value);
export const useDecks = (of: string | null = game.value): Loaded<DeckInfo[]> => useGet(of === null ? null : `/api/decks/${of}`);

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// ---- who plays ----

/** A name for somebody who has not given one. */
export function someName(): string {
  const known = localStorage.getItem("trilogy.name");
  if (known) return known;
  const pick = (words: readonly string[]): string => words[Math.floor(Math.random() * words.length)] ?? "";
  return `${pick(["Swift", "Quiet", "Lucky", "Bold", "Dusty", "Patient"])} ${pick(["Pilot", "Scout", "Trader", "Smuggler", "Navigator", "Gunner"])} ${10 + Math.floor(Math.random() * 90)}`;
}

/** Play needs a name, not an account: a guest is made where nobody is signed in. */
export async function ensureName(name: string): Promise<Me> {
  if (me.value) return me.value;
  const guest = await newGuest(name.trim() || someName());
  localStorage.setItem("trilogy.name", guest.name);
  become(guest);
  return guest;
}

/** Where the name is taken, one that is like it. */
async function newGuest(name: string): Promise<Me> {
  try {
    return await api<Me>("POST", "/api/guest", { name });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return api<Me>("POST", "/api/guest", { name: `${name.slice(0, 20)} ${100 + Math.floor(Math.random() * 900)}` });
  }
}

/** Another name or session: the socket must know. */
export function become(who: Me | null) {
  me.value = who;
  socket.reconnect();
}

// ---- frame ----

const heard = signal("");

/** Tell those who cannot see the change. */
export function announce(text: string): void {
  heard.value = "";
  setTimeout(() => (heard.value = text), 50);
}

export function Page(props: { title: string; lead?: ComponentChildren; actions?: ComponentChildren; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${props.title} · Trilogy`;
  }, [props.title]);
  return (
    <div class="around">
      <header class="page-head">
        <div>
          <h1>{props.title}</h1>
          {props.lead && <p class="lead">{props.lead}</p>}
        </div>
        {props.actions && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
      <div class="unseen" role="status" aria-live="polite">
        {heard}
      </div>
    </div>
  );
}

export function Section(props: { title: string; id?: string; class?: string; actions?: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ""}`} aria-labelledby={id} id={props.id}>
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.actions && <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}

export function Notice(props: { kind?: "info" | "bad" | "good"; children: ComponentChildren }) {
  const kind = props.kind ?? "info";
  return (
    <p class={`notice notice-${kind}`} role={kind === "bad" ? "alert" : undefined}>
      {props.children}
    </p>
  );
}

/** What went wrong, or that it is not here yet. */
export function Pending(props: { error: string | null; what: string }) {
  return props.error ? (
    <Notice kind="bad">
      {props.what} could not be loaded: {props.error}
    </Notice>
  ) : (
    <p class="pending" aria-busy="true">
      Loading {props.what.toLowerCase()}…
    </p>
  );
}

export function Field(props: { label: string; hint?: string; class?: string; children: (id: string, hint: string | undefined) => ComponentChildren }) {
  const id = useId();
  const hint = props.hint ? `${id}-hint` : undefined;
  return (
    <div class={`field ${props.class ?? ""}`}>
      <label for={id}>{props.label}</label>
      {props.children(id, hint)}
      {props.hint && (
        <small id={hint} class="dim">
          {props.hint}
        </small>
      )}
    </div>
  );
}

export function RuleLink(props: { id: string; children?: ComponentChildren }) {
  return (
    <Link class="rule-link" to={`/rules/${props.id}`}>
      {props.children ?? props.id}
    </Link>
  );
}

/** A choice of few, drawn as a row of buttons. */
export function Choice<T extends string>(props: {
  legend: string;
  value: T;
  options: readonly { value: T; label: string; hint?: string }[];
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{props.legend}</legend>
      <div class="choice-row">
        {props.options.map((option) => (
          <label key={option.value} class={option.value === props.value ? "chosen" : ""}>
            <input type="radio" name={name} value={option.value} checked={option.value === props.value} onChange={() => props.onChange(option.value)} />
            <span>
              {option.label}
              {option.hint && <small class="dim">{option.hint}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Runs something that may be refused; shows that it is under way and what came of it. */
export function useTask(): { busy: boolean; error: string | null; run: (task: () => Promise<void>) => void } {
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const run = useCallback((task: () => Promise<void>) => {
    setState({ busy: true, error: null });
    task().then(
      () => setState({ busy: false, error: null }),
      (error: unknown) => setState({ busy: false, error: message(error) }),
    );
  }, []);
  return { ...state, run };
}

export function CopyButton(props: { text: string | (() => string); children: ComponentChildren; kind?: "plain" | "primary" | "quiet" }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof props.text === "string" ? props.text : props.text());
    setCopied(true);
    announce("Copied");
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button kind={props.kind ?? "plain"} onClick={() => void copy()}>
      {copied ? "Copied ✓" : props.children}
    </Button>
  );
}

export function download(name: string, text: string, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// ---- words ----

export function clockWords(clock: Clock): string {
  switch (clock.kind) {
    case "none":
      return "no clock";
    case "per_move":
      return `${span(clock.seconds)} a move`;
    case "per_player":
      return clock.increment > 0 ? `${span(clock.seconds)} each, +${clock.increment} s` : `${span(clock.seconds)} each`;
  }
}

function span(seconds: number): string {
  return seconds % 60 === 0 && seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
}

export function agoWords(seconds: number): string {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  const [unit, size] = passed < 90 ? (["second", 1] as const) : passed < 5400 ? (["minute", 60] as const) : passed < 129600 ? (["hour", 3600] as const) : (["day", 86400] as const);
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.round(passed / size), unit);
}

export function playersWords(info: TableInfo): string {
  return info.players.map((name) => name ?? "an empty seat").join(" against ");
}
