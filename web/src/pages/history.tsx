// Own matches, how they went, and which decks did well.

import { titleAmongOthers } from "../games.js";
import { me } from "../net.js";
import type { History as HistoryData, TableInfo } from "../protocol.js";
import { Link } from "../router.js";
import { agoWords, clockWords, Page, Pending, playersWords, Section, useGet } from "./common.js";

export function History() {
  const history = useGet<HistoryData>(me.value ? "/api/history" : null);
  if (!me.value) {
    return (
      <Page title="History">
        <p>You have not played yet. Your games will stand here, each with its replay.</p>
        <Link class="button primary" to="/">
          Play
        </Link>
      </Page>
    );
  }
  const data = history.data;
  if (!data) {
    return (
      <Page title="History">
        <Pending error={history.error} what="Your games" />
      </Page>
    );
  }
  return (
    <Page title="History" lead={data.played === 0 ? "No finished game yet." : `${data.played} finished, ${data.won} won: ${share(data.won, data.played)}.`}>
      <div class="lobby">
        <Section title="Games">
          <Games matches={data.matches} name={me.value.name} />
        </Section>
        <Section title="Decks">
          <DeckTable decks={data.decks} />
        </Section>
      </div>
    </Page>
  );
}

function share(won: number, played: number): string {
  return played === 0 ? "–" : `${Math.round((won / played) * 100)} %`;
}

function DeckTable(props: { decks: HistoryData["decks"] }) {
  const rows = Object.entries(props.decks).map(([deck, [played, won]]) => ({ deck, played, won }));
  if (rows.length === 0) return <p class="empty-line">Nothing to count yet.</p>;
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Deck</th>
          <th scope="col">Played</th>
          <th scope="col">Won</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .sort((a, b) => b.played - a.played)
          .map((row) => (
            <tr key={row.deck}>
              <th scope="row">{row.deck}</th>
              <td>{row.played}</td>
              <td>{row.won}</td>
              <td>
                <span class="meter" aria-hidden="true">
                  <span style={{ width: `${(row.won / Math.max(1, row.played)) * 100}%` }} />
                </span>
                {share(row.won, row.played)}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function Games(props: { matches: TableInfo[]; name: string }) {
  if (props.matches.length === 0) return <p class="empty-line">Your games will stand here.</p>;
  const latest = [...props.matches].sort((a, b) => b.created - a.created);
  return (
    <ul class="rows">
      {latest.map((match) => {
        const over = match.state.is === "over";
        return (
          <li key={match.id}>
            <span class={`result ${outcome(match, props.name)}`}>{outcome(match, props.name)}</span>
            <div class="row-text">
              <b>{playersWords(match)}</b>
              <small class="dim">
                {[titleAmongOthers(match.game), how(match), `${match.answers} moves`, clockWords(match.clock), agoWords(match.created)].filter(Boolean).join(" · ")}
              </small>
            </div>
            <Link class={`button ${over ? "" : "primary"}`} to={`/${over ? "replay" : "table"}/${match.id}`} aria-label={`${over ? "Replay" : "Resume"}: ${playersWords(match)}`}>
              {over ? "Replay" : "Resume"}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function outcome(match: TableInfo, name: string): "won" | "lost" | "drawn" | "open" {
  if (match.state.is !== "over") return "open";
  if (match.state.winner === null) return "drawn";
  return match.players[match.state.winner] === name ? "won" : "lost";
}

function how(match: TableInfo): string {
  if (match.state.is !== "over") return "";
  const words: Record<string, string> = { rules: "", resigned: "by resignation", time: "on time", agreed: "agreed", closed: "closed before it began", abandoned: "abandoned", broken: "broken off" };
  return words[match.state.how] ?? match.state.how;
}
