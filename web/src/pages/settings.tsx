// What a person likes: looks, motion, how the table asks, and whom they do not want to hear.

import { useState } from "preact/hooks";
import { animations, confirmPass, muted, pace, stopsWanted, textSize, theme, type Theme } from "../settings.js";
import { game } from "../games.js";
import { api, me } from "../net.js";
import { Link } from "../router.js";
import { kindOfStops, STOPS, stopsOf } from "../stops.js";
import { aboutOf } from "../table/layouts/about.js";
import { Button } from "../ui.js";
import { Choice, Field, Notice, Page, Section, useGet, useTask } from "./common.js";

export function Settings() {
  return (
    <Page title="Settings" lead="Kept in this browser." actions={<Link class="button" to="/account">Your account</Link>}>
      <Looks />
      <Asking />
      <Blocked />
    </Page>
  );
}

function Looks() {
  return (
    <Section title="Looks">
      <div class="flow">
        <Choice<Theme>
          legend="Theme"
          value={theme.value}
          options={[
            { value: "system", label: "As the system" },
            { value: "dark", label: "Dark" },
            { value: "light", label: "Light" },
          ]}
          onChange={(value) => (theme.value = value)}
        />
        <Field class="narrow" label={`Size of enlarged cards and their text: ${Math.round(textSize.value * 100)} %`}>
          {(id) => <input id={id} type="range" min={0.8} max={1.6} step={0.1} value={textSize.value} onInput={(event) => (textSize.value = Number(event.currentTarget.value))} />}
        </Field>
        <Check label="Animate dice, attacks and moves" hint="Off where your system asks for less motion." value={animations.value} onChange={(value) => (animations.value = value)} />
        <Field class="narrow" label={`Speed of animations: ${pace.value}×`}>
          {(id) => <input id={id} type="range" min={0.5} max={3} step={0.25} value={pace.value} disabled={!animations.value} onInput={(event) => (pace.value = Number(event.currentTarget.value))} />}
        </Field>
      </div>
    </Section>
  );
}

function Asking() {
  const stops = stopsWanted.value;
  const toggle = (name: string, on: boolean) => {
    stopsWanted.value = { ...stops, except: on ? [...stops.except, name] : stops.except.filter((one) => one !== name) };
  };
  return (
    <Section title="When the table asks you">
      <div class="flow">
        <Choice
          legend="In new games"
          value={kindOfStops(stops)}
          options={STOPS.map(([value, label, hint]) => ({ value, label, hint }))}
          onChange={(value) => (stopsWanted.value = { ...stops, ...stopsOf(value) })}
        />
        {!stops.full_control && (
          <fieldset class="fact">
            <legend>Always ask me</legend>
            {aboutOf(game.value).windows.map((window) => (
              <Check key={window.name} label={window.label} value={stops.except.includes(window.name)} onChange={(on) => toggle(window.name, on)} />
            ))}
          </fieldset>
        )}
        <Check label="Ask once more before I pass" hint="Where there is something that I could do." value={confirmPass.value} onChange={(value) => (confirmPass.value = value)} />
      </div>
    </Section>
  );
}

/** Blocks are kept by the server; those who are only muted, by this browser. */
function Blocked() {
  const [name, setName] = useState("");
  const blocked = useGet<string[]>(me.value ? "/api/blocks" : null);
  const task = useTask();
  const block = () =>
    task.run(async () => {
      await api("POST", "/api/blocks", { name: name.trim() });
      setName("");
      blocked.reload();
    });
  const unblock = (one: string) =>
    task.run(async () => {
      await api("DELETE", `/api/blocks/${encodeURIComponent(one)}`);
      blocked.reload();
    });
  const rows = [
    ...(blocked.data ?? []).map((one) => ({ name: one, kind: "blocked", lift: () => unblock(one) })),
    ...muted.value.map((one) => ({ name: one, kind: "muted", lift: () => (muted.value = muted.value.filter((other) => other !== one)) })),
  ];
  return (
    <Section title="Blocked players">
      <p class="dim">What they write is not shown to you.</p>
      {rows.length > 0 && (
        <ul class="rows">
          {rows.map((row) => (
            <li key={row.kind + row.name}>
              <span class="row-text">
                {row.name} <small class="dim">{row.kind}</small>
              </span>
              <Button onClick={row.lift} aria-label={`Hear ${row.name} again`}>
                Lift
              </Button>
            </li>
          ))}
        </ul>
      )}
      {me.value && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            block();
          }}
        >
          <Field label="Name">{(id) => <input id={id} maxLength={24} value={name} onInput={(event) => setName(event.currentTarget.value)} />}</Field>
          <Button type="submit" disabled={task.busy || name.trim() === ""}>
            Block
          </Button>
        </form>
      )}
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </Section>
  );
}

function Check(props: { label: string; hint?: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={props.value} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <span>
        {props.label} {props.hint && <small class="dim">{props.hint}</small>}
      </span>
    </label>
  );
}
