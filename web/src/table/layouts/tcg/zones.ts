// Zones of the Trading Card Game that the board draws.

export const ARENAS = [
  { zone: "space", name: "Space" },
  { zone: "ground", name: "Ground" },
  { zone: "character", name: "Character" },
] as const;
/** Each player's own, by its name without the seat. */
export const BUILD = "build";
/** Where cards lie while they are played. */
export const MIDDLE: readonly string[] = ["table"];
