// Parts that every page uses: buttons, dialogs, tabs, notes that come and go, the theme switch, focus.

import { signal } from "@preact/signals";
import type { ComponentChildren, HTMLAttributes, RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { theme, type Theme } from "./settings.js";

// ---- words ----

/** Texts of the rules have arrows as they are typed. */
export function arrows(text: string): string {
  return text.replace(/ -> /g, "\u00a0→ ");
}

// ---- screens ----

const phone = matchMedia("(max-width: 680px)");
/** Whether the screen is as narrow as a phone's. */
export const narrow = signal(phone.matches);
phone.addEventListener("change", () => (narrow.value = phone.matches));

// ---- buttons ----

type ButtonProps = {
  kind?: "plain" | "primary" | "danger" | "quiet";
  children?: ComponentChildren;
  class?: string;
} & Omit<HTMLAttributes<HTMLButtonElement>, "class" | "role"> & { disabled?: boolean; type?: "button" | "submit" };

export function Button({ kind = "plain", class: more = "", type = "button", children, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={type} class={`button ${kind} ${more}`}>
      {children}
    </button>
  );
}

// ---- notes that come and go ----

type Note = { id: number; tone: "plain" | "good" | "bad"; content: ComponentChildren };
const notes = signal<Note[]>([]);
let lastNote = 0;

/** Say something for a few seconds. */
export function toast(content: ComponentChildren, tone: Note["tone"] = "plain", seconds = 5): void {
  lastNote += 1;
  const id = lastNote;
  notes.value = [...notes.value.slice(-3), { id, tone, content }];
  window.setTimeout(() => dismiss(id), seconds * 1000);
}

function dismiss(id: number): void {
  notes.value = notes.value.filter((note) => note.id !== id);
}

/** Say what went wrong. */
export function complain(error: unknown): void {
  toast(error instanceof Error ? error.message : String(error), "bad");
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {notes.value.map((note) => (
        <div key={note.id} class={`toast ${note.tone}`}>
          <div>{note.content}</div>
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(note.id)}>×</button>
        </div>
      ))}
    </div>
  );
}

// ---- dialogs ----

type DialogProps = { title: string; onClose: () => void; class?: string; children?: ComponentChildren };

/** A window above the page. It keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, onClose, class: more = "", children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const name = useId();
  // With its content: keys that come at once are for it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === ref.current) onClose();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={ref} class={`dialog ${more}`} aria-labelledby={name} onClick={outside} onCancel={cancel}>
      <div class="dialog-body">
        <header>
          <h2 id={name}>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={onClose}>×</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

type Opened = { title: string; content: (close: () => void) => ComponentChildren; class?: string; closed?: () => void };
const opened = signal<Opened | null>(null);

/** Open a dialog from anywhere; one that was open is closed. */
export function openDialog(dialog: Opened): void {
  closeDialog();
  opened.value = dialog;
}

/** Whether such a dialog is open, or about to be drawn. */
export function asking(): boolean {
  return opened.value !== null;
}

export function closeDialog(): void {
  const was = opened.value;
  opened.value = null;
  was?.closed?.();
}

/** A key that is held down says nothing to a question that it has opened. */
function notHeld(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

/** Ask a question with two answers; the focus is on the one that changes nothing. */
export function confirm(title: string, text: ComponentChildren, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answered = false;
    const answer = (value: boolean, close: () => void) => {
      answered = true;
      close();
      resolve(value);
    };
    openDialog({
      title,
      content: (close) => (
        <div onKeyDown={notHeld}>
          <p>{text}</p>
          <div class="buttons">
            <Button autofocus onClick={() => answer(false, close)}>Cancel</Button>
            <Button kind="primary" class="yes" onClick={() => answer(true, close)}>{yes}</Button>
          </div>
        </div>
      ),
      class: "confirm",
      closed: () => {
        if (!answered) resolve(false);
      },
    });
  });
}

/** Where dialogs of `openDialog` appear; once in the page. */
export function DialogHost() {
  const dialog = opened.value;
  if (!dialog) return null;
  return (
    <Dialog title={dialog.title} onClose={closeDialog} {...(dialog.class ? { class: dialog.class } : {})}>
      {dialog.content(closeDialog)}
    </Dialog>
  );
}

// ---- tabs ----

type TabsProps<T extends string> = { label: string; tabs: readonly (readonly [T, ComponentChildren])[]; chosen: T; onChoose: (tab: T) => void; class?: string };

export function Tabs<T extends string>({ label, tabs, chosen, onChoose, class: more = "" }: TabsProps<T>) {
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabs.findIndex(([tab]) => tab === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!next) return;
    onChoose(next[0]);
    const list = event.currentTarget as HTMLElement;
    list.querySelectorAll<HTMLElement>('[role="tab"]')[(at + by + tabs.length) % tabs.length]?.focus();
  };
  return (
    <div class={`tabs ${more}`} role="tablist" aria-label={label} onKeyDown={step}>
      {tabs.map(([tab, name]) => (
        <button key={tab} type="button" role="tab" aria-selected={tab === chosen} tabIndex={tab === chosen ? 0 : -1} onClick={() => onChoose(tab)}>
          {name}
        </button>
      ))}
    </div>
  );
}

// ---- theme ----

const THEMES: readonly Theme[] = ["system", "dark", "light"];
const THEME_SIGNS: Record<Theme, string> = { system: "◐", dark: "☾", light: "☀" };

export function ThemeSwitch() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
  return (
    <button type="button" class="button quiet icon" aria-label={`Theme: ${theme.value}. Change to ${next}.`} title={`Theme: ${theme.value}`} onClick={() => (theme.value = next)}>
      <span aria-hidden="true">{THEME_SIGNS[theme.value]}</span>
    </button>
  );
}

// ---- focus ----

const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex]:not([tabindex="-1"])';

export function focusable(within: ParentNode): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.checkVisibility());
}

let keyed = false;
addEventListener("keydown", () => (keyed = true), true);
addEventListener("pointerdown", () => (keyed = false), true);

/** Whether the person is going by keyboard just now, so that the focus matters to them. */
export function byKeyboard(): boolean {
  return keyed;
}

/** Whether keys are being typed into a field. */
export function typing(event: KeyboardEvent): boolean {
  const at = event.target;
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

/** A slash leads to the search of a page. */
export function useSlash(search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key !== "/" || typing(event)) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
}

/** Whether somebody is writing something: then the focus stays there. */
export function isWriting(): boolean {
  const at = document.activeElement;
  return at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && /^(text|search)$/.test(at.type));
}

/** Move the focus to the nearest of `all` in a direction. */
export function focusTowards(all: HTMLElement[], from: Element | null, direction: "left" | "right" | "up" | "down"): boolean {
  const first = all[0];
  if (!from || !all.includes(from as HTMLElement)) {
    first?.focus();
    return first !== undefined;
  }
  const here = middle(from);
  const sideways = direction === "left" || direction === "right";
  const sign = direction === "right" || direction === "down" ? 1 : -1;
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const element of all) {
    if (element === from) continue;
    const there = middle(element);
    const along = (sideways ? there.x - here.x : there.y - here.y) * sign;
    const across = Math.abs(sideways ? there.y - here.y : there.x - here.x);
    if (along <= 4) continue;
    const distance = along + across * 2.2;
    if (distance < least) {
      least = distance;
      best = element;
    }
  }
  best?.focus();
  return best !== null;
}

function middle(element: Element): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
