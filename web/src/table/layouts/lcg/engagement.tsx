// The engagement: both lines, their edge stacks, and between them what is fought over and who has the edge.

import { CardFace, inWords, zoomProps } from "../../../card.js";
import type { Card, Table } from "../../../protocol.js";
import { usePlay } from "../../play.js";
import { sideOf, Unit } from "../../unit.js";
import { type Fight, FIGHT, type FightSide, titleOf } from "./read.js";
import { Row } from "./row.js";

export function Engagement({ fight }: { fight: Fight }) {
  const { table } = usePlay();
  if (!table) return null;
  const [theirs, mine] = fight.sides;
  const width = Math.max(1, ...fight.sides.map((side) => side.units.length));
  return (
    <section class="theatre fight" aria-label={`Engagement: ${titleOf(fight.at)}`} data-place={FIGHT} style={`--wide:${width + 1}`}>
      <Line of="theirs" side={theirs} settled={fight.settled} />
      <Middle fight={fight} table={table} />
      <Line of="mine" side={mine} settled={fight.settled} />
    </section>
  );
}

function Line({ of, side, settled }: { of: "mine" | "theirs"; side: FightSide; settled: boolean }) {
  const who = `${of === "mine" ? "Own" : "Opponent's"} ${side.attacks ? "attackers" : "defenders"}`;
  return (
    <div class={`half line ${of}`}>
      <div class="line-units" role="group" aria-label={`${who}: ${side.units.length}`}>
        {side.units.length > 0 ? <Row cards={side.units} /> : <p class="nobody">{side.attacks ? "No attacker is left" : settled ? "No defender is left" : "No defender"}</p>}
      </div>
      <EdgeStack of={of} side={side} />
    </div>
  );
}

/** The edge stack: cards face down until they are turned up, and after the battle what they were; with what they come to. */
function EdgeStack({ of, side }: { of: "mine" | "theirs"; side: FightSide }) {
  const over = side.stack.length === 0 && side.was.length > 0;
  const cards = over ? side.was : side.stack;
  const who = of === "mine" ? "Own" : "Opponent's";
  return (
    <div class={`edge-stack ${over ? "over" : ""}`} role="group" aria-label={`${who} edge stack: ${cards.length} ${cards.length === 1 ? "card" : "cards"}`} data-zone={`stack.${side.seat}`} data-drop style={`--e:${Math.max(cards.length, 1)}`}>
      <div class="edge-cards">{cards.map((card) => (over ? <Discarded key={card.id} card={card} /> : <Unit key={card.id} card={card} />))}</div>
      <Edge of={of} side={side} />
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

/** What is fought over, and how it stands. */
function Middle({ fight, table }: { fight: Fight; table: Table }) {
  return (
    <div class="fight-middle">
      <span class="unseen">{table.seats[fight.by]?.name} engages</span>
      <b>{titleOf(fight.at)}</b>
      <span>{stands(fight)}</span>
    </div>
  );
}

function stands(fight: Fight): string {
  const [theirs, mine] = fight.sides;
  if (mine.hasEdge) return "You have the edge";
  if (theirs.hasEdge) return "The edge is theirs";
  return theirs.stack.length + mine.stack.length > 0 ? "Edge battle" : mine.attacks ? "You attack" : "You defend";
}

/** Force icons of one side in the edge battle, with those that only their owner knows of. */
function Edge({ of, side }: { of: "mine" | "theirs"; side: FightSide }) {
  const play = usePlay();
  const down = side.stack.filter((card) => card.facedown);
  const known = down.reduce((sum, card) => sum + (play.info(card)?.numbers.force ?? 0), 0);
  const hidden = down.filter((card) => !card.key).length;
  const says = [`${of === "mine" ? "Own" : "Opponent's"} Force icons: ${side.shown}`, ...(known > 0 ? [`and ${known} face down`] : []), ...(hidden > 0 ? [`and ${hidden} unknown ${hidden === 1 ? "card" : "cards"}`] : []), ...(side.hasEdge ? ["has the edge"] : [])].join(", ");
  return (
    <div class={`edge side-${sideOf(play.table?.seats[side.seat]?.side)} ${side.hasEdge ? "has-edge" : ""}`} title={says}>
      <span class="unseen">{says}</span>
      <small aria-hidden="true">{side.hasEdge ? "Has edge" : "Edge"}</small>
      <b key={side.shown} aria-hidden="true">
        {side.shown}
        {known > 0 ? <i>+{known}</i> : null}
        {hidden > 0 ? <i>+?</i> : null}
      </b>
    </div>
  );
}
