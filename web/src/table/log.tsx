// What has happened, and what people say.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api, me, socket } from "../net.js";
import type { LogLine } from "../protocol.js";
import { muted } from "../settings.js";
import { Button, complain, confirm, Tabs, toast } from "../ui.js";
import { usePlay } from "./play.js";
import { Rich } from "./rich.js";

export type SideTab = "log" | "chat" | "effects";
export const sideTab = signal<SideTab>("log");
/** On narrow screens the side is a sheet that is opened. */
export const sideOpen = signal(false);

export function Side() {
  const play = usePlay();
  const effects = play.table?.effects ?? [];
  const tabs = [
    ["log", "Log"],
    ["chat", `Chat${play.match.chat.value.length > 0 ? ` ${play.match.chat.value.length}` : ""}`],
    ["effects", `In force ${effects.length || ""}`],
  ] as const;
  return (
    <aside class={`side ${sideOpen.value ? "open" : ""}`} aria-label="Log and chat">
      <div class="side-head">
        <Tabs label="Log and chat" tabs={tabs} chosen={sideTab.value} onChoose={(tab) => (sideTab.value = tab)} />
        <button type="button" class="close side-close" aria-label="Close" onClick={() => (sideOpen.value = false)}>×</button>
      </div>
      {sideTab.value === "log" ? <Log lines={play.match.log.value} /> : sideTab.value === "chat" ? <Chat /> : <Effects effects={effects} />}
    </aside>
  );
}

const SHOWN = 400;

export function Log({ lines }: { lines: LogLine[] }) {
  const ref = useRef<HTMLDivElement>(null);
  const shown = lines.slice(-SHOWN);
  useEffect(() => {
    const list = ref.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [lines.length]);
  return (
    <div ref={ref} class="log" role="log" aria-live="polite" aria-relevant="additions" aria-label="Log" tabIndex={0}>
      <ol>
      {shown.map((line, at) => (
        <li key={lines.length - shown.length + at} class={line.tone === "plain" ? "" : `tone-${line.tone}`}>
          <Rich text={line.text} cards={line.cards} />
        </li>
      ))}
      </ol>
    </div>
  );
}

function Effects({ effects }: { effects: string[] }) {
  if (effects.length === 0) return <p class="dim pad">Nothing lasts at the moment.</p>;
  return (
    <ul class="log effects">
      {effects.map((effect, at) => (
        <li key={at}>{effect}</li>
      ))}
    </ul>
  );
}

function Chat() {
  const { match, table } = usePlay();
  const ref = useRef<HTMLOListElement>(null);
  const said = match.chat.value.filter((line) => !muted.value.includes(line.by));
  useEffect(() => {
    const list = ref.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [said.length]);
  const say = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const field = form.elements.namedItem("text") as HTMLInputElement;
    const text = field.value.trim();
    if (text !== "" && table && socket.send({ type: "chat", table: table.id, text })) field.value = "";
  };
  const mute = (name: string) => (muted.value = [...new Set([...muted.value, name])]);
  // The server keeps blocks and sends nothing more; what was said before is muted here.
  const block = async (name: string) => {
    if (!(await confirm(`Block ${name}?`, "You will not be sent anything they say, at any table. Settings lift it again.", "Block"))) return;
    try {
      await api("POST", "/api/blocks", { name });
      match.chat.value = match.chat.value.filter((line) => line.by !== name);
      toast(`${name} is blocked.`);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div class="chat">
      <ol ref={ref} class="log" aria-live="polite" aria-label="Chat" tabIndex={0}>
        {said.map((line, at) => (
          <li key={at}>
            {line.by === "" ? <em class="dim">{line.text}</em> : <><b>{line.by}</b>: {line.text}</>}
            {line.by === "" || line.by === me.value?.name ? null : (
              <span class="hush">
                <button type="button" class="mute" aria-label={`Do not show what ${line.by} says`} onClick={() => mute(line.by)}>mute</button>
                {me.value ? <button type="button" class="mute" aria-label={`Block ${line.by} everywhere`} onClick={() => void block(line.by)}>block</button> : null}
              </span>
            )}
          </li>
        ))}
        {muted.value.length > 0 ? <li class="dim">{muted.value.length} muted <button type="button" class="mute shown" onClick={() => (muted.value = [])}>show again</button></li> : null}
      </ol>
      <form onSubmit={say}>
        <input name="text" maxLength={300} autocomplete="off" placeholder="Say something" aria-label="Say something" />
        <Button type="submit">Send</Button>
      </form>
    </div>
  );
}
