// The viewer's hand as a fan of cards at the bottom.

import { cardsIn, ownSeat } from "./model.js";
import { usePlay } from "./play.js";
import { Unit } from "./unit.js";

export function Hand() {
  const { table, layout } = usePlay();
  if (!table) return null;
  const zone = `${layout.about.hand}.${ownSeat(table)}`;
  const cards = cardsIn(table, zone);
  if (cards.length === 0) return <div class="hand none" data-zone={zone}>No cards in hand</div>;
  return (
    <div class="hand" role="group" aria-label={`Your hand: ${cards.length}`} data-zone={zone} data-drop style={`--n:${cards.length}`}>
      {cards.map((card) => (
        <Unit key={card.id} card={card} size="normal" />
      ))}
    </div>
  );
}
