// What a person has chosen on this device; kept in the browser's own storage.

import { effect, signal, type Signal } from "@preact/signals";
import type { Stops } from "./protocol.js";

export type Theme = "system" | "dark" | "light";

export function kept<T>(key: string, fallback: T): Signal<T> {
  const name = `trilogy.${key}`;
  let first = fallback;
  try {
    const text = localStorage.getItem(name);
    if (text !== null) first = JSON.parse(text) as T;
  } catch {
    // Storage that is closed or holds nonsense is as good as empty.
  }
  const value = signal(first);
  effect(() => {
    try {
      localStorage.setItem(name, JSON.stringify(value.value));
    } catch {
      // Then it lasts for this visit only.
    }
  });
  return value;
}

export const theme = kept<Theme>("theme", "system");
export const animations = kept("animations", true);
/** Ask once more before passing where something could be done. */
export const confirmPass = kept("confirmPass", false);
/** How fast things move, 1 is usual. */
export const pace = kept("pace", 1);
/** How much larger than usual enlarged cards are, with the text on them. */
export const textSize = kept("textSize", 1);
/** What a new match is told about stops and passing. */
export const stopsWanted = kept<Stops>("stops", { full_control: false, auto_pass: false, except: [] });
/** Names whose chat is not shown. */
export const muted = kept<string[]>("muted", []);

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

export function motionWanted(): boolean {
  return animations.value && !lessMotion.matches;
}

effect(() => {
  const root = document.documentElement;
  if (theme.value === "system") delete root.dataset.theme;
  else root.dataset.theme = theme.value;
});
effect(() => {
  document.documentElement.dataset.motion = animations.value ? "on" : "off";
});
effect(() => {
  document.documentElement.style.setProperty("--card-text", String(textSize.value));
});
