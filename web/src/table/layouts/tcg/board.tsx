// The board: three arenas and the build zones, the opponent's half above one's own, and what is being played between.

import type { Card } from "../../../protocol.js";
import { cardsIn, otherSeat, ownSeat, unitsIn } from "../../model.js";
import { usePlay } from "../../play.js";
import { Unit } from "../../unit.js";
import { ARENAS, BUILD, MIDDLE } from "./zones.js";

export function Board() {
  const { table, layout } = usePlay();
  if (!table) return null;
  const now = layout.placeNow(table);
  const [mine, theirs] = [`${BUILD}.${ownSeat(table)}`, `${BUILD}.${otherSeat(table)}`];
  return (
    // On a phone it scrolls sideways: the Tab key comes here also while no card lies there.
    <div class="board" role="group" aria-label="Board" tabIndex={0} data-board data-scroll>
      {ARENAS.map((arena) => (
        <section key={arena.zone} class={`arena ${arena.zone} ${now === arena.zone ? "now" : ""}`} aria-label={`${arena.name} arena`} data-place={arena.zone}>
          <Half of="theirs" label={`Opponent's units in ${arena.name}`} cards={unitsIn(table, arena.zone, otherSeat(table))} />
          <h2 class="arena-name">
            <span>{arena.name}</span>
          </h2>
          <Half of="mine" label={`Own units in ${arena.name}`} cards={unitsIn(table, arena.zone, ownSeat(table))} />
        </section>
      ))}
      <section class="arena building" aria-label="Build zones" data-place={BUILD}>
        <Half of="theirs" label="Opponent's build zone" cards={cardsIn(table, theirs)} zone={theirs} />
        <h2 class="arena-name">
          <span>Build</span>
        </h2>
        <Half of="mine" label="Own build zone" cards={cardsIn(table, mine)} zone={mine} />
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
  const { table } = usePlay();
  const cards = table ? MIDDLE.flatMap((zone) => cardsIn(table, zone)) : [];
  if (cards.length === 0) return null;
  return (
    <div class="middle" role="group" aria-label="Being played">
      {cards.map((card) => (
        <Unit key={card.id} card={card} size="normal" />
      ))}
    </div>
  );
}
