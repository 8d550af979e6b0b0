// Cards glide from where they were to where they are (FLIP on Web Animations). Positions are taken before an update
// is drawn; after it, each card that has moved starts from its old place.

import { motionWanted, pace } from "../settings.js";
import type { Motion } from "../protocol.js";

const GLIDE_MS = 320;
const MOST_GLIDES = 40;

export class Mover {
  private before = new Map<string, DOMRect>();
  private moves: Motion[] = [];

  /** Remember where everything is. */
  capture(root: ParentNode, moves: Motion[]): void {
    this.before.clear();
    this.moves = moves;
    if (!motionWanted()) return;
    for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
      this.before.set(element.dataset.card ?? "", element.getBoundingClientRect());
    }
    for (const element of root.querySelectorAll<HTMLElement>("[data-zone]")) {
      const zone = element.dataset.zone;
      if (zone) this.before.set(`zone ${zone}`, element.getBoundingClientRect());
    }
  }

  /** Where a card was before the update that is being shown. */
  was(card: number): DOMRect | undefined {
    return this.before.get(String(card));
  }

  /** Let what has moved glide. */
  play(root: ParentNode): void {
    if (!motionWanted() || this.before.size === 0) return;
    const origins = new Map<string, string>();
    for (const move of this.moves) {
      if (move.what === "move" && !origins.has(String(move.card))) origins.set(String(move.card), move.from);
    }
    let glides = 0;
    for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
      const id = element.dataset.card ?? "";
      const origin = origins.get(id);
      const from = this.before.get(id) ?? (origin === undefined ? undefined : this.before.get(`zone ${origin}`));
      if (!from || from.width === 0) continue;
      const to = element.getBoundingClientRect();
      if (to.width === 0 || glides >= MOST_GLIDES) continue;
      const dx = from.left + from.width / 2 - (to.left + to.width / 2);
      const dy = from.top + from.height / 2 - (to.top + to.height / 2);
      if (Math.abs(dx) + Math.abs(dy) < 3) continue;
      glides += 1;
      glide(element, dx, dy, from.width / to.width);
    }
    this.moves = [];
  }
}

function glide(element: HTMLElement, dx: number, dy: number, scale: number): void {
  const start = `translate(${dx}px, ${dy}px) scale(${Number.isFinite(scale) && scale > 0 ? scale : 1})`;
  element.style.zIndex = "5";
  const animation = element.animate([{ transform: start }, {}], { duration: GLIDE_MS / pace.value, easing: "cubic-bezier(.2,.8,.3,1)", composite: "add" });
  animation.onfinish = () => (element.style.zIndex = "");
  animation.oncancel = animation.onfinish;
}
