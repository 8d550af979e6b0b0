// A match starts with the stops that the player has chosen in the settings.

import { socket } from "../net.js";
import type { ServerMessage, Stops, Table } from "../protocol.js";
import { stopsWanted } from "../settings.js";
import { findAbout } from "../table/layouts/about.js";

const told = new Set<string>();

/** Once for each match, and only where nothing else was set at the table. */
function hear(message: ServerMessage) {
  if (message.type !== "update" || message.base !== 0 || told.has(message.table)) return;
  const table = message.patch as Partial<Table>;
  const wanted = stopsWanted.value;
  const isUsual = (stops: Stops) => !stops.full_control && !stops.auto_pass && stops.except.length === 0;
  const usual = isUsual(wanted);
  const untouched = table.stops && isUsual(table.stops);
  if (usual || !untouched || typeof table.seat !== "number" || table.state?.is === "over") return;
  told.add(message.table);
  // The wishes may be of another game, with other windows.
  const known = (findAbout(table.game ?? "")?.windows ?? []).map((window) => window.name);
  const except = wanted.except.filter((name) => known.includes(name));
  socket.send({ type: "stops", table: message.table, stops: { ...wanted, except } });
}

export function startUsualStops() {
  socket.listen(hear);
}
