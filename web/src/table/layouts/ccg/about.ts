// What is read from a card of the Customizable Card Game in a way of its own.

import type { CardInfo } from "../../../protocol.js";
import { type CardEnd, type Reading, typeWords } from "../about.js";

function ends(info: CardInfo): readonly CardEnd[] | null {
  if (info.kind !== "Location") return null;
  const of = (side: string, name: string): CardEnd => ({
    side,
    icons: info.numbers[`${side}_icons`] ?? 0,
    text: info.text.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : /^(Dark|Light) Side: /.test(line) ? [] : [line])),
  });
  const [dark, light] = [of("dark", "Dark Side"), of("light", "Light Side")];
  return info.side === "dark" ? [light, dark] : [dark, light];
}

export const ccg: Reading = {
  typeLine: (told, info) => {
    const parsec = info.numbers.parsec === undefined ? "" : ` · parsec ${info.numbers.parsec}`;
    return [info.kind, typeWords(told, info).join(info.kind === "Interrupt" ? " or " : " ") + parsec];
  },
  ends,
};
