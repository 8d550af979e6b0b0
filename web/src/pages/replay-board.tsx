// The table of a replay: the board of a match, drawn from a stored state, with nothing to answer and both hands open.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Match } from "../net.js";
import type { Table } from "../protocol.js";
import { findLayout, noLayout } from "../table/layouts/layout.js";
import { cardsIn } from "../table/model.js";
import { Play, PlayContext, usePlay } from "../table/play.js";
import { PileDialog, SeatBar } from "../table/seatbar.js";
import { Unit } from "../table/unit.js";
import { Notice } from "./common.js";

type Props = { table: Table; bottom: number };

export function ReplayBoard(props: Props) {
  const { game } = props.table;
  return findLayout(game) ? <DrawnBoard {...props} /> : <Notice kind="bad">{noLayout(game)}</Notice>;
}

function DrawnBoard(props: Props) {
  const { table, bottom } = props;
  const play = useMemo(() => new Play(still(table.id), table.game), [table.id, table.game]);
  useEffect(() => {
    // Nobody is asked: whatever is clicked here answers nothing.
    play.match.table.value = { ...table, seat: bottom, ask: table.ask && { ...table.ask, question: null } };
  }, [play, table, bottom]);
  return (
    <PlayContext.Provider value={play}>
      <div class="replay-table">
        <Line seat={1 - bottom} />
        <play.layout.Board />
        <Line seat={bottom} />
        <PileDialog />
      </div>
    </PlayContext.Provider>
  );
}

/** A match that no server updates. */
function still(id: string): Match {
  return { id, table: signal(null), log: signal([]), chat: signal([]), absent: signal(null), waiting: signal(false), updated: signal(0), listeners: new Set(), curtain: null };
}

/** A player with their hand. */
function Line(props: { seat: number }) {
  return (
    <div class="replay-line">
      <SeatBar seat={props.seat} own />
      <OpenHand seat={props.seat} />
    </div>
  );
}

function OpenHand(props: { seat: number }) {
  const { table, layout } = usePlay();
  if (!table) return null;
  const zone = `${layout.about.hand}.${props.seat}`;
  const cards = cardsIn(table, zone);
  const hidden = table.zones[zone]?.hidden ?? 0;
  return (
    <div class="open-hand" role="group" aria-label={`Hand of ${table.seats[props.seat]?.name ?? "the player"}: ${cards.length + hidden} cards`}>
      {cards.map((card) => (
        <Unit key={card.id} card={card} />
      ))}
      {hidden > 0 && <span class="dim">{hidden} hidden</span>}
    </div>
  );
}
