// When a player is asked: the ways there are, at the table and for new games.

import type { Stops } from "./protocol.js";

export type KindOfStops = "usual" | "auto" | "full";

/** When a player is asked, by name, and what it means. */
export const STOPS: readonly (readonly [KindOfStops, string, string])[] = [
  ["usual", "The usual stops", "What is not worth asking is answered for you: a chance at which nothing useful can be done, a choice among things that come to the same."],
  ["full", "Full control", "You are asked everything, also where it makes no difference."],
  ["auto", "Pass for me", "Every chance to act is passed, except where you always want to be asked."],
];

export function kindOfStops(stops: Stops): KindOfStops {
  return stops.full_control ? "full" : stops.auto_pass ? "auto" : "usual";
}

export function stopsOf(kind: KindOfStops): Pick<Stops, "full_control" | "auto_pass"> {
  return { full_control: kind === "full", auto_pass: kind === "auto" };
}
