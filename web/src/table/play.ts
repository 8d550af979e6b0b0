// One player's (or onlooker's) hold on a match: what is picked so far, which card is looked at, what is sent.

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { unhover } from "../card.js";
import { cardsOf, type Cards } from "../catalogue.js";
import { socket, type Match } from "../net.js";
import type { AnswerData, Card, CardInfo, Question, Reason, ServerMessage, Table, TracePart } from "../protocol.js";
import { confirmPass } from "../settings.js";
import { arrows, asking, complain, confirm, narrow, toast } from "../ui.js";
import { dismiss } from "./effects.js";
import { findLayout, type Layout, noLayout, passing } from "./layouts/layout.js";
import { aimedAt, copiesAmong, distinct, freeOptions, inFull, isSeat, isSingle, ladderOf, onePerCard, optionsBetween, optionsFor, optionsOf, questionOf, warningOf } from "./model.js";

/** `from` is what it was opened from, where the focus goes back to. */
export type Menu = { card: number; options: number[]; from: Element; x: number; y: number };
export type Trace = { card: number; stat: string; value: number | null; lines: TracePart[] };

const NO_CARDS: Cards = new Map();
/** So long after a question has come, keys that answer do nothing: they were meant for the last one. */
const NEW_MS = 400;
/** What the rules call passing where they have no word for it. */
const PLAIN_PASS = "Pass";
/** More options than these, of which no card on the table is one, have a place of their own: wide and narrow. */
const MOST_IN_PROMPT = [5, 3] as const;

export class Play {
  readonly match: Match;
  /** As they were when the match began. */
  readonly cards: ReadonlySignal<Cards>;
  readonly layout: Layout;
  readonly question: ReadonlySignal<Question | null>;
  /** What is asked has been answered already; the server may know, but what comes of it is not here yet. */
  readonly sent: ReadonlySignal<boolean>;
  /** Indices of options chosen so far, where several may be. */
  readonly picked = signal<number[]>([]);
  readonly number = signal(0);
  readonly menu = signal<Menu | null>(null);
  /** The card whose details are open. */
  readonly looked = signal<number | null>(null);
  readonly trace = signal<Trace | null>(null);
  readonly reasons = signal<Reason[] | null>(null);
  /** The card that is being dragged. */
  readonly dragged = signal<number | null>(null);
  /** The question has only just come, and nobody has looked around since. */
  readonly fresh: ReadonlySignal<boolean>;
  /** The ask that has been looked at. */
  private readonly seen = signal<number | null>(null);
  /** Options that no card on the table stands for, those that come to the same once. */
  readonly free: ReadonlySignal<number[]>;
  private readonly everyFree: ReadonlySignal<number[]>;
  /** Moves that differ in how many only, and which of them is set. */
  readonly ladder: ReadonlySignal<number[]>;
  readonly rung = signal(0);
  /** Whether these are too many for the prompt, and lie above the board. */
  readonly long: ReadonlySignal<boolean>;
  readonly gallery: ReadonlySignal<boolean>;
  /** The ask for which they have been put aside, to look at the table. */
  private readonly aside = signal<number | null>(null);
  private freshTimer = 0;
  /** Where a card was dropped: if the next ask is where it goes, that is the answer. */
  private wished: number | null = null;
  /** The ask that was answered last, until another one comes. */
  private readonly answered = signal<number | null>(null);
  private asked = -1;

  constructor(match: Match, game: string) {
    this.match = match;
    this.cards = computed(() => (match.table.value ? cardsOf(game, match.table.value.catalogue).value : NO_CARDS));
    const layout = findLayout(game);
    if (!layout) throw new Error(noLayout(game));
    this.layout = layout;
    this.question = computed(() => {
      const table = match.table.value;
      return table ? questionOf(table) : null;
    });
    this.ladder = computed(() => ladderOf(this.layout, this.question.value));
    this.everyFree = computed(() => {
      const table = match.table.value;
      return table ? freeOptions(table, this.layout, this.question.value).filter((at) => !this.ladder.value.includes(at)) : [];
    });
    this.free = computed(() => onePerCard(this.question.value, distinct(this.question.value, this.everyFree.value)));
    this.long = computed(() => this.free.value.length > MOST_IN_PROMPT[narrow.value ? 1 : 0]);
    this.gallery = computed(() => this.long.value && this.aside.value !== match.table.value?.ask?.number);
    this.fresh = computed(() => this.question.value !== null && this.seen.value !== match.table.value?.ask?.number);
    this.sent = computed(() => match.waiting.value || (this.answered.value !== null && this.answered.value === match.table.value?.ask?.number));
  }

  get table(): Table | null {
    return this.match.table.value;
  }

