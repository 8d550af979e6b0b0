// With which cards and rules a match is played, where these are not the newest.

import { isNewest } from "../games.js";
import type { Table } from "../protocol.js";

/** So many digits of a hash tell catalogues apart. */
const SHORT = 12;

/** A quiet line for a match that goes on as it began, whatever has changed since. */
export function Edition({ table }: { table: Table }) {
  if (isNewest(table)) return null;
  return (
    <small class="dim edition">
      Played with the cards and rules of before, as it began (<code title={table.catalogue}>{table.catalogue.slice(0, SHORT)}</code>).
    </small>
  );
}
