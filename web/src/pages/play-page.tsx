// Playing a given deck against a bot: where "play this deck" leads.

import { query } from "../router.js";
import { Page, Pending, Section, useDecks } from "./common.js";
import { PlayBot } from "./play.js";

export function PlayDeck() {
  const decks = useDecks();
  const wanted = new URLSearchParams(query.value).get("deck");
  const deck = decks.data?.find((one) => one.id === wanted);
  return (
    <Page title={deck ? `Play ${deck.name}` : "Play"}>
      <Section title="Against a bot" class="hero narrow">
        {decks.data ? <PlayBot decks={decks.data} {...(deck ? { deck: deck.id } : {})} /> : <Pending error={decks.error} what="The decks" />}
      </Section>
    </Page>
  );
}
