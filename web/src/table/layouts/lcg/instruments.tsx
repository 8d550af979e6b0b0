// The two things that belong to nobody: the Death Star dial and the Balance of the Force.

import type { Table } from "../../../protocol.js";
import { otherSeat, ownSeat } from "../../model.js";
import { usePlay } from "../../play.js";
import { sideOf } from "../../unit.js";
import { DIAL_END, numberVar, seatVar } from "./read.js";

export function Instruments() {
  const { table } = usePlay();
  if (!table) return null;
  return (
    <div class="instruments" role="group" aria-label="Death Star dial and Balance of the Force">
      <Dial at={numberVar(table, "dial")} damage={numberVar(table, "dial_damage")} />
      <Balance table={table} />
    </div>
  );
}

/** Twelve marks around a station; those that have been passed are lit. */
function Dial({ at, damage }: { at: number; damage: number }) {
  const mark = (index: number) => {
    const turn = ((index + 0.5) / DIAL_END) * Math.PI * 2 - Math.PI / 2;
    const [x, y] = [Math.cos(turn), Math.sin(turn)];
    return `M${(50 + x * 37).toFixed(1)} ${(50 + y * 37).toFixed(1)}L${(50 + x * 46).toFixed(1)} ${(50 + y * 46).toFixed(1)}`;
  };
  const says = `Death Star dial: ${at} of ${DIAL_END}${damage > 0 ? `, ${damage} damage` : ""}`;
  return (
    <div class={`instrument dial ${at >= DIAL_END - 3 ? "near" : ""}`} role="img" aria-label={says} title={says}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="station" cx="50" cy="50" r="33" />
        <path class="trench" d="M17 53h66" />
        <circle class="dish" cx="38" cy="37" r="8" />
        {Array.from({ length: DIAL_END }, (_, index) => (
          <path key={index} class={`mark ${index < at ? "lit" : ""}`} d={mark(index)} />
        ))}
        <text key={at} x="50" y="62">{at}</text>
      </svg>
      <span class="instrument-name" aria-hidden="true">Dial<small>{at}/{DIAL_END}</small></span>
      {damage > 0 ? <span class="counter damage" aria-hidden="true">{damage}</span> : null}
    </div>
  );
}

/** Whose side the Force is on, and what either would bring to the next struggle for it. */
function Balance({ table }: { table: Table }) {
  const seat = seatVar(table, "balance");
  const side = sideOf(table.seats[seat ?? -1]?.side);
  const brings = (of: number) => table.seats[of]?.values.struggling ?? 0;
  const [theirs, mine] = [brings(otherSeat(table)), brings(ownSeat(table))];
  const says = `Balance of the Force: ${side || "nobody"}'s. Force icons in the struggle: own ${mine}, opponent's ${theirs}`;
  return (
    <div class={`instrument force-balance with-${side}`} role="img" aria-label={says} title={says}>
      <span class="struggle theirs" aria-hidden="true">{theirs}</span>
      <svg key={side} viewBox="0 0 100 100" aria-hidden="true">
        <circle class="rim" cx="50" cy="50" r="46" />
        <path class="light-half" d="M50 8a42 42 0 0 1 0 84 21 21 0 0 1 0-42 21 21 0 0 0 0-42z" />
        <path class="dark-half" d="M50 8a42 42 0 0 0 0 84 21 21 0 0 0 0-42 21 21 0 0 1 0-42z" />
        <circle class="of-light" cx="50" cy="71" r="7" />
        <circle class="of-dark" cx="50" cy="29" r="7" />
      </svg>
      <span class="struggle mine" aria-hidden="true">{mine}</span>
      <span class="instrument-name" aria-hidden="true">Balance<small>{side}</small></span>
    </div>
  );
}
