// The battle that goes on: what both sides have, how it adds up, and what is still to be lost.

import { usePlay } from "../../play.js";
import { ownSeat } from "../../model.js";
import { type BattleSide, battleOf, nameIn } from "./read.js";

export function Battle() {
  const { table } = usePlay();
  const battle = table ? battleOf(table) : null;
  if (!table || !battle) return null;
  const [theirs, mine] = battle.sides;
  const settled = theirs.settled;
  const ahead = mine.total - theirs.total;
  const says = settled ? (ahead === 0 ? "A draw" : ahead > 0 ? `You win by ${ahead}` : `You lose by ${-ahead}`) : battle.by === ownSeat(table) ? "You attack" : "You defend";
  return (
    <section class="battle" aria-label={`Battle at ${nameIn(battle.place).name}`}>
      <Side side={theirs} />
      <div class="battle-middle">
        <small>Battle</small>
        <b>{nameIn(battle.place).name}</b>
        <span class={settled ? (ahead > 0 ? "ahead" : ahead < 0 ? "behind" : "") : ""}>{says}</span>
      </div>
      <Side side={mine} own />
    </section>
  );
}

function Side({ side, own = false }: { side: BattleSide; own?: boolean }) {
  return (
    <div class={`battle-side side-${side.side} ${own ? "own" : ""}`} role="group" aria-label={`${side.name}: power ${side.power}, destiny ${side.destiny}, total ${side.total}`}>
      <b class="battle-name">{side.name}</b>
      <dl class="battle-sum">
        <Part name="Power" value={side.power} />
        <Part name={side.drawn > 0 ? `Destiny (${side.drawn})` : side.due > 0 && !side.settled ? `Destiny (${side.due} to draw)` : "Destiny"} value={side.destiny} sign="+" />
        <Part name="Total" value={side.total} sign="=" class="sum" />
      </dl>
      <dl class="battle-loss">
        <Part name="Attrition" value={side.attrition} class={side.attrition > 0 ? "owed" : "none"} />
        <Part name="Damage" value={side.damage} class={side.damage > 0 ? "owed" : "none"} />
      </dl>
    </div>
  );
}

function Part({ name, value, sign = "", class: more = "" }: { name: string; value: number; sign?: string; class?: string }) {
  return (
    <div class={more}>
      <dt>{name}</dt>
      <dd>
        {sign ? <i aria-hidden="true">{sign}</i> : null}
        <b key={value}>{value}</b>
      </dd>
    </div>
  );
}
