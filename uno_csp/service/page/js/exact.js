// Lossless reading and writing of JSON: a number that JavaScript cannot hold, which is an integer
// beyond 2^53 or 1e400, keeps its original spelling; every other one can be computed with.

import { Problem } from "./failing.js";

class Spelt {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const MARK = "\u0000spelt:";

function isHeld(token) {
  const value = Number(token);
  return /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function marked(token) {
  if (token.startsWith('"')) {
    if (JSON.parse(token).startsWith(MARK))
      throw new Problem("a string in this JSON cannot be represented");
    return token;
  }
  return isHeld(token) ? token : JSON.stringify(MARK + token);
}

export function parseExact(text) {
  JSON.parse(text); // throws the usual error if the text is not JSON
  return JSON.parse(text.replace(TOKEN, marked), (_, value) =>
    typeof value === "string" && value.startsWith(MARK)
      ? new Spelt(value.slice(MARK.length))
      : value,
  );
}

export function stringifyExact(value) {
  const text = JSON.stringify(value, (_, each) =>
    each instanceof Spelt ? MARK + each.text : each,
  );
  return text.replace(TOKEN, (token) => {
    const inner = token.startsWith('"') ? JSON.parse(token) : "";
    return inner.startsWith(MARK) ? inner.slice(MARK.length) : token;
  });
}
