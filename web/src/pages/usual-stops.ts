// A match starts with the stops that the player has chosen in the settings.

import { socket } from "../net.js";
import type { ServerMessage, Table } from "../protocol.js";
import { stopsWanted } from "../settings.js";

const told = new Set<string>();

/** Once for each match, and only where nothing else was set at the table. */
function hear(message: ServerMessage) {
  if (message.type !== "update" || message.base !== 0 || told.has(message.table)) return;
  const table = message.patch as Partial<Table>;
  const wanted = stopsWanted.value;
  const usual = !wanted.full_control && !wanted.auto_pass;
  const untouched = table.stops && !table.stops.full_control && !table.stops.auto_pass;
  if (usual || !untouched || typeof table.seat !== "number" || table.state?.is === "over") return;
  told.add(message.table);
  socket.send({ type: "stops", table: message.table, stops: wanted });
}

export function startUsualStops() {
  socket.listen(hear);
}
