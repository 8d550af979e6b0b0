// The engagement: both lines, their edge stacks, and between them what is fought over and who has the edge.

import { CardFace, inWords, zoomProps } from "../../../card.js";
import type { Card, Table } from "../../../protocol.js";
import { usePlay, type Play } from "../../play.js";
import { sideOf, Unit } from "../../unit.js";
import { type Fight, FIGHT, type FightSide, titleOf } from "./read.js";
import { Row } from "./row.js";

export function Engagement({ fight }: { fight: Fight }) {
  const { table } = usePlay();
  if (!table) return null;
  const [theirs, mine] = fight.sides;
  const width = Math.max(1, ...fight.sides.map((side) => side.units.length));
  return (
    <section class="field fight" aria-label={`Engagement: ${titleOf(fight.at)}`} data-place={FIGHT} style={`--wide:${width + 1}`}>
      <Line of="theirs" side={theirs} />
      <Middle fight={fight} table={table} />
      <Line of="mine" side={mine} />
    </section>
  );
}

function Line({ of, side }: { of: "mine" | "theirs"; side: FightSide }) {
  const who = `${of === "mine" ? "Own" : "Opponent's"} ${side.attacks ? "attackers" : "defenders"}`;
  return (
    <div class={`half line ${of}`}>
      <div class="line-units" role="group" aria-label={`${who}: ${side.units.length}`}>
        {side.units.length > 0 ? <Row cards={side.units} /> : <p class="nobody">{side.attacks ? "No attacker is left" : "No defender"}</p>}
      </div>
      <EdgeStack of={of} side={side} />
    </div>
  );
}

/** Cards of an edge stack: face down until they are turned up, and after the battle what they were. */
function EdgeStack({ of, side }: { of: "mine" | "theirs"; side: FightSide }) {
  const play = usePlay();
  const { table } = play;
  const over = side.stack.length === 0 && side.was.length > 0;
  const cards = over ? side.was : side.stack;
  if (!table || cards.length === 0) return null;
  const who = of === "mine" ? "Own" : "Opponent's";
  return (
    <div class={`edge-stack ${over ? "over" : ""}`} role="group" aria-label={`${who} edge stack: ${cards.length} ${cards.length === 1 ? "card" : "cards"}`} data-zone={`stack.${side.seat}`} style={`--e:${cards.length}`}>
      {over ? cards.map((card) => <Discarded key={card.id} card={card} />) : cards.map((card) => <Unit key={card.id} card={card} />)}
    </div>
  );
}

/** A card of the edge battle that lies in a discard pile by now. */
function Discarded({ card }: { card: Card }) {
  const info = usePlay().info(card);
  if (!info) return null;
  return (
    <div class="unit was" {...zoomProps(info)}>
      <span class="unseen">{inWords(info)}</span>
      <CardFace info={info} size="small" />
    </div>
  );
}

function Middle({ fight, table }: { fight: Fight; table: Table }) {
  const play = usePlay();
  const [theirs, mine] = fight.sides;
  const attacker = table.seats[fight.by];
  return (
    <div class="fight-middle">
      <Edge of="theirs" side={theirs} table={table} play={play} settled={fight.settled} />
      <div class="fight-over">
        <small>{attacker?.name} engages</small>
        <b>{titleOf(fight.at)}</b>
        <span>{stands(fight)}</span>
      </div>
      <Edge of="mine" side={mine} table={table} play={play} settled={fight.settled} />
    </div>
  );
}

function stands(fight: Fight): string {
  const [theirs, mine] = fight.sides;
  if (fight.settled) return mine.hasEdge ? "You have the edge" : theirs.hasEdge ? "The edge is theirs" : "";
  return theirs.stack.length + mine.stack.length > 0 ? "Edge battle" : "";
}

/** Force icons of one side in the edge battle, with those that only their owner knows of. */
function Edge({ of, side, table, play, settled }: { of: "mine" | "theirs"; side: FightSide; table: Table; play: Play; settled: boolean }) {
  const down = side.stack.filter((card) => card.facedown);
  const known = down.reduce((sum, card) => sum + (play.info(card)?.numbers.force ?? 0), 0);
  const hidden = down.filter((card) => !card.key).length;
  const says = [`${of === "mine" ? "Own" : "Opponent's"} Force icons: ${side.shown}`, ...(known > 0 ? [`and ${known} face down`] : []), ...(hidden > 0 ? [`and ${hidden} unknown ${hidden === 1 ? "card" : "cards"}`] : []), ...(side.hasEdge ? ["has the edge"] : [])];
  return (
    <div class={`edge ${of} side-${sideOf(table.seats[side.seat]?.side)} ${side.hasEdge ? "has-edge" : ""} ${settled ? "settled" : ""}`} title={says.join(", ")}>
      <span class="unseen">{says.join(", ")}</span>
      <small aria-hidden="true">{side.hasEdge ? "Edge" : side.attacks ? "Attack" : "Defence"}</small>
      <b key={side.shown} aria-hidden="true">
        {side.shown}
        {known > 0 ? <i>+{known}</i> : null}
        {hidden > 0 ? <i>+?</i> : null}
      </b>
    </div>
  );
}
