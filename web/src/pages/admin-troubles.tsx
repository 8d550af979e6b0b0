// What is wrong with the server: matches that cannot be read, rules that cannot be loaded, the servers on its storage.

import type { ComponentChildren } from "preact";
import type { ServerInfo, Troubles } from "../protocol.js";
import { agoWords, Pending, Section, useGet } from "./common.js";

const EVERY_SECONDS = 10;
const MOST_SHOWN = 100;

export function TroubleSections() {
  const troubles = useGet<Troubles>("/api/admin/troubles", EVERY_SECONDS);
  const told = troubles.data;
  if (!told) {
    return (
      <Section title="Troubles">
        <Pending error={troubles.error} what="What is wrong" />
      </Section>
    );
  }
  return (
    <>
      <Section title={counted("Matches that cannot be read", told.matches.length)} class="unread-matches">
        {told.matches.length > 0 && <p class="dim">They are left as they are, with all their answers, and go on as soon as the server can read them.</p>}
        <Rows none="All is well: every match that was looked for could be read.">
          {told.matches.slice(0, MOST_SHOWN).map((match) => (
            <Row key={match.id} title={<code>{match.id}</code>} facts={`found ${agoWords(match.since)} (${dateWords(match.since)})`}>
              <p class="reason">{match.reason}</p>
            </Row>
          ))}
        </Rows>
        {told.matches.length > MOST_SHOWN && <p class="dim">And {told.matches.length - MOST_SHOWN} more.</p>}
      </Section>
      <Section title={counted("Rules and cards that cannot be loaded", told.rules.length)} class="broken-rules">
        <Rows none="All is well: the rules and cards of every game are in order.">
          {told.rules.map((broken) => (
            <Row key={broken.game} title={broken.game} facts={`since ${agoWords(broken.since)} (${dateWords(broken.since)}); the game goes on with what it had`}>
              <pre class="report" role="region" tabIndex={0} aria-label={`What is wrong with ${broken.game}`}>{broken.report}</pre>
            </Row>
          ))}
        </Rows>
      </Section>
      <Section title="Servers on this storage" class="servers">
        <Rows none="None has told of itself.">
          {told.servers.map((server) => (
            <Row key={server.url} title={server.url} facts={doing(server)} />
          ))}
        </Rows>
      </Section>
    </>
  );
}

function counted(title: string, count: number): string {
  return count === 0 ? title : `${title}: ${count}`;
}

function Rows(props: { none: string; children: ComponentChildren[] }) {
  return props.children.length === 0 ? <p class="empty-line">{props.none}</p> : <ul class="rows">{props.children}</ul>;
}

function Row(props: { title: ComponentChildren; facts: string; children?: ComponentChildren }) {
  return (
    <li>
      <div class="row-text">
        <b>{props.title}</b>
        <small class="dim">{props.facts}</small>
        {props.children}
      </div>
    </li>
  );
}

function doing(server: ServerInfo): string {
  const facts = [server.this ? "this one" : null];
  if (!server.live) facts.push("gone: others go on with its matches");
  else facts.push(server.draining ? "finishes its matches and takes no new ones" : "plays, and takes new matches");
  return facts.filter(Boolean).join(" · ");
}

function dateWords(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
