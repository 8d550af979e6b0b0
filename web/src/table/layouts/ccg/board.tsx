// The board: locations in a row, grouped by planet, the opponent's cards above each and one's own below; beside them
// the cards that lie at no location; above all the battle that goes on. What is just being played lies outside of it,
// so that it covers no location.

import { artOf } from "../../../art.js";
import { ForceIcons, inWords, zoomProps } from "../../../card.js";
import type { Card, Table } from "../../../protocol.js";
import { cardsIn, ladenWith, optionsFor, otherSeat, ownSeat } from "../../model.js";
import { usePlay, type Play } from "../../play.js";
import { Unit, nameOf, sideOf } from "../../unit.js";
import { Battle } from "./battle.js";
import { Scenes } from "./scene.js";
import { aimedAt, BESIDE, cardVar, fansOf, nameIn, placeKey, planetsOf, sideAt, totalOf, underWay, widthOf } from "./read.js";

export function Board() {
  const { table } = usePlay();
  if (!table) return null;
  const planets = planetsOf(table);
  const stacked = underWay(table);
  const beside = cardsIn(table, BESIDE);
  return (
    <>
      <div class="board ccg" role="group" aria-label="Board" data-board>
        <Battle />
        <Scenes />
        <div class="galaxy" role="group" aria-label="Locations" tabIndex={0} data-scroll data-drop>
          {planets.map((planet) => (
            <section key={placeKey(planet.places[0]?.id ?? 0)} class="planet" aria-label={planet.name} style={`--places:${planet.places.length}`}>
              <h2 class="planet-name"><span>{planet.name}</span></h2>
              <div class="planet-row">
                {planet.places.map((place) => (
                  <Location key={place.id} place={place} />
                ))}
              </div>
            </section>
          ))}
          {planets.length === 0 ? <p class="no-locations">No location lies on the table yet.</p> : null}
          {beside.length > 0 ? <Beside cards={beside} /> : null}
        </div>
      </div>
      {stacked.length > 0 ? <UnderWay cards={stacked} /> : null}
    </>
  );
}

function Location({ place }: { place: Card }) {
  const { table, layout } = usePlay();
  if (!table) return null;
  const [theirs, mine] = [fansOf(table, sideAt(table, place.id, otherSeat(table))), fansOf(table, sideAt(table, place.id, ownSeat(table)))];
  const now = layout.placeNow(table) === placeKey(place.id);
  const { name, planet } = nameIn(place);
  return (
    <section
      class={`site ${now ? "now" : ""} ${name === planet ? "in-space" : ""}`}
      style={`--n:${Math.max(widthOf(theirs), widthOf(mine))}`}
      aria-label={name}
      data-place={placeKey(place.id)}
      data-aim={place.id}
      data-drop
    >
      <Side of="theirs" place={place} fans={theirs} seat={otherSeat(table)} />
      <Tile place={place} />
      <Side of="mine" place={place} fans={mine} seat={ownSeat(table)} />
    </section>
  );
}

/** One side's cards at a location, with what they come to. */
function Side({ of, place, fans, seat }: { of: "mine" | "theirs"; place: Card; fans: Card[][]; seat: number }) {
  const { table } = usePlay();
  if (!table) return null;
  const cards = fans.flat();
  const tall = Math.max(0, ...cards.map((card) => ladenWith(table, card.id).length));
  const who = of === "mine" ? "Own" : "Opponent's";
  return (
    <div class={`half ${of} ${widthOf(fans) > 9 ? "crowded" : ""}`} role="group" aria-label={`${who} cards at ${nameIn(place).name}: ${cards.length}`} style={`--n:${widthOf(fans)};--t:${Math.min(tall, 6)}`}>
      <Units fans={fans} />
      {cards.length > 0 ? <Sums place={place} seat={seat} /> : null}
    </div>
  );
}

