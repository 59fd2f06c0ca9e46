// Values of cards and names of vertices as text, in the same way as the program writes them.

const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single marks are meant
  /(?! )[\p{C}\p{Z}]|[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]/gu;
const QUOTED = /^-?\d*$|[\s\\"'`()[\]{}<>,;:|]/u;

// A text in one line: control characters, line ends and direction marks are escaped.
export const printable = (text) =>
  String(text).replace(UNSEEN, (char) => `\\u{${char.codePointAt(0).toString(16)}}`);

// A value that can stand in a list: it is quoted if it could be taken for something else.
export function named(value) {
  const text = printable(value);
  return typeof value === "string" && (QUOTED.test(value) || text !== value) ? `"${text}"` : text;
}
