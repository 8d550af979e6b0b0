// What a deck is made of, drawn: how many cards of each type, and what they cost.

import type { CardInfo } from "../protocol.js";
import type { About } from "../table/layouts/about.js";

interface Row {
  card: CardInfo;
  count: number;
}

export function countOf(rows: readonly Row[], passes: (card: CardInfo) => boolean): number {
  return rows.reduce((sum, row) => sum + (passes(row.card) ? row.count : 0), 0);
}

/** Cards per type; where a game asks for a balance, a line marks what each needs, and the share that is still allowed. */
export function TypeBars(props: { rows: readonly Row[]; about: About }) {
  const { kinds: needed = [], least = 0 } = props.about.balance ?? {};
  const counts = props.about.kinds.map((kind) => ({ kind, count: countOf(props.rows, (card) => card.kind === kind) }));
  const shown = counts.filter(({ kind, count }) => needed.includes(kind) || count > 0);
  const units = shown.filter(({ kind }) => needed.includes(kind)).map(({ count }) => count);
  const allowed = 2 * Math.min(...units);
  const longest = Math.max(least * 2, 1, ...shown.map(({ count }) => count));
  const width = (count: number) => (count / longest) * 182;
  const said = shown.map(({ kind, count }) => `${kind} ${count}`).join(", ");
  return (
    <figure class="chart">
      <figcaption>Types</figcaption>
      <svg viewBox={`0 0 300 ${shown.length * 22}`} role="img" aria-label={`Cards per type: ${said}`}>
        {shown.map(({ kind, count }, at) => {
          const unit = needed.includes(kind);
          const wrong = unit && (count < least || count > allowed);
          return (
            <g key={kind} transform={`translate(0 ${at * 22})`}>
              <text x="0" y="15">
                {kind}
              </text>
              <rect class={`bar kind-${kind.toLowerCase()} ${wrong ? "wrong" : ""}`} x="86" y="3" width={Math.max(1, width(count))} height="16" rx="3" />
              {unit && <line class="mark-line" x1={86 + width(least)} x2={86 + width(least)} y1="0" y2="22" />}
              <text x={Math.min(92 + width(count), 276)} y="15" class={wrong ? "bad" : ""}>
                {count}
                {unit && count < least ? ` of ${least}` : ""}
              </text>
            </g>
          );
        })}
      </svg>
      {props.about.balance && (
        <small class="dim">
          Each kind of unit needs {least}, and none may have more than twice as many as another (here: {allowed} at most).
        </small>
      )}
    </figure>
  );
}

/** How many cards cost how much. */
export function CostCurve(props: { rows: readonly Row[]; about: About }) {
  const most = Math.max(8, ...props.rows.map((row) => row.card.numbers[props.about.cost] ?? 0));
  const costs = Array.from({ length: most + 1 }, (_, cost) => countOf(props.rows, (card) => card.numbers[props.about.cost] === cost));
  const highest = Math.max(4, ...costs);
  const step = 300 / costs.length;
  const paid = props.rows.filter((row) => row.card.numbers[props.about.cost] !== undefined);
  const cards = countOf(paid, () => true);
  const mean = cards === 0 ? 0 : paid.reduce((sum, row) => sum + (row.card.numbers[props.about.cost] ?? 0) * row.count, 0) / cards;
  return (
    <figure class="chart">
      <figcaption>{props.about.cost_name}, {mean.toFixed(1)} on average</figcaption>
      <svg viewBox="0 0 300 110" role="img" aria-label={`Cards by cost: ${costs.map((count, cost) => (count > 0 ? `${count} at ${cost}` : "")).filter(Boolean).join(", ")}`}>
        {costs.map((count, cost) => {
          const height = (count / highest) * 76;
          return (
            <g key={cost} transform={`translate(${cost * step} 0)`}>
              {count > 0 && <rect class="bar" x={step * 0.14} y={90 - height} width={step * 0.72} height={height} rx="2" />}
              {count > 0 && (
                <text x={step / 2} y={86 - height} class="centred">
                  {count}
                </text>
              )}
              <text x={step / 2} y="105" class="centred dim">
                {cost}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
