// A game within the game, or a tally: the lines of both players, and between them what it is and how it is won.

import { CardBack, zoomProps } from "../../../card.js";
import type { Card } from "../../../protocol.js";
import { usePlay } from "../../play.js";
import { scenesOf, type SceneSide, type SceneState } from "../../scenes.js";
import { Unit, nameOf } from "../../unit.js";

export function Scenes() {
  const { table, layout } = usePlay();
  return <>{table ? scenesOf(table, layout.about.scenes).map((state) => <Scene key={state.scene.name} state={state} />) : null}</>;
}

function Scene({ state }: { state: SceneState }) {
  const play = usePlay();
  const { scene, card, goal, total, steps } = state;
  const [theirs, mine] = state.sides;
  const goalSays = goal !== null && scene.goal ? scene.goal.says.replace("{n}", `${goal}`) : "";
  return (
    <section class="battle scene" aria-label={scene.name}>
      <Side state={state} side={theirs} />
      <div class="battle-middle">
        <small>{scene.name}</small>
        {card ? <b>{nameOf(play, card)}</b> : null}
        {steps.length > 0 ? <span class="scene-steps">{steps.map((step) => <span key={step.name} class={step.now ? "now" : ""} aria-current={step.now ? "step" : undefined}>{step.name}</span>)}</span> : null}
        {scene.total && total ? <span class="scene-total">{scene.total.label} <b>{total}</b></span> : null}
        {goalSays ? <b class="scene-goal">{goalSays}</b> : null}
        <span class="scene-says">{scene.says}.</span>
      </div>
      <Side state={state} side={mine} own />
    </section>
  );
}

function Side({ state, side, own = false }: { state: SceneState; side: SceneSide; own?: boolean }) {
  const { scene, goal } = state;
  const held = scene.cards.some((cards) => "zone" in cards);
  const last = side.parts.at(-1);
  // Whoever has no part in it is not named; the place stays.
  if (side.who.length + side.cards.length + side.hidden + side.parts.length + side.badges.length === 0) return <div class="battle-side none" />;
  return (
    <div class={`battle-side side-${side.side} ${own ? "own" : ""}`} role="group" aria-label={wordsOf(side)}>
      <b class="battle-name">
        {side.name}
        {side.badges.map((badge) => <span key={badge} class="scene-badge">{badge}</span>)}
      </b>
      {side.who.length > 0 ? <span class="scene-who">{side.who.map((card) => <Name key={card.id} card={card} />)}</span> : null}
      <dl class="battle-sum">
        {scene.worth && side.cards.length + side.hidden > 0 ? <Part name={scene.worth.label} number={side.worth} /> : null}
        {side.parts.map((part) => <Part key={part.label} name={part.label} title={part.title} number={part.number} class={part === last ? "sum" : ""} />)}
      </dl>
      {goal !== null && last && !held ? <meter class="scene-track" min={0} max={goal + 1} value={Math.min(last.number, goal + 1)} aria-hidden="true" /> : null}
      {side.cards.length + side.hidden > 0 ? <Cards side={side} held={held} label={scene.cards_label} /> : null}
    </div>
  );
}

/** Cards that lie nowhere else are drawn and can be chosen; the others lie on the board, and are named. */
function Cards({ side, held, label }: { side: SceneSide; held: boolean; label: string | null }) {
  if (!held) return <span class="scene-chips">{label ? <small>{label}</small> : null}{side.cards.map((card) => <Chip key={card.id} card={card} />)}</span>;
  return (
    <div class="scene-hand">
      {side.cards.map((card) => <Unit key={card.id} card={card} />)}
      {Array.from({ length: side.hidden }, (_, at) => <CardBack key={at} size="small" side={side.side} />)}
      {side.hidden > 0 ? <small>{side.hidden} {side.hidden === 1 ? "card" : "cards"} face down</small> : null}
    </div>
  );
}

function Name({ card }: { card: Card }) {
  const play = usePlay();
  return <span class="scene-name" {...zoomProps(play.info(card), card, () => play.look(card.id))}>{nameOf(play, card)}</span>;
}

/** With the number in its corner. */
function Chip({ card }: { card: Card }) {
  const play = usePlay();
  const { layout } = play;
  const number = layout.about.corner === null ? undefined : card.values[layout.about.corner];
  return (
    <span class="scene-chip" {...zoomProps(play.info(card), card, () => play.look(card.id))}>
      {!card.key ? "face down" : <>{number === undefined ? null : <b>{number}</b>} {nameOf(play, card)}{card.facedown ? " (face down)" : ""}</>}
    </span>
  );
}

function Part({ name, title = name, number, class: more = "" }: { name: string; title?: string; number: number | null; class?: string }) {
  return (
    <div class={more} title={title}>
      <dt>{name}</dt>
      <dd><b key={number}>{number ?? "?"}</b></dd>
    </div>
  );
}

function wordsOf(side: SceneSide): string {
  return [side.name, ...side.badges, ...side.parts.map((part) => `${part.label} ${part.number}`), ...(side.hidden > 0 ? [`${side.hidden} cards face down`] : [])].join(", ");
}