/** Cards beside each other; those that are alike overlap. */
function Units({ fans }: { fans: Card[][] }) {
  return (
    <div class="row-of-units">
      {fans.map((fan) => (
        <div key={fan[0]?.id} class={fan.length > 1 ? "fan" : "alone"} style={`--f:${fan.length}`}>
          {fan.map((card) => (
            <Unit key={card.id} card={card} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Sums({ place, seat }: { place: Card; seat: number }) {
  const { table } = usePlay();
  const [power, ability] = [totalOf(place, "total_power", seat), totalOf(place, "total_ability", seat)];
  return (
    <span class={`sums side-${sideOf(table?.seats[seat]?.side)}`} title={`Total power ${power}, total ability ${ability}`}>
      <b aria-hidden="true">{power}</b>
      <i aria-hidden="true">{ability}</i>
      <span class="unseen">total power {power}, total ability {ability}</span>
    </span>
  );
}

/** The location itself: its picture, its name, the Force icons of both sides. */
function Tile({ place }: { place: Card }) {
  const play = usePlay();
  const { table } = play;
  const info = play.info(place);
  if (!table) return null;
  const options = optionsFor(play.question.value, place.id);
  const picked = options.some((at) => play.picked.value.includes(at));
  const target = play.isTarget(place.id);
  return (
    <button
      type="button"
      class={`face-of place ${options.length > 0 ? "legal" : ""} ${picked ? "picked" : ""} ${target ? "target" : ""}`}
      data-card={place.id}
      data-nav
      aria-pressed={picked ? true : undefined}
      onClick={(event) => play.activate(place.id, event.currentTarget)}
      onContextMenu={(event) => {
        event.preventDefault();
        play.look(place.id);
      }}
      {...zoomProps(info, place, () => play.look(place.id))}
    >
      <span class="unseen">{tileWords(play, table, place, [...(options.length > 0 ? ["can be chosen"] : []), ...(target ? ["can be the target"] : [])])}</span>
      {info ? <img class="place-art" src={artOf(info)} alt="" draggable={false} /> : null}
      <Icons table={table} place={place} seat={otherSeat(table)} />
      <span class="place-name card-title" aria-hidden="true">{nameIn(place).name}</span>
      <Icons table={table} place={place} seat={ownSeat(table)} />
      {place.counters.drained ? <span class="place-mark" aria-hidden="true">▽ drained</span> : null}
    </button>
  );
}

function Icons({ table, place, seat }: { table: Table; place: Card; seat: number }) {
  const side = sideOf(table.seats[seat]?.side);
  return (
    <span class={`place-icons ${seat === ownSeat(table) ? "own" : "other"}`} aria-hidden="true">
      <ForceIcons side={side} count={totalOf(place, "icons", seat)} />
    </span>
  );
}

function tileWords(play: Play, table: Table, place: Card, marks: string[]): string {
  const info = play.info(place);
  const icons = table.seats.map((seat, at) => `${totalOf(place, "icons", at)} Force icons for ${seat.side}`);
  return [info ? inWords(info, place) : nameIn(place).name, ...icons, ...marks].join(", ");
}

/** Cards on the table that lie at no location. */
function Beside({ cards }: { cards: Card[] }) {
  const { table } = usePlay();
  if (!table) return null;
  const of = (seat: number) => cards.filter((card) => card.controller === seat);
  const half = (name: "mine" | "theirs", seat: number) => (
    <div class={`half ${name}`} role="group" aria-label={`${name === "mine" ? "Own" : "Opponent's"} cards beside the locations: ${of(seat).length}`} style={`--n:${widthOf(fansOf(table, of(seat)))};--t:${Math.max(0, ...of(seat).map((card) => ladenWith(table, card.id).length))}`}>
      <Units fans={fansOf(table, of(seat))} />
    </div>
  );
  return (
    <section class="planet beside" aria-label="On the table" data-place={BESIDE}>
      <h2 class="planet-name"><span>On the table</span></h2>
      <div class="planet-row">
        <div class="site" style={`--n:${Math.max(1, Math.ceil(cards.length / 2))}`}>
          {half("theirs", otherSeat(table))}
          {half("mine", ownSeat(table))}
        </div>
      </div>
    </section>
  );
}

/** The stack: what is being played or drawn, by whom, and what it is aimed at. */
function UnderWay({ cards }: { cards: Card[] }) {
  const play = usePlay();
  const { table } = play;
  if (!table) return null;
  const now = cardVar(table, "now_card");
  const targets = aimedAt(table).map((id) => nameOf(play, play.card(id)));
  return (
    <div class="under-way" role="group" aria-label="The stack: being played">
      {cards.map((card) => {
        const drawn = card.zone.startsWith("draws.");
        const who = table.seats[card.controller]?.name ?? "";
        return (
          <figure key={card.id} class={now?.id === card.id ? "now" : ""}>
            <figcaption>{drawn ? `${who} draws destiny` : `${who} plays`}</figcaption>
            <Unit card={card} />
            {drawn && table.vars.draw_card === card.id ? <span class="drawn-value">{String(table.vars.draw_value ?? "")}</span> : null}
            {now?.id === card.id && targets.length > 0 ? <small>at {targets.join(", ")}</small> : null}
          </figure>
        );
      })}
    </div>
  );
}
