// What is asked now and how to answer it without a card: buttons, a number, a confirmation.

import { socket } from "../net.js";
import { Link } from "../router.js";
import { arrows, Button, toast } from "../ui.js";
import { CardFace, inWords, zoomProps } from "../card.js";
import type { Choice, Question } from "../protocol.js";
import { isDrawn, isSeat, isSingle, optionsOf } from "./model.js";
import { usePlay } from "./play.js";

export function Prompt() {
  const play = usePlay();
  const { table } = play;
  if (!table) return null;
  const question = play.question.value;
  const state = question ? "yours" : "waits";
  return (
    <section class={`prompt ${state} ${play.sent.value ? "sent" : ""}`} aria-label="What is asked" data-ask={table.ask?.number}>
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
      <FreeOptions question={question} />
      {play.canPass() && (single || play.picked.value.length === 0) ? (
        <Button kind={question.options.length === 0 ? "primary" : "plain"} class="pass" data-nav onClick={() => void play.pass()}>
          {play.layout.pass(question.prompt)} <kbd>P</kbd>
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

/** Options that no card on the table stands for; where an order is asked all of them, since one card may have several. */
function FreeOptions({ question }: { question: Question }) {
  const play = usePlay();
  const table = play.table;
  if (!table) return null;
  const free = optionsOf(question)
    .map((option, at) => [option, at] as const)
    .filter(([option]) => question.kind === "order" || typeof option.card !== "number" || !isDrawn(table, play.layout, table.cards[String(option.card)]));
  return (
    <>
      {free.map(([option, at], place) => (
        <FreeOption key={at} option={option} at={at} place={place} ordered={question.kind === "order"} />
      ))}
    </>
  );
}

function FreeOption({ option, at, place, ordered }: { option: Choice; at: number; place: number; ordered: boolean }) {
  const play = usePlay();
  const card = typeof option.card === "number" ? play.card(option.card) : undefined;
  const info = play.info(card);
  const picked = play.picked.value.includes(at);
  if (ordered) {
    const turn = play.picked.value.indexOf(at) + 1;
    return (
      <Button data-nav class={`in-order ${picked ? "picked" : ""}`} aria-pressed={picked} onClick={() => play.choose(at)} {...zoomProps(info, card)}>
        <span class="turn">{turn || "–"}</span> {arrows(option.label)}
      </Button>
    );
  }
  if (info) {
    return (
      <button type="button" class={`card-option ${picked ? "picked" : ""}`} data-nav aria-pressed={picked} onClick={() => play.choose(at)} {...zoomProps(info, card)}>
        <span class="unseen">{option.label}: {inWords(info, card)}</span>
        <CardFace info={info} size="small" live={card} />
      </button>
    );
  }
  return (
    <Button data-nav class={picked ? "picked" : ""} aria-pressed={picked ? true : undefined} onClick={() => play.choose(at)}>
      {arrows(wordsOf(play, option))} {place < 9 ? <kbd>{place + 1}</kbd> : null}
    </Button>
  );
}

/** What an option is called; a card that is only counted by the pile it lies on. */
export function wordsOf(play: ReturnType<typeof usePlay>, option: Choice): string {
  const zone = option.zone ? play.table?.zones[option.zone] : undefined;
  const known = typeof option.card === "number" && !!play.card(option.card)?.key;
  if (!zone || known) return option.label;
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
        onKeyDown={(event) => {
          if (event.key === "Enter") play.confirm();
        }}
      />
      <Button class="icon" aria-label="One more" disabled={value >= most} onClick={() => set(value + 1)}>+</Button>
      <output class="amount">{value}<small>/{most}</small></output>
      <Button kind="primary" onClick={() => play.confirm()}>Confirm <kbd>↵</kbd></Button>
    </div>
  );
}
