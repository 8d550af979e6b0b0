// What is read from a card of Star Wars: The Card Game in a way of its own.

import type { Reading } from "../about.js";

export const lcg: Reading = {
  typeLine: (told, info) => {
    const affiliation = told.family?.words.find((one) => info.subtypes.includes(one)) ?? "";
    const traits = info.subtypes.filter((word) => word !== affiliation).join(", ");
    return [info.kind, [info.kind === "Affiliation" ? "" : affiliation, traits].filter(Boolean).join(" · ")];
  },
};
