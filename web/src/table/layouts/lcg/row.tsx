// Cards in a row, on whichever part of the board.

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
      {cards.map((card) => (
        <Unit key={card.id} card={card} />
      ))}
    </div>
  );
}
