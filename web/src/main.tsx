// The client starts here: pages are registered, the frame around them is drawn.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { CardZoom } from "./card.js";
import { moveAgain, stranded } from "./elsewhere.js";
import { game, games, GameSwitch, loadGames } from "./games.js";
import { loadMe, me, refused } from "./net.js";
import { pages } from "./pages/index.js";
import { found, Link, location_, route } from "./router.js";
import { aboutOf } from "./table/layouts/about.js";
import { TablePage } from "./table/page.js";
import { Dialog, DialogHost, ThemeSwitch, Toasts } from "./ui.js";

export { Link, navigate, route } from "./router.js";

for (const page of pages) route(page.path, page.component, page.title);
route("/table/:id", TablePage, "Table");

function App() {
  const at = found();
  const title = at?.[0].title;
  useEffect(() => {
    document.title = title ? `${title} · Trilogy` : "Trilogy";
  }, [title]);
  if (games.value.length === 0) return <NoGames />;
  const Shown = at?.[0].component;
  const table = /^\/(table|learn)\/./.test(location_.value);
  return (
    <>
      <a class="skip" href="#main">To the content</a>
      {table ? null : <Header />}
      <main id="main" class={table ? "at-table" : "page"} tabIndex={-1}>
        {stranded.value ? <Stranded to={stranded.value.url} /> : Shown && at ? <Shown params={at[1]} key={`${game.value} ${location_.value}`} /> : <Lost />}
      </main>
      <CardZoom />
      <DialogHost />
      <Toasts />
      {refused.value ? <Refused reason={refused.value} /> : null}
    </>
  );
}

function Header() {
  return (
    <header class="top">
      <Link to="/" class="brand">
        <Mark />
        <span>Trilogy</span>
      </Link>
      <nav aria-label="Pages">
        <Link to="/">Play</Link>
        <Link to="/cards">Cards</Link>
        <Link to="/decks">Decks</Link>
        <Link to="/rules">Rules</Link>
        <Link to="/history">History</Link>
        {aboutOf(game.value).lesson ? <Link to="/learn">Learn</Link> : null}
      </nav>
      <div class="top-right">
        <GameSwitch />
        {me.value ? <Link to="/settings" class="me">{me.value.name}</Link> : <Link to="/settings">Settings</Link>}
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** Three arenas, one orbit. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <ellipse cx="16" cy="16" rx="14" ry="6" transform="rotate(-24 16 16)" />
      <circle cx="16" cy="16" r="5" />
      <circle cx="4.6" cy="19.5" r="2.2" />
      <circle cx="27" cy="11.5" r="2.2" />
    </svg>
  );
}

function Lost() {
  return (
    <section class="empty">
      <h1>Nothing is here</h1>
      <p>The page <code>{location_.value}</code> does not exist.</p>
      <Link to="/" class="button">To the lobby</Link>
    </section>
  );
}

/** Every page is about a game. */
function NoGames() {
  return (
    <section class="empty">
      <h1>The games of this server did not come</h1>
      <p>Without them no page can be shown.</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>Load the page again</button>
    </section>
  );
}

/** Servers that each say that another one has a match. */
function Stranded({ to }: { to: string }) {
  return (
    <section class="empty stranded">
      <h1>This match is being handed over</h1>
      <p>This page has been sent from server to server several times within a minute, so it stays here. Nothing is lost: one of them will have the match in a moment.</p>
      <p class="dim">This server says that it is at {to}</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={moveAgain}>Try again</button>
        <Link to="/" class="button">To the lobby</Link>
      </div>
    </section>
  );
}

function Refused({ reason }: { reason: string }) {
  return (
    <Dialog title="The server has closed this page's connection" onClose={() => location.reload()}>
      <p>{reason}</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>Load the page again</button>
    </Dialog>
  );
}

const root = document.getElementById("app");
if (root) {
  void Promise.allSettled([loadMe(), loadGames()]).then(() => render(<App />, root));
}
