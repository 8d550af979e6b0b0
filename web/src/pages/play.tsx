// Choosing a deck, a bot and a clock: the forms that open or join a table.

import { useState } from "preact/hooks";
import { sideName } from "../games.js";
import { api, me } from "../net.js";
import { navigate } from "../router.js";
import { Button } from "../ui.js";
import type { Clock, DeckInfo, NewTable, TableInfo } from "../protocol.js";
import { BOTS, Choice, ensureName, Field, Notice, someName, useTask } from "./common.js";

const LAST_DECK = "trilogy.deck";

export function rememberDeck(game: string, id: string): void {
  localStorage.setItem(`${LAST_DECK}.${game}`, id);
}

/** The deck that was used last, or a starter deck. */
export function usualDeck(decks: readonly DeckInfo[], seat: number | null = null): DeckInfo | undefined {
  const fitting = decks.filter((deck) => seat === null || deck.seat === seat);
  const last = localStorage.getItem(`${LAST_DECK}.${decks[0]?.game ?? ""}`);
  // The starter decks of the second player of the tcg have the fewest things to watch.
  return fitting.find((deck) => deck.id === last) ?? fitting.find((deck) => deck.starter && deck.seat === 1) ?? fitting[0];
}

export function DeckSelect(props: { label: string; decks: readonly DeckInfo[]; seat?: number | null; value: string; any?: string; onChange: (id: string) => void }) {
  const game = props.decks[0]?.game;
  const seats = props.seat === undefined || props.seat === null ? [1, 0] : [props.seat];
  const group = (label: string, decks: readonly DeckInfo[]) =>
    decks.length === 0 ? null : (
      <optgroup key={label} label={label}>
        {decks.map((deck) => (
          <option key={deck.id} value={deck.id}>
            {deck.name}
          </option>
        ))}
      </optgroup>
    );
  return (
    <Field label={props.label}>
      {(id) => (
        <select id={id} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
          {props.any !== undefined && <option value="">{props.any}</option>}
          {seats.flatMap((seat) => [
            group(`${sideName(seat, game)}: your decks`, props.decks.filter((deck) => deck.seat === seat && !deck.starter)),
            group(`${sideName(seat, game)}: starter decks`, props.decks.filter((deck) => deck.seat === seat && deck.starter)),
          ])}
        </select>
      )}
    </Field>
  );
}

export function NameField(props: { value: string; onInput: (name: string) => void }) {
  if (me.value) return null;
  return (
    <Field label="Your name" hint="No account is needed. Others at the table see this name.">
      {(id, hint) => (
        <input id={id} aria-describedby={hint} maxLength={24} autocomplete="nickname" value={props.value} onInput={(event) => props.onInput(event.currentTarget.value)} />
      )}
    </Field>
  );
}

const CLOCKS: Record<Clock["kind"], Clock> = {
  none: { kind: "none" },
  per_move: { kind: "per_move", seconds: 60 },
  per_player: { kind: "per_player", seconds: 1200, increment: 10 },
};

export function ClockField(props: { value: Clock; onChange: (clock: Clock) => void }) {
  const clock = props.value;
  const number = (label: string, value: number, scale: number, least: number, most: number, set: (value: number) => Clock) => (
    <Field label={label} class="field-small">
      {(id) => (
        <input
          id={id}
          type="number"
          min={least}
          max={most}
          value={value / scale}
          onChange={(event) => {
            const typed = Math.round(Number(event.currentTarget.value));
            props.onChange(set(Math.min(most, Math.max(least, Number.isFinite(typed) ? typed : least)) * scale));
          }}
        />
      )}
    </Field>
  );
  return (
    <div>
      <Choice
        legend="Clock"
        value={clock.kind}
        options={[
          { value: "none", label: "None" },
          { value: "per_move", label: "Per move" },
          { value: "per_player", label: "Per player" },
        ]}
        onChange={(kind) => props.onChange(CLOCKS[kind])}
      />
      <div class="row">
        {clock.kind === "per_move" && number("Seconds a move", clock.seconds, 1, 5, 3600, (seconds) => ({ kind: "per_move", seconds }))}
        {clock.kind === "per_player" &&
          number("Minutes each", clock.seconds, 60, 1, 600, (seconds) => ({ kind: "per_player", seconds, increment: clock.increment }))}
        {clock.kind === "per_player" &&
          number("+ seconds a move", clock.increment, 1, 0, 600, (increment) => ({ kind: "per_player", seconds: clock.seconds, increment }))}
      </div>
    </div>
  );
}

