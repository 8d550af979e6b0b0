// One card on the table: its face or back, what lies under it, its counters, and whether it can be played.

import { CardBack, CardFace, inWords, zoomProps, type CardSize } from "../card.js";
import { fullTitle } from "../catalogue.js";
import type { Card } from "../protocol.js";
import { dragProps } from "./drag.js";
import { counterMark, counterSays } from "./layouts/about.js";
import { actingCard, ladenWith, optionsFor, optionsOf } from "./model.js";
import { usePlay, type Play } from "./play.js";

type Props = { card: Card; size?: CardSize; under?: boolean };

export function Unit({ card, size = "small", under = false }: Props) {
  const play = usePlay();
  const table = play.table;
  if (!table) return null;
  const info = play.info(card);
  const attached = under ? [] : ladenWith(table, card.id);
  const marks = marksOf(play, card);
  const side = sideOf(table.seats[card.owner]?.side);
  return (
    <div class={`unit ${attached.length > 0 ? "has-under" : ""}`} style={`--under:${attached.length}`}>
      {attached.map((other, at) => (
        <div key={other.id} class={`under ${other.role ?? ""}`} style={`--at:${attached.length - at}`}>
          <Unit card={other} under />
          <RoleTag role={other.role} />
        </div>
      ))}
      <button
        type="button"
        class={`face-of ${marks.classes}`}
        data-card={card.id}
        data-nav
        aria-pressed={marks.picked ? true : undefined}
        onClick={(event) => play.activate(card.id, event.currentTarget)}
        onContextMenu={(event) => {
          event.preventDefault();
          play.look(card.id);
        }}
        {...zoomProps(info, card, () => play.look(card.id))}
        {...dragProps(play, card)}
      >
        <span class="unseen">{labelOf(play, card, marks.words)}</span>
        {info ? <CardFace info={info} size={size} live={card} /> : <CardBack size={size} side={side} />}
        {card.facedown && info ? <span class="veil" aria-hidden="true">face down</span> : null}
        <Counters card={card} tag={under ? undefined : tagOf(play, card)} />
        {marks.order ? <span class="order" aria-hidden="true">{marks.order}</span> : null}
      </button>
    </div>
  );
}

/** What a card is for the one it lies with, where that is worth a word: who flies, who only rides along, who is held. */
function RoleTag({ role }: { role: string | null }) {
  const { layout } = usePlay();
  const tag = layout.about.roles.find((one) => one.name === role)?.tag;
  return tag ? <span class="role-tag" aria-hidden="true">{tag}</span> : null;
}

/** The same for one that lies on nothing that is drawn with it: a place. */
function tagOf({ layout }: Play, card: Card): string | undefined {
  return layout.about.roles.find((one) => one.name === card.role)?.tag ?? undefined;
}

function Counters({ card, tag }: { card: Card; tag: string | undefined }) {
  const { layout } = usePlay();
  const shown = layout.about.counters.flatMap((counter) => {
    const count = card.counters[counter.name];
    return count ? [<span key={counter.name} class={`counter ${counter.name}`}>{counterMark(counter, count, card)}</span>] : [];
  });
  return <span class="counters" aria-hidden="true">{tag ? <span class="counter tagged">{tag}</span> : null}{shown}</span>;
}

type Marks = { classes: string; words: string[]; picked: boolean; order: number };

function marksOf(play: Play, card: Card): Marks {
  const table = play.table;
  const classes: string[] = [];
  const words: string[] = [];
  const mark = (when: boolean, name: string, word?: string) => {
    if (!when) return;
    classes.push(name);
    if (word) words.push(word);
  };
  const options = optionsFor(play.question.value, card.id);
  const order = options.map((option) => play.picked.value.indexOf(option)).find((at) => at >= 0) ?? -1;
  const details = new Set(options.flatMap((option) => optionsOf(play.question.value)[option]?.detail ?? []));
  mark(options.length > 0, "legal", ["can be chosen", ...details].join(", "));
  mark(order >= 0, "picked", "chosen");
  mark(play.layout.spent(card), "tapped");
  mark(!!card.counters.pending, "endangered");
  if (table) {
    const attack = play.layout.attack(table);
    mark(attack?.by === card.id, "attacker", "attacking");
    mark(attack?.on === card.id, "defender", "being attacked");
    mark(actingCard(table, play.layout) === card.id, "acting", "would attack");
    for (const [name, word] of play.layout.marks(table, card)) mark(true, name, word);
    mark(play.isTarget(card.id), "target", "can be the target");
  }
  return { classes: classes.join(" "), words, picked: order >= 0, order: play.question.value?.kind === "order" ? order + 1 : 0 };
}

function labelOf(play: Play, card: Card, words: string[]): string {
  const table = play.table;
  const info = play.info(card);
  const whose = table && card.controller !== (table.seat ?? 0) ? `${table.seats[card.controller]?.name ?? "opponent"}'s ` : "";
  const what = info ? inWords(info, card) : ["card face down", ...play.layout.about.counters.flatMap((counter) => (card.counters[counter.name] ? [counterSays(counter, card.counters[counter.name] ?? 0)] : []))].join(", ");
  const down = card.facedown && info ? ["face down"] : [];
  const pilots = table ? ladenWith(table, card.id).map((other) => `with ${nameOf(play, other)} ${other.role ?? ""}`) : [];
  return [`${whose}${what}`, ...down, ...pilots, ...words].join(", ");
}

export function nameOf(play: Play, card: Card | undefined): string {
  const info = play.info(card);
  return info ? fullTitle(info) : "a card";
}

/** "dark" for "Dark Side". */
export function sideOf(side: string | undefined): string {
  return (side ?? "").toLowerCase().split(" ")[0] ?? "";
}