  info(card: Card | undefined): CardInfo | undefined {
    return card?.key ? this.cards.value.get(card.key) : undefined;
  }

  card(id: number): Card | undefined {
    return this.table?.cards[String(id)];
  }

  /** How many free options come to the same as one of them. */
  copies(option: number): number {
    return copiesAmong(this.question.value, this.everyFree.value, option);
  }

  /** Whether no card on the table stands for an option. */
  isFree(option: number): boolean {
    return this.everyFree.value.includes(option);
  }

  /** What passing is called: the rules' own word where they have one. */
  passWord(): string {
    const { table, question } = this;
    const own = question.value?.kind === "pick" ? question.value.pass?.label : undefined;
    if (own && own !== PLAIN_PASS) return own;
    return table ? passing(table, this.layout.about) : PLAIN_PASS;
  }

  /** A new ask: forget what was begun for the last one. */
  renew(): void {
    const number = this.table?.ask?.number ?? -1;
    if (number === this.asked) return;
    this.asked = number;
    this.answered.value = null;
    const question = this.question.peek();
    window.clearTimeout(this.freshTimer);
    if (question) this.freshTimer = window.setTimeout(() => this.lookAround(), NEW_MS);
    else this.lookAround();
    this.picked.value = [];
    this.rung.value = 0;
    this.menu.value = null;
    this.reasons.value = null;
    if (question?.kind === "number") this.number.value = question.most;
    const wish = this.wished;
    this.wished = null;
    const fitting = wish === null ? [] : distinct(question, optionsFor(question, wish));
    if (question && isSingle(question) && fitting.length === 1 && fitting[0] !== undefined) this.choose(fitting[0]);
  }

  /** What is asked has been seen. */
  lookAround(): void {
    this.seen.value = this.table?.ask?.number ?? null;
  }

  /** Look at the table below many options, and come back to them. */
  putAside(): void {
    this.aside.value = this.table?.ask?.number ?? null;
  }

  bringBack(): void {
    this.aside.value = null;
  }

  /** A card was dropped at a place: play it, and go there if that is asked next. Where it goes is never guessed: if it is a part of the move, it is offered. */
  dropAt(card: number, place: number | null, at: Element): void {
    const question = this.question.value;
    const options = optionsFor(question, card);
    const aimed = options.some((option) => isSeat(optionsOf(question)[option]?.target));
    this.wished = aimed ? null : place;
    if (aimed) this.offer(card, options, at);
    else this.activate(card, at);
  }

  /** Nothing of the menu is wanted, nor where its card was dropped. */
  closeMenu(): void {
    this.menu.value = null;
    this.wished = null;
  }

  // ---- answers ----

  /** Give an answer; one that is regretted easily is asked for once more. */
  answer(data: AnswerData): void {
    const question = this.question.value;
    const warning = question ? warningOf(question, data) : null;
    this.menu.value = null;
    if (asking()) return;
    if (question && warning) void this.warn(question, data, warning);
    else this.give(data);
  }

  private async warn(question: Question, data: AnswerData, warning: string): Promise<void> {
    if (!(await confirm(this.inWords(question, data), warning, "Yes, do it"))) return;
    // Something else may be asked by now.
    if (this.question.value === question) this.give(data);
  }

  private inWords(question: Question, data: AnswerData): string {
    if ("number" in data) return `${question.prompt} ${data.number}`;
    if (data.pick.length === 0) return this.passWord();
    return data.pick.map((at) => arrows(inFull(optionsOf(question)[at]))).join(", ");
  }

  private give(data: AnswerData): void {
    const table = this.table;
    const ask = table?.ask;
    if (!table || !ask || !this.question.value || this.answered.value === ask.number) return;
    this.answered.value = ask.number;
    this.looked.value = null;
    dismiss();
    socket.answer(table.id, ask.number, data);
  }

  choose(option: number): void {
    const question = this.question.value;
    if (!question) return;
    if (isSingle(question)) this.answer({ pick: [option] });
    else this.toggle(option);
  }

  toggle(option: number): void {
    const question = this.question.value;
    this.menu.value = null;
    const picked = this.picked.value;
    if (picked.includes(option)) {
      this.picked.value = picked.filter((other) => other !== option);
      return;
    }
    const most = question?.kind === "pick" ? question.most : Infinity;
    if (picked.length >= most) {
      toast(`At most ${most} can be chosen.`);
      return;
    }
    this.picked.value = [...picked, option];
  }

  /** Set how many, where moves differ in that. */
  climb(to: number): void {
    this.rung.value = Math.max(0, Math.min(this.ladder.value.length - 1, to));
  }

  /** The move for the number that is set. */
  chooseRung(): void {
    const option = this.ladder.value[this.rung.value];
    if (option !== undefined) this.choose(option);
  }