export async function openTable(table: NewTable, name: string): Promise<TableInfo> {
  await ensureName(name);
  rememberDeck(table.game, table.deck);
  return api<TableInfo>("POST", "/api/tables", table);
}

/** A starter deck for the other side, any of them. */
export function anyDeckAgainst(decks: readonly DeckInfo[], deck: DeckInfo): DeckInfo | undefined {
  const others = decks.filter((other) => other.starter && other.seat !== deck.seat);
  return others[Math.floor(Math.random() * others.length)];
}

/** One click with the defaults and a newcomer sits at a table. */
export function PlayBot(props: { decks: readonly DeckInfo[]; deck?: string }) {
  const [name, setName] = useState(someName);
  const [chosen, setChosen] = useState(props.deck ?? usualDeck(props.decks)?.id ?? "");
  const [against, setAgainst] = useState("");
  const [bot, setBot] = useState<string>("random");
  const task = useTask();
  const deck = props.decks.find((one) => one.id === chosen);
  const play = (): void =>
    task.run(async () => {
      if (!deck) throw new Error("choose a deck first");
      const botDeck = props.decks.find((one) => one.id === against && one.seat !== deck.seat) ?? anyDeckAgainst(props.decks, deck);
      const info = await openTable({ game: deck.game, deck: deck.id, bot, bot_deck: botDeck?.id ?? null, private: true, clock: { kind: "none" } }, name);
      navigate(`/table/${info.id}`);
    });
  return (
    <form
      class="play-now"
      onSubmit={(event) => {
        event.preventDefault();
        play();
      }}
    >
      <NameField value={name} onInput={setName} />
      <DeckSelect label="Your deck" decks={props.decks} value={chosen} onChange={setChosen} />
      <Choice legend="Opponent" value={bot} options={BOTS.map((one) => ({ value: one.name, label: one.english, hint: one.says }))} onChange={setBot} />
      <details>
        <summary>Their deck</summary>
        <DeckSelect label="Deck of the bot" decks={props.decks} seat={deck ? 1 - deck.seat : null} value={against} any="Any starter deck" onChange={setAgainst} />
      </details>
      <Button type="submit" kind="primary" class="big" disabled={task.busy || !deck}>
        {task.busy ? "Laying out the table…" : "Play now"}
      </Button>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </form>
  );
}

/** A table for a person: public in the lobby, or private by link. */
export function OpenTable(props: { decks: readonly DeckInfo[]; onOpened: () => void }) {
  const [name, setName] = useState(someName);
  const [deck, setDeck] = useState(usualDeck(props.decks)?.id ?? "");
  const [clock, setClock] = useState<Clock>({ kind: "none" });
  const [secret, setSecret] = useState(false);
  const task = useTask();
  const open = (): void =>
    task.run(async () => {
      const game = props.decks.find((one) => one.id === deck)?.game;
      if (game === undefined) throw new Error("choose a deck first");
      const info = await openTable({ game, deck, bot: null, bot_deck: null, private: secret, clock }, name);
      props.onOpened();
      navigate(`/join/${info.id}`);
    });
  return (
    <form
      class="flow"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <NameField value={name} onInput={setName} />
      <DeckSelect label="Your deck" decks={props.decks} value={deck} onChange={setDeck} />
      <ClockField value={clock} onChange={setClock} />
      <label class="tick">
        <input type="checkbox" checked={secret} onChange={(event) => setSecret(event.currentTarget.checked)} />
        <span>
          Private <small class="dim">only those who have the link can see or join it</small>
        </span>
      </label>
      <Button type="submit" kind="primary" disabled={task.busy || deck === ""}>
        Open the table
      </Button>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </form>
  );
}
