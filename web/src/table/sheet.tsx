// A card in detail: large, its numbers with how they come about, and why it cannot be played.

import { CardBack, CardFace } from "../card.js";
import type { Card } from "../protocol.js";
import { arrows, Button, Dialog } from "../ui.js";
import { distinct, optionsFor, optionsOf } from "./model.js";
import { usePlay } from "./play.js";
import { Words } from "./prompt.js";
import { CardWord, RuleLink } from "./rich.js";
import { nameOf } from "./unit.js";

export function Sheet() {
  const play = usePlay();
  const id = play.looked.value;
  const card = id === null ? undefined : play.card(id);
  if (!card) return null;
  const info = play.info(card);
  return (
    <Dialog title={nameOf(play, card)} onClose={() => (play.looked.value = null)} class="wide sheet">
      <div class="sheet-body">
        <div class="sheet-card">{info ? <CardFace info={info} size="large" live={card} /> : <CardBack size="large" />}</div>
        <div class="sheet-text">
          <Moves card={card} />
          <Numbers card={card} />
        </div>
      </div>
    </Dialog>
  );
}

function Moves({ card }: { card: Card }) {
  const play = usePlay();
  const question = play.question.value;
  const options = distinct(question, optionsFor(question, card.id));
  const all = optionsOf(question);
  if (options.length > 0) {
    return (
      <section>
        <h3>What it can do now</h3>
        <div class="stack">
          {options.map((at) => (
            <Button key={at} kind="primary" onClick={() => play.choose(at)}><Words option={all[at]} /></Button>
          ))}
        </div>
      </section>
    );
  }
  return (
    <section aria-live="polite">
      <h3>Why it cannot be played now</h3>
      <Reasons card={card} />
    </section>
  );
}

function Reasons({ card }: { card: Card }) {
  const play = usePlay();
  const table = play.table;
  if (!play.question.value) {
    const asked = table?.ask ? table.seats[table.ask.seat]?.name : undefined;
    return <p>{asked && table?.state.is === "playing" ? `${asked} is to choose now, not you.` : "Nobody is asked anything now."}</p>;
  }
  const reasons = play.reasons.value;
  if (!reasons) return <p class="dim">Asking …</p>;
  const own = reasons.filter((reason) => reason.card === card.id);
  if (own.length === 0) return <p>Nothing that is asked now is about this card: <q>{play.question.value.prompt}</q></p>;
  return (
    <ul class="reasons">
      {own.map((reason, at) => (
        <li key={at}>
          <b>{arrows(reason.move_label)}</b>
          <span>{reason.reason}</span>
          {reason.rule ? <RuleLink rule={reason.rule} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ card }: { card: Card }) {
  const play = usePlay();
  const known = play.layout.about.keywords.filter((word) => card.values[word.name] !== undefined);
  const names = [...play.layout.about.numbers.filter((name) => card.values[name] !== undefined).map((name) => ({ name, label: name.replaceAll("_", " ") })), ...known];
  if (names.length === 0) return null;
  const trace = play.trace.value?.card === card.id ? play.trace.value : null;
  return (
    <section>
      <h3>Numbers</h3>
      <div class="numbers">
        {names.map(({ name, label }) => (
          <button key={name} type="button" class={`number ${trace?.stat === name ? "open" : ""}`} aria-expanded={trace?.stat === name} onClick={() => play.explain(card.id, name)}>
            <small>{label}</small>
            <b>{card.values[name]}</b>
          </button>
        ))}
      </div>
      {trace ? (
        <ul class="trace" aria-live="polite">
          {trace.lines.map((line, at) => (
            <li key={at}>
              <b>{line.change === "=" ? "" : line.change === "x" ? "×" : line.amount >= 0 ? "+" : "−"}{line.change === "+" ? Math.abs(line.amount) : line.amount}</b>
              <span>
                {line.says} {line.card ? <CardWord name={line.card} /> : null} {line.rule ? <RuleLink rule={line.rule} /> : null}
              </span>
            </li>
          ))}
          <li class="sum">
            <b>{trace.value ?? "–"}</b>
            <span>{trace.stat} now</span>
          </li>
        </ul>
      ) : (
        <p class="dim">Choose a number to see how it comes about.</p>
      )}
    </section>
  );
}
