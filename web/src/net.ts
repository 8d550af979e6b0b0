// The two ways to the server: `api` for REST, `socket` for matches. Both speak the types of protocol.ts.

import { signal, type Signal } from "@preact/signals";
import { PROTOCOL, type AnswerData, type ClientMessage, type LogLine, type Me, type Motion, type Problem, type ServerMessage, type Table } from "./protocol.js";

/** Who is here; null before a name was given. */
export const me = signal<Me | null>(null);
/** Whether the socket is up. */
export const connected = signal(false);
/** Said by the server on connecting. */
export const messageOfTheDay = signal("");
/** Why the server will not talk to this page any more. */
export const refused = signal<string | null>(null);

// ---- REST ----

/** A failure of the REST interface, with the rule where one stands behind it. Without a status the server did not answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly rule: string | null;
  /** The server that has it instead. */
  readonly moved: string | null;
  constructor(status: number, problem: Problem) {
    super(problem.reason);
    this.status = status;
    this.rule = problem.rule;
    this.moved = problem.moved;
  }
  /** Whether the same request may work a little later. */
  get passes(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Call the REST interface; `path` starts with `/api`. Throws `ApiError`. */
export async function api<T>(method: Method, path: string, body?: unknown, type = "application/json"): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (method !== "GET" && me.value) headers["x-csrf"] = me.value.csrf;
  if (body !== undefined) headers["content-type"] = type;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: type === "application/json" ? JSON.stringify(body) : String(body) }),
    });
  } catch {
    throw new ApiError(0, { reason: "The server cannot be reached.", rule: null, moved: null });
  }
  const text = await response.text();
  const content = parsed(text);
  if (!response.ok) {
    const problem = content as Partial<Problem> | null;
    throw new ApiError(response.status, { reason: problem?.reason ?? (text || response.statusText), rule: problem?.rule ?? null, moved: problem?.moved ?? null });
  }
  return content as T;
}

