// What is asked now and how to answer it without a card: buttons, a number, a confirmation.

import { socket } from "../net.js";
import { Link } from "../router.js";
import { arrows, Button, toast } from "../ui.js";
import { CardFace, inWords, zoomProps, type CardSize } from "../card.js";
import type { Choice, Question } from "../protocol.js";
import { inFull, isSeat, isSingle, optionsOf } from "./model.js";
import { usePlay } from "./play.js";

export function Prompt() {
  const play = usePlay();
  const { table } = play;
  if (!table) return null;
  const question = play.question.value;
  const state = question ? "yours" : "waits";
  return (
    <section class={`prompt ${state} ${play.sent.value ? "sent" : ""} ${play.fresh.value ? "fresh" : ""}`} aria-label="What is asked" data-ask={table.ask?.number}>
      <p class="prompt-text" role="status" aria-live="polite">{question ? question.prompt : waitingText(play)}</p>
      {question ? <Answers question={question} /> : null}
      {table.paused && table.state.is === "playing" && isSeat(table.seat) ? (
        <div class="answers"><Button kind="primary" onClick={() => socket.send({ type: "pause", table: table.id })}>Go on</Button></div>
      ) : null}
      {table.state.is === "open" ? <Invitation id={table.id} seated={isSeat(table.seat)} /> : null}
    </section>
  );
}