  canConfirm(): boolean {
    const question = this.question.value;
    const count = this.picked.value.length;
    if (question?.kind === "pick") return count >= question.least && count <= question.most;
    if (question?.kind === "order") return true;
    return question?.kind === "number";
  }

  confirm(): void {
    if (!this.canConfirm()) return;
    if (this.question.value?.kind === "number") this.answer({ number: this.number.value });
    else this.answer({ pick: this.inOrder() });
  }

  /** What is picked; where an order is asked, what is left follows as it stands. */
  private inOrder(): number[] {
    const question = this.question.value;
    const picked = this.picked.value;
    if (question?.kind !== "order") return picked;
    return [...picked, ...question.options.map((_, at) => at).filter((at) => !picked.includes(at))];
  }

  canPass(): boolean {
    const question = this.question.value;
    return question?.kind === "pick" && question.least === 0;
  }

  async pass(): Promise<void> {
    if (!this.canPass() || asking()) return;
    const question = this.question.value;
    const could = optionsOf(question).length > 0;
    const warned = question && warningOf(question, { pick: [] });
    if (confirmPass.value && could && !warned && !(await confirm("Pass?", `There is something that you could do: ${question?.prompt}`, "Pass"))) return;
    // Something else may be asked by now.
    if (this.question.value === question) this.answer({ pick: [] });
  }

  /** A card was clicked, tapped or chosen by key: play its only move, offer several, or say why there is none. */
  activate(card: number, at: Element): void {
    const open = this.menu.value;
    const aimed = open ? aimedAt(this.question.value, open.options, card) : [];
    const options = optionsFor(this.question.value, card);
    if (open && aimed.length > 0) this.chooseAmong(open.card, aimed, at);
    else if (options.length > 0) this.chooseAmong(card, options, at);
    else this.look(card);
  }

  /** An option that no card on the table stands for was chosen; one of a card that has several targets asks which. */
  chooseFree(option: number, at: Element): void {
    const question = this.question.value;
    const chosen = optionsOf(question)[option];
    if (question && isSingle(question) && chosen && isSeat(chosen.card) && isSeat(chosen.target)) {
      this.chooseAmong(chosen.card, optionsFor(question, chosen.card).filter((one) => isSeat(optionsOf(question)[one]?.target)), at);
    } else {
      this.choose(option);
    }
  }

  /** A card was dropped on another one. */
  aim(from: number, to: number, at: Element): boolean {
    const table = this.table;
    const options = table ? optionsBetween(table, this.layout, from, to) : [];
    if (options.length > 0) this.chooseAmong(from, options, at);
    return options.length > 0;
  }

  /** Choose one of some options; where they do not come to the same a menu asks which. */
  chooseAmong(card: number, options: number[], at: Element): void {
    const [first, ...others] = distinct(this.question.value, options);
    if (first !== undefined && others.length === 0) this.choose(first);
    else this.offer(card, options, at);
  }

  /** Whether a card can be chosen as the target of what is being dragged, or of the card whose menu is open. */
  isTarget(card: number): boolean {
    const { table } = this;
    const dragged = this.dragged.value;
    const menu = this.menu.value;
    if (!table) return false;
    return dragged === null ? menu !== null && aimedAt(this.question.value, menu.options, card).length > 0 : optionsBetween(table, this.layout, dragged, card).length > 0;
  }

  private offer(card: number, options: number[], at: Element): void {
    const box = at.getBoundingClientRect();
    unhover();
    this.menu.value = { card, options, from: at, x: box.left + box.width / 2, y: box.top };
  }

  // ---- what else is asked of the server ----

  look(card: number): void {
    this.looked.value = card;
    this.trace.value = null;
    const table = this.table;
    if (table && this.question.value && this.reasons.value === null) socket.send({ type: "why_not", table: table.id });
  }

  explain(card: number, stat: string): void {
    const table = this.table;
    if (table) socket.send({ type: "trace_value", table: table.id, card, stat });
  }

  hear(message: ServerMessage): void {
    if (message.type === "reasons" && message.table === this.match.id) this.reasons.value = message.reasons;
    else if (message.type === "trace" && message.table === this.match.id) this.trace.value = message;
    else if (message.type === "said" && message.table === this.match.id && message.by === "") toast(message.text);
    else if (message.type === "rejected" && (message.table ?? this.match.id) === this.match.id) {
      this.answered.value = null;
      // What is wrong with the whole match is said in its place.
      if (this.match.absent.value === null) complain(new Error(message.rule ? `${message.reason} (${message.rule})` : message.reason));
    }
  }
}

export const PlayContext = createContext<Play | null>(null);

export function usePlay(): Play {
  const play = useContext(PlayContext);
  if (!play) throw new Error("no table around this part");
  return play;
}
