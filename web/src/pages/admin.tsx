// Running the server: the first administrator claims the page with the token from the server's log.

import { useState } from "preact/hooks";
import { api, ApiError, loadMe, me } from "../net.js";
import type { AdminUser, TableInfo } from "../protocol.js";
import { Link } from "../router.js";
import { Button, complain, confirm, toast } from "../ui.js";
import { TroubleSections } from "./admin-troubles.js";
import { agoWords, Field, Notice, Page, Pending, playersWords, Section, useGet, useTask } from "./common.js";

export function Admin() {
  if (!me.value?.admin) {
    return (
      <Page title="Administration">
        <Claim />
      </Page>
    );
  }
  return (
    <Page title="Administration" lead={<>Figures for machines stand at <a href="/metrics">/metrics</a>, health at <a href="/healthz">/healthz</a>.</>}>
      <Motd />
      <TroubleSections />
      <Matches />
      <Users />
    </Page>
  );
}

function Claim() {
  const [token, setToken] = useState("");
  const task = useTask();
  const claim = () =>
    task.run(async () => {
      await api("POST", "/api/admin/claim", { token: token.trim() });
      await loadMe();
      toast("You administer this server now.", "good");
    });
  return (
    <Section title="Claim this server">
      <p>When the server first starts it writes a token to its log. Whoever has it may become the administrator, once.</p>
      {(!me.value || me.value.guest) && (
        <p>
          An administrator needs an account: <Link to="/account">register first</Link>.
        </p>
      )}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          claim();
        }}
      >
        <Field label="Token" class="grow">
          {(id) => <input id={id} required autocomplete="off" spellcheck={false} value={token} onInput={(event) => setToken(event.currentTarget.value)} />}
        </Field>
        <Button type="submit" kind="primary" disabled={task.busy || token.trim() === ""}>
          Claim
        </Button>
      </form>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </Section>
  );
}

function Motd() {
  const now = useGet<{ text: string }>("/api/message");
  const [text, setText] = useState<string | null>(null);
  const task = useTask();
  const send = () =>
    task.run(async () => {
      await api("POST", "/api/admin/message", { text: text ?? "" });
      toast("Everybody will read it.", "good");
    });
  return (
    <Section title="Message of the day">
      <form
        class="flow"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Shown in the lobby; leave it empty for none">
          {(id) => <textarea id={id} rows={2} maxLength={500} value={text ?? now.data?.text ?? ""} onInput={(event) => setText(event.currentTarget.value)} />}
        </Field>
        <div class="actions">
          <Button type="submit" disabled={task.busy || text === null}>
            Save
          </Button>
        </div>
        {task.error && <Notice kind="bad">{task.error}</Notice>}
      </form>
    </Section>
  );
}

function Matches() {
  const matches = useGet<TableInfo[]>("/api/admin/matches", 5);
  const playing = (matches.data ?? []).filter((match) => match.state.is !== "over");
  return (
    <Section title={`Live matches${matches.data ? `: ${playing.length}` : ""}`}>
      {!matches.data && <Pending error={matches.error} what="The matches" />}
      <ul class="rows">
        {playing.map((match) => (
          <li key={match.id}>
            <div class="row-text">
              <b>{playersWords(match)}</b>
              <small class="dim">
                {match.state.is} · {match.answers} moves · {agoWords(match.created)}
                {match.private ? " · private" : ""}
              </small>
            </div>
            <Link class="button" to={`/table/${match.id}`} aria-label={`Watch ${playersWords(match)}`}>
              Watch
            </Link>
            <Button kind="danger" aria-label={`End ${playersWords(match)}`} onClick={() => void end(match).then(matches.reload, complain)}>
              End…
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

async function end(match: TableInfo): Promise<void> {
  if (!(await confirm("End this game?", `${playersWords(match)}: the game ends here, and nobody wins. This cannot be taken back.`, "End it"))) return;
  try {
    await api("POST", "/api/admin/close", { id: match.id });
    toast("The game has ended.", "good");
  } catch (error) {
    if (!(error instanceof ApiError) || error.moved === null) throw error;
    toast(<>Another server has this game: <a href={`${error.moved}admin`}>end it there</a>.</>, "bad", 20);
  }
}

function Users() {
  const [text, setText] = useState("");
  const users = useGet<AdminUser[]>(`/api/admin/users?find=${encodeURIComponent(text.trim())}`);
  return (
    <Section title="Users">
      <Field label="Find by name">{(id) => <input id={id} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />}</Field>
      {!users.data && <Pending error={users.error} what="The users" />}
      <ul class="rows">
        {(users.data ?? []).map((user) => (
          <UserRow key={user.name} user={user} onChange={users.reload} />
        ))}
      </ul>
    </Section>
  );
}

function UserRow(props: { user: AdminUser; onChange: () => void }) {
  const { user } = props;
  const [reason, setReason] = useState<string | null>(null);
  const set = async (path: string, body: { name: string; reason?: string }) => {
    await api("POST", path, body);
    setReason(null);
    props.onChange();
  };
  const facts = [user.admin ? "administrator" : user.guest ? "guest" : "account", `since ${agoWords(user.created)}`];
  if (user.seen !== null) facts.push(`seen ${agoWords(user.seen)}`);
  if (user.banned !== null) facts.push(`banned: ${user.banned}`);
  return (
    <li>
      <div class="row-text">
        <b>{user.name}</b>
        <small class="dim">{facts.join(" · ")}</small>
      </div>
      {user.banned !== null && <Button onClick={() => void set("/api/admin/unban", { name: user.name }).catch(complain)}>Lift the ban</Button>}
      {user.banned === null && !user.admin && reason === null && (
        <Button kind="danger" onClick={() => setReason("")} aria-label={`Ban ${user.name}`}>
          Ban…
        </Button>
      )}
      {reason !== null && (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void set("/api/admin/ban", { name: user.name, reason }).catch(complain);
          }}
        >
          <Field label={`Reason, which ${user.name} will read`}>{(id) => <input id={id} maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />}</Field>
          <Button type="submit" kind="danger">
            Ban
          </Button>
          <Button onClick={() => setReason(null)}>Cancel</Button>
        </form>
      )}
    </li>
  );
}