function parsed(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Ask the server who we are. */
export async function loadMe(): Promise<Me | null> {
  try {
    me.value = await api<Me | null>("GET", "/api/me");
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    me.value = null;
  }
  return me.value;
}

// ---- socket ----

type Said = Extract<ServerMessage, { type: "said" }>;
type Waiting = { ask: number; id: number; answer: AnswerData };

/** One match as this client knows it. */
export type Match = {
  readonly id: string;
  readonly table: Signal<Table | null>;
  readonly log: Signal<LogLine[]>;
  readonly chat: Signal<Said[]>;
  /** Why the server does not let it be followed. */
  readonly absent: Signal<string | null>;
  /** An answer is on its way. */
  readonly waiting: Signal<boolean>;
  /** When the last update came, for clocks (performance.now). */
  readonly updated: Signal<number>;
  /** Called before an update is shown, with what is to be animated. */
  readonly listeners: Set<(moves: Motion[], before: Table | null, after: Table) => void>;
  /** Asked before an update is shown whether it is to wait, and for what; `behind` is how many wait already. */
  curtain: ((moves: Motion[], before: Table, after: Table, behind: number) => Promise<void> | null) | null;
};

/** An update that has come and is not shown yet. */
type Coming = { moves: Motion[]; log: LogLine[]; after: Table; at: number };
type Followed = Match & {
  seq: number;
  /** The server has answered on this line that it is followed. */
  heard: boolean;
  followers: number;
  answers: Waiting[];
  patience: number;
  /** The table as the server has told it last; what is shown may be behind it. */
  latest: Table | null;
  coming: Coming[];
  /** Counts how often all was told anew: what waited before that is not shown any more. */
  edition: number;
  held: boolean;
};
type Listener = (message: ServerMessage) => void;

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8000;

class TableSocket {
  private socket: WebSocket | null = null;
  private ready = false;
  private pause = FIRST_PAUSE;
  private timer = 0;
  private readonly matches = new Map<string, Followed>();
  private readonly listeners = new Set<Listener>();
  /** Answers are told apart by these; a new page starts elsewhere, so that it does not repeat an old one. */
  private nextId = Math.floor(Math.random() * 0x3fffffff);

  /** Hear every message of the server. Returns how to stop. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Follow a match; call the second function when done with it. */
  watch(table: string): [Match, () => void] {
    let match = this.matches.get(table);
    if (!match) {
      match = {
        id: table,
        table: signal<Table | null>(null),
        log: signal<LogLine[]>([]),
        chat: signal<Said[]>([]),
        absent: signal<string | null>(null),
        waiting: signal(false),
        updated: signal(0),
        listeners: new Set(),
        curtain: null,
        seq: 0,
        heard: false,
        followers: 0,
        answers: [],
        patience: 0,
        latest: null,
        coming: [],
        edition: 0,
        held: false,
      };
      this.matches.set(table, match);
      this.connect();
      this.watchAgain(table);
    }
    match.followers += 1;
    const followed = match;
    let done = false;
    return [followed, () => {
      if (done) return;
      done = true;
      followed.followers -= 1;
      if (followed.followers === 0) {
        this.matches.delete(table);
        this.send({ type: "unwatch", table });
      }
    }];
  }

  /** Whether the page follows a match, or would. */
  follows(table: string): boolean {
    return this.matches.has(table);
  }

  /** Ask once more to follow a match that the server had not, or has had elsewhere. Without a line it is asked when there is one. */
  watchAgain(table: string): void {
    const match = this.matches.get(table);
    if (!match || !this.ready) return;
    match.heard = false;
    this.post({ type: "watch", table, since: match.seq });
  }

  /** Answer the ask of a match. It is sent again after a break of the line, until the server has taken it. */
  answer(table: string, ask: number, answer: AnswerData): void {
    const match = this.matches.get(table);
    if (!match) return;
    this.nextId += 1;
    const waiting = { ask, id: this.nextId, answer };
    match.answers.push(waiting);
    match.waiting.value = true;
    this.send({ type: "answer", table, ...waiting });
  }

  /** Send now, or not at all while the line is down. */
  send(message: ClientMessage): boolean {
    if (!this.ready) return false;
    this.post(message);
    return true;
  }

  /** Be known under another name or session: start afresh. */
  reconnect(): void {
    this.socket?.close();
    this.pause = FIRST_PAUSE;
    if (!this.socket) this.connect();
  }

  private post(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private connect(): void {
    if (this.socket || refused.value) return;
    window.clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => this.post({ type: "hello", protocol: PROTOCOL, build: build() });
    socket.onmessage = (event) => {
      const message = parsed(String(event.data)) as ServerMessage | null;
      if (message) this.hear(message);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.ready = false;
      connected.value = false;
      if (this.matches.size > 0) {
        this.timer = window.setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
        this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
      }
    };
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.ready = true;
        this.pause = FIRST_PAUSE;
        connected.value = true;
        messageOfTheDay.value = message.message_of_the_day;
        for (const match of this.matches.values()) {
          this.watchAgain(match.id);
          for (const answer of match.answers) this.post({ type: "answer", table: match.id, ...answer });
        }
        break;
      case "refused":
        refused.value = message.reason;
        break;
      case "update":
        this.update(message);
        break;
      case "accepted":
        this.settled(message.table, message.id);
        break;
      case "rejected":
        if (message.table !== null && message.id !== null) this.settled(message.table, message.id);
        else this.refuse(message.table, message.reason);
        break;
      case "said": {
        const match = this.matches.get(message.table);
        if (match) match.chat.value = [...match.chat.value, message];
        break;
      }
      default:
        break;
    }
    for (const listener of this.listeners) listener(message);
  }

  /** What is refused before a match could be followed is that it is. */
  private refuse(table: string | null, reason: string): void {
    for (const match of this.matches.values()) {
      if (!match.heard && (table ?? match.id) === match.id) match.absent.value = reason;
    }
  }

  private update(message: Extract<ServerMessage, { type: "update" }>): void {
    const match = this.matches.get(message.table);
    if (!match) return;
    match.heard = true;
    match.absent.value = null;
    if (message.base !== 0 && message.base !== match.seq) {
      // Something was missed. Once is enough to ask for.
      if (match.patience !== match.seq + 1) {
        match.patience = match.seq + 1;
        this.post({ type: "watch", table: match.id, since: match.seq });
      }
      return;
    }
    match.patience = 0;
    const fresh = message.base === 0;
    const after = merge(fresh ? undefined : (match.latest as unknown), message.patch) as Table;
    const coming = { moves: message.moves, log: message.log, after, at: performance.now() };
    match.seq = message.seq;
    match.latest = after;
    if (fresh) {
      match.edition += 1;
      match.coming = [];
      match.held = false;
      match.log.value = [];
      this.show(match, coming);
      return;
    }
    match.coming.push(coming);
    this.showComing(match);
  }

  /** Show what has come, in its order, up to what is to wait. */
  private showComing(match: Followed): void {
    while (!match.held) {
      const next = match.coming.shift();
      if (!next) return;
      const before = match.table.value;
      const wait = before ? match.curtain?.(next.moves, before, next.after, match.coming.length) : null;
      if (!wait) {
        this.show(match, next);
        continue;
      }
      match.held = true;
      const edition = match.edition;
      void wait.then(() => {
        if (match.edition !== edition) return;
        match.held = false;
        this.show(match, next);
        this.showComing(match);
      });
    }
  }

  private show(match: Followed, update: Coming): void {
    for (const listener of match.listeners) listener(update.moves, match.table.value, update.after);
    match.updated.value = update.at;
    match.table.value = update.after;
    if (update.log.length > 0) match.log.value = [...match.log.value, ...update.log];
  }

  private settled(table: string, id: number): void {
    const match = this.matches.get(table);
    if (!match) return;
    match.answers = match.answers.filter((answer) => answer.id !== id);
    match.waiting.value = match.answers.length > 0;
  }
}

export const socket = new TableSocket();

function build(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="trilogy-build"]')?.content || null;
}

/** RFC 7396: objects are merged key by key, null removes a key, anything else replaces. */
export function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
