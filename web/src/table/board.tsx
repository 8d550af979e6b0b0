// The board: three arenas and the build zones, the opponent's half above one's own, and what is being played between.

import type { Card } from "../protocol.js";
import { cardsIn, otherSeat, ownSeat, unitsIn } from "./model.js";
import { usePlay } from "./play.js";
import { Unit } from "./unit.js";

export function Board() {
  const { table, layout } = usePlay();
  if (!table) return null;
  const now = layout.arenaNow(table);
  return (
    <div class="board" data-board>
      {layout.arenas.map((arena) => (
        <section key={arena.zone} class={`arena ${arena.zone} ${now === arena.zone ? "now" : ""}`} aria-label={`${arena.name} arena`} data-arena={arena.zone}>
          <Half of="theirs" label={`Opponent's units in ${arena.name}`} cards={unitsIn(table, arena.zone, otherSeat(table))} />
          <h2 class="arena-name">
            <span>{arena.name}</span>
          </h2>
          <Half of="mine" label={`Own units in ${arena.name}`} cards={unitsIn(table, arena.zone, ownSeat(table))} />
        </section>
      ))}
      <section class="arena building" aria-label="Build zones" data-arena={layout.build}>
        <Half of="theirs" label="Opponent's build zone" cards={cardsIn(table, `${layout.build}.${otherSeat(table)}`)} zone={`${layout.build}.${otherSeat(table)}`} />
        <h2 class="arena-name">
          <span>Build</span>
        </h2>
        <Half of="mine" label="Own build zone" cards={cardsIn(table, `${layout.build}.${ownSeat(table)}`)} zone={`${layout.build}.${ownSeat(table)}`} />
      </section>
      <Middle />
    </div>
  );
}

function Half({ of, label, cards, zone }: { of: "mine" | "theirs"; label: string; cards: Card[]; zone?: string }) {
  return (
    <div class={`half ${of}`} role="group" aria-label={`${label}: ${cards.length}`} data-drop data-zone={zone} style={`--n:${Math.max(cards.length, 1)}`}>
      <div class="row-of-units">
        {cards.map((card) => (
          <Unit key={card.id} card={card} />
        ))}
      </div>
    </div>
  );
}

/** Cards that are just being played. */
function Middle() {
  const { table, layout } = usePlay();
  const cards = table ? layout.middle.flatMap((zone) => cardsIn(table, zone)) : [];
  if (cards.length === 0) return null;
  return (
    <div class="middle" role="group" aria-label="Being played">
      {cards.map((card) => (
        <Unit key={card.id} card={card} size="normal" />
      ))}
    </div>
  );
}