/** While a seat is free: its owner hands out the link, others follow it. */
function Invitation({ id, seated }: { id: string; seated: boolean }) {
  const path = `/join/${id}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.origin + path);
      toast("The link is copied. Whoever opens it can sit down.", "good");
    } catch {
      toast(location.origin + path, "plain", 30);
    }
  };
  return <div class="answers">{seated ? <Button kind="primary" onClick={() => void copy()}>Copy the invitation link</Button> : <Link to={path} class="button primary">Sit down</Link>}</div>;
}

function waitingText(play: ReturnType<typeof usePlay>): string {
  const table = play.table;
  if (!table) return "";
  if (table.state.is === "over") return "The game is over.";
  if (table.state.is === "open") return "Waiting for an opponent to sit down.";
  if (table.paused) return "The game is paused.";
  const name = table.ask ? table.seats[table.ask.seat]?.name : undefined;
  return name ? `${name} is thinking …` : "One moment …";
}

function Answers({ question }: { question: Question }) {
  const play = usePlay();
  if (question.kind === "number") return <NumberAsk least={question.least} most={question.most} />;
  const single = isSingle(question);
  return (
    <div class="answers">
      <Ladder question={question} />
      <FreeOptions question={question} />
      {play.canPass() && (single || play.picked.value.length === 0) ? (
        <Button kind={question.options.length === 0 ? "primary" : "plain"} class="pass" data-nav onClick={() => void play.pass()}>
          {play.passWord()} <kbd>P</kbd>
        </Button>
      ) : null}
      {single || (play.canPass() && play.picked.value.length === 0) ? null : (
        <Button kind="primary" data-nav disabled={!play.canConfirm()} onClick={() => play.confirm()}>
          {question.kind === "order" ? "Take this order" : `Confirm ${play.picked.value.length}`} <kbd>↵</kbd>
        </Button>
      )}
    </div>
  );
}

/** Moves that differ in how many only: the number is set, and one button does it. */
function Ladder({ question }: { question: Question }) {
  const play = usePlay();
  const { length } = play.ladder.value;
  const rung = play.rung.value;
  const at = play.ladder.value[rung];
  if (at === undefined) return null;
  return (
    <div class="ladder">
      <Button class="icon" aria-label="One less" disabled={rung === 0} onClick={() => play.climb(rung - 1)}>−</Button>
      <input type="range" data-nav aria-label="How many" min={1} max={length} value={rung + 1} onInput={(event) => play.climb(event.currentTarget.valueAsNumber - 1)} />
      <Button class="icon" aria-label="One more" disabled={rung === length - 1} onClick={() => play.climb(rung + 1)}>+</Button>
      <Button data-nav onClick={() => play.chooseRung()}><Words option={optionsOf(question)[at]} /></Button>
    </div>
  );
}

/** Options that no card on the table stands for; many of them lie above the board. */
function FreeOptions({ question }: { question: Question }) {
  const play = usePlay();
  if (play.gallery.value) return null;
  if (play.long.value) {
    return <Button class="show-choices" data-nav onClick={() => play.bringBack()}>Show all {play.free.value.length}</Button>;
  }
  return (
    <>
      {play.free.value.map((at, place) => (
        <FreeOption key={at} at={at} place={place} question={question} size="small" />
      ))}
    </>
  );
}

export function FreeOption({ question, at, place, size }: { question: Question; at: number; place: number; size: CardSize }) {
  const play = usePlay();
  const option = optionsOf(question)[at];
  if (!option) return null;
  const card = typeof option.card === "number" ? play.card(option.card) : undefined;
  const info = play.info(card);
  const picked = play.picked.value.includes(at);
  const copies = play.copies(at);
  if (question.kind === "order") {
    const turn = play.picked.value.indexOf(at) + 1;
    return (
      <Button data-nav class={`in-order ${picked ? "picked" : ""}`} aria-pressed={picked} onClick={() => play.choose(at)} {...zoomProps(info, card)}>
        <span class="turn">{turn || "–"}</span> <Words option={option} />
      </Button>
    );
  }
  if (info) {
    return (
      <button type="button" class={`card-option ${picked ? "picked" : ""}`} data-nav data-option={at} aria-pressed={picked} onClick={(event) => play.chooseFree(at, event.currentTarget)} {...zoomProps(info, card)}>
        <span class="unseen">{inFull(option)}{copies > 1 ? `, ${copies} alike` : ""}: {inWords(info, card)}</span>
        <CardFace info={info} size={size} live={card} />
        {option.detail ? <span class="option-detail" aria-hidden="true">{option.detail}</span> : null}
        {copies > 1 ? <span class="option-copies" aria-hidden="true">×{copies}</span> : null}
      </button>
    );
  }
  return (
    <Button data-nav data-option={at} class={picked ? "picked" : ""} aria-pressed={picked ? true : undefined} onClick={(event) => play.chooseFree(at, event.currentTarget)}>
      <Words option={option} copies={copies} /> {place < 9 ? <kbd>{place + 1}</kbd> : null}
    </Button>
  );
}

/** An option in words, with what tells it apart and how many come to the same. Below the name of a card, `of`, that card is "it" where the option has another one. */
export function Words({ option, copies = 1, of = "" }: { option: Choice | undefined; copies?: number; of?: string }) {
  const play = usePlay();
  if (!option) return null;
  return (
    <>
      {arrows(of && isSeat(option.target) ? withIt(wordsOf(play, option), of) : wordsOf(play, option))}
      {option.detail ? <small class="option-detail"> ({option.detail})</small> : null}
      {copies > 1 ? <><small class="option-copies" aria-hidden="true"> ×{copies}</small><span class="unseen">, {copies} alike</span></> : null}
    </>
  );
}

/** A sentence with "it" for a name where it comes first; "Luke's Lightsaber" is not Luke. */
function withIt(words: string, name: string): string {
  const at = words.indexOf(name);
  const whole = at >= 0 && !/[\p{L}\p{N}]$/u.test(words.slice(0, at)) && !/^['’\p{L}\p{N}]/u.test(words.slice(at + name.length));
  return whole ? `${words.slice(0, at)}${at === 0 ? "It" : "it"}${words.slice(at + name.length)}` : words;
}

/** What an option is called; a card that is only counted, and not acted with, by the pile it lies on. */
export function wordsOf(play: ReturnType<typeof usePlay>, option: Choice): string {
  const zone = option.zone ? play.table?.zones[option.zone] : undefined;
  const known = typeof option.card === "number" && !!play.card(option.card)?.key;
  if (!zone || known || option.action) return option.label;
  const own = zone.seat === play.table?.seat;
  return own ? zone.english : `Your opponent's ${zone.english}`;
}

function NumberAsk({ least, most }: { least: number; most: number }) {
  const play = usePlay();
  const value = play.number.value;
  const set = (to: number) => (play.number.value = Math.max(least, Math.min(most, to)));
  return (
    <div class="answers amount-ask">
      <Button class="icon" aria-label="One less" disabled={value <= least} onClick={() => set(value - 1)}>−</Button>
      <input
        type="range"
        data-nav
        aria-label="How many"
        min={least}
        max={most}
        value={value}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
      <Button class="icon" aria-label="One more" disabled={value >= most} onClick={() => set(value + 1)}>+</Button>
      <output class="amount">{value}<small>/{most}</small></output>
      <Button kind="primary" onClick={() => play.confirm()}>Confirm <kbd>↵</kbd></Button>
    </div>
  );
}
