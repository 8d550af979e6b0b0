// Signing in and registering; the account's name and its end.

import { useState } from "preact/hooks";
import { api, me } from "../net.js";
import type { Me } from "../protocol.js";
import { Link, navigate } from "../router.js";
import { Button, confirm, Tabs, toast } from "../ui.js";
import { become, Field, Notice, Page, Section, useTask } from "./common.js";

export function Account() {
  const who = me.value;
  if (!who) {
    return (
      <Page title="Account">
        <Enter />
      </Page>
    );
  }
  return (
    <Page title={who.name} lead={who.guest ? "You play as a guest. What you do is kept on this device only." : "You are signed in."}>
      {who.guest && <Enter />}
      <Rename who={who} />
      {!who.guest && <Password />}
      <Leave who={who} />
      {who.admin && (
        <p>
          <Link class="button" to="/admin">
            Administration
          </Link>
        </p>
      )}
    </Page>
  );
}

function Enter() {
  const [tab, setTab] = useState<"login" | "register">("login");
  return (
    <Section title="Sign in or register">
      <Tabs
        label="Sign in or register"
        tabs={[
          ["login", "Sign in"],
          ["register", "Register"],
        ]}
        chosen={tab}
        onChoose={setTab}
      />
      <Credentials key={tab} kind={tab} />
    </Section>
  );
}

function Credentials(props: { kind: "login" | "register" }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const task = useTask();
  const send = () =>
    task.run(async () => {
      become(await api<Me>("POST", `/api/${props.kind}`, { name, password }));
      toast(props.kind === "login" ? "You are signed in." : "Your account is made.", "good");
      navigate("/");
    });
  return (
    <form
      class="flow narrow"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field label="Name">{(id) => <input id={id} required maxLength={24} autocomplete="username" value={name} onInput={(event) => setName(event.currentTarget.value)} />}</Field>
      <Field label="Password" {...(props.kind === "register" ? { hint: "At least eight characters." } : {})}>
        {(id, hint) => (
          <input
            id={id}
            type="password"
            required
            minLength={props.kind === "register" ? 8 : undefined}
            maxLength={200}
            aria-describedby={hint}
            autocomplete={props.kind === "login" ? "current-password" : "new-password"}
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" disabled={task.busy}>
        {props.kind === "login" ? "Sign in" : "Register"}
      </Button>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </form>
  );
}

function Rename(props: { who: Me }) {
  const [name, setName] = useState(props.who.name);
  const task = useTask();
  const send = () =>
    task.run(async () => {
      become(await api<Me>("POST", "/api/rename", { name }));
      toast("Your name is changed.", "good");
    });
  return (
    <Section title="Name">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="What others call you">{(id) => <input id={id} required maxLength={24} value={name} onInput={(event) => setName(event.currentTarget.value)} />}</Field>
        <Button type="submit" disabled={task.busy || name.trim() === "" || name === props.who.name}>
          Rename
        </Button>
      </form>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </Section>
  );
}

function Password() {
  const [old, setOld] = useState("");
  const [fresh, setFresh] = useState("");
  const task = useTask();
  const send = () =>
    task.run(async () => {
      await api("POST", "/api/password", { old, new: fresh });
      setOld("");
      setFresh("");
      toast("Your password is changed.", "good");
    });
  return (
    <Section title="Password">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Old password">{(id) => <input id={id} type="password" required autocomplete="current-password" value={old} onInput={(event) => setOld(event.currentTarget.value)} />}</Field>
        <Field label="New password">{(id) => <input id={id} type="password" required minLength={8} autocomplete="new-password" value={fresh} onInput={(event) => setFresh(event.currentTarget.value)} />}</Field>
        <Button type="submit" disabled={task.busy}>
          Change it
        </Button>
      </form>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </Section>
  );
}

function Leave(props: { who: Me }) {
  const task = useTask();
  const out = () =>
    task.run(async () => {
      await api("POST", "/api/logout");
      become(null);
      navigate("/");
    });
  const end = () =>
    task.run(async () => {
      const sure = await confirm("Delete your account?", "Your decks and your name are removed for good. Games that you played stay with your opponents, without your name.", "Delete it");
      if (!sure) return;
      await api("DELETE", "/api/me");
      become(null);
      toast("Your account is gone.");
      navigate("/");
    });
  return (
    <Section title="Leave">
      <div class="actions">
        <Button onClick={out} disabled={task.busy}>
          {props.who.guest ? "Forget me on this device" : "Sign out"}
        </Button>
        <Button kind="danger" onClick={end} disabled={task.busy}>
          {props.who.guest ? "Delete what I did" : "Delete the account"}
        </Button>
      </div>
      {task.error && <Notice kind="bad">{task.error}</Notice>}
    </Section>
  );
}
