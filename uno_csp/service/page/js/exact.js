// JSON read and written without losing anything: a number that JavaScript would change, an integer
// beyond 2^53 or 1.0, is kept as it was spelt.

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

function marked(token) {
  if (token.startsWith('"')) {
    if (JSON.parse(token).startsWith(MARK)) throw new Error("a text here cannot be shown");
    return token;
  }
  return String(Number(token)) === token ? token : JSON.stringify(MARK + token);
}

export function parseExact(text) {
  JSON.parse(text); // what is no JSON is told of in its own words
  return JSON.parse(text.replace(TOKEN, marked), (_, value) =>
    typeof value === "string" && value.startsWith(MARK) ? new Spelt(value.slice(MARK.length)) : value,
  );
}

export function stringifyExact(value) {
  const text = JSON.stringify(value, (_, each) => (each instanceof Spelt ? MARK + each.text : each));
  return text.replace(TOKEN, (token) => {
    const inner = token.startsWith('"') ? JSON.parse(token) : "";
    return inner.startsWith(MARK) ? inner.slice(MARK.length) : token;
  });
}
