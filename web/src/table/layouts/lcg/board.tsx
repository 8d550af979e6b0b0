// The board: objectives of both sides, units at home, and while there is an engagement those who take part in it, facing
// each other; beside them the dial and the Balance of the Force. An event that is being played lies outside of it.

import type { Card } from "../../../protocol.js";
import { cardsIn, otherSeat, ownSeat } from "../../model.js";
import { usePlay } from "../../play.js";
import { Unit } from "../../unit.js";
import { Engagement } from "./engagement.js";
import { Instruments } from "./instruments.js";
import { AREA, BASE, baseOf, fightOf, HOME, homeOf, PLAYED, ROW } from "./read.js";
import { Row } from "./row.js";

export function Board() {
  const { table } = usePlay();
  if (!table) return null;
  const fight = fightOf(table);
  const [them, me] = [otherSeat(table), ownSeat(table)];
  const played = cardsIn(table, PLAYED);
  const [theirHome, myHome] = [homeOf(table, them, fight), homeOf(table, me, fight)];
  return (
    <>
      <div class="board lcg" role="group" aria-label="Board" data-board>
        <Instruments />
        {/* On a phone it scrolls sideways: the Tab key comes here also while no card lies there. */}
        <div class="fields" role="group" aria-label="Cards in play" tabIndex={0} data-scroll onFocusCapture={follow}>
          <section class="theatre base" aria-label="Objectives" data-place={BASE}>
            <Half of="theirs" label="Opponent's objectives" cards={baseOf(table, them)} zone={`${ROW}.${them}`} />
            <h2 class="theatre-name"><span>Objectives</span></h2>
            <Half of="mine" label="Own objectives" cards={baseOf(table, me)} zone={`${ROW}.${me}`} />
          </section>
          <section class="theatre home" aria-label="Units" data-place={HOME} style={`--wide:${Math.max(1, theirHome.length, myHome.length)}`}>
            <Half of="theirs" label="Opponent's units" cards={theirHome} zone={`${AREA}.${them}`} />
            <h2 class="theatre-name"><span>{fight ? "At home" : "Units"}</span></h2>
            <Half of="mine" label="Own units" cards={myHome} zone={`${AREA}.${me}`} />
          </section>
          {fight ? <Engagement fight={fight} /> : null}
        </div>
      </div>
      {played.length > 0 ? <Played cards={played} /> : null}
    </>
  );
}

/** What has the focus is seen whole: where one part of the board is shown at a time, it is its own. */
function follow(event: FocusEvent): void {
  const part = event.target instanceof Element ? event.target.closest("[data-place]") : null;
  const scroller = part?.parentElement;
  if (part && scroller && scroller.scrollWidth > scroller.clientWidth) part.scrollIntoView({ block: "nearest", inline: "start", behavior: "instant" });
}

function Half({ of, label, cards, zone }: { of: "mine" | "theirs"; label: string; cards: Card[]; zone: string }) {
  return (
    <div class={`half ${of}`} role="group" aria-label={`${label}: ${cards.length}`} data-drop data-zone={zone}>
      <Row cards={cards} />
    </div>
  );
}

/** Events on their way. */
function Played({ cards }: { cards: Card[] }) {
  const { table } = usePlay();
  return (
    <div class="under-way" role="group" aria-label="Being played">
      {cards.map((card) => (
        <figure key={card.id}>
          <figcaption>{table?.seats[card.controller]?.name ?? ""} plays</figcaption>
          <Unit card={card} />
        </figure>
      ))}
    </div>
  );
}
