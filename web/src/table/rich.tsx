// Text in which cards and rules are links.

import type { ComponentChildren } from "preact";
import { zoomProps } from "../card.js";
import { Link } from "../router.js";
import { arrows } from "../ui.js";
import { usePlay } from "./play.js";

const RULE = /\b[a-z]{3}\.[a-z]+\.[a-z0-9_]+\b/g;

export function RuleLink({ rule }: { rule: string }) {
  return (
    <Link to={`/rules/${encodeURIComponent(rule)}`} class="rule" target="_blank">
      {rule}
    </Link>
  );
}

/** A line of the log: the cards it names show themselves, rules open. */
export function Rich({ text, cards }: { text: string; cards: readonly string[] }) {
  const keys = [...new Set(cards)].sort((a, b) => b.length - a.length);
  let parts: ComponentChildren[] = [arrows(text)];
  for (const key of keys) parts = split(parts, key, (at) => <CardWord key={`${key}${at}`} name={key} />);
  for (const rule of new Set(text.match(RULE) ?? [])) parts = split(parts, rule, (at) => <RuleLink key={`${rule}${at}`} rule={rule} />);
  return <>{parts}</>;
}

function split(parts: ComponentChildren[], word: string, made: (at: number) => ComponentChildren): ComponentChildren[] {
  return parts.flatMap((part, index) => {
    if (typeof part !== "string") return [part];
    const pieces = part.split(word);
    return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [made(index * 100 + at), piece]));
  });
}

export function CardWord({ name }: { name: string }) {
  const play = usePlay();
  const info = play.cards.value.get(name);
  if (!info) return <b>{name}</b>;
  return (
    <span class={`card-word side-${info.side.toLowerCase()}`} {...zoomProps(info)}>
      {name}
    </span>
  );
}
