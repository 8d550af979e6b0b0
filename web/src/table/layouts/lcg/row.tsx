// Cards in a row, on whichever part of the board.

import { Fragment } from "preact";
import type { Card } from "../../../protocol.js";
import { ladenWith } from "../../model.js";
import { usePlay } from "../../play.js";
import { Unit } from "../../unit.js";

/** Cards beside each other, as large as lets all fit; what lies on or under a card makes it taller. */
export function Row({ cards }: { cards: Card[] }) {
  const { table } = usePlay();
  const tall = table ? Math.max(0, ...cards.map((card) => ladenWith(table, card.id).length)) : 0;
  return (
    <div class="row-of-units" style={`--n:${Math.max(cards.length, 1)};--t:${Math.min(tall, 6)}`}>
      {cards.map((card, at) => (
        <Fragment key={card.id}>
          {cards.length === 4 && at === 2 ? <span class="row-break" /> : null}
          <Unit card={card} />
        </Fragment>
      ))}
    </div>
  );
}
