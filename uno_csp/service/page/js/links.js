// Links that hold a question: as compressed JSON in the query of the URL, where the server can read
// it for a preview, or in the fragment if it is too long for a query.

import { parseExact, stringifyExact } from "./exact.js";
import { Problem } from "./failing.js";
import { formed } from "./store.js";

const DAMAGED = "The link is damaged: it holds no question.";
const MOST_IN_QUERY = 8000; // characters

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

function toBase64(bytes) {
  const chars = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(chars).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
    char.charCodeAt(0),
  );
const toText = (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const encoded = (value) => new TextEncoder().encode(stringifyExact(value));

export const pack = async (value) =>
  toBase64(await through(new CompressionStream("deflate-raw"), encoded(value)));
const unpack = async (packed) =>
  toText(await through(new DecompressionStream("deflate-raw"), toBytes(packed)));

// The shortest link to a value, relative to its page.
export async function linkOf(value) {
  const packed = await pack(value);
  return packed.length <= MOST_IN_QUERY ? `?q=${packed}` : `#z=${packed}`;
}

// A fragment with the value as it is, for the address bar: unlike a link it is made at once.
export const fragmentOf = (value) => `#q=${toBase64(encoded(value))}`;

export const holdsValue = ({ hash, search }) => hash !== "" || new URLSearchParams(search).has("q");

// The JSON in a link of any of these kinds.
async function textOfLink({ hash, search }) {
  const [name, value] = [hash.slice(0, 3), hash.slice(3)];
  if (name === "#q=") return toText(toBytes(value));
  if (name === "#z=") return unpack(value);
  if (hash) throw new Error(DAMAGED);
  return unpack(new URLSearchParams(search).get("q"));
}

// The object in a link, in the form of an example; a problem if the link holds none.
export async function objectOfLink(location, example, kind) {
  const text = await textOfLink(location).catch(() => "");
  if (!text.trim().startsWith("{")) throw new Problem(`The link is damaged: it holds no ${kind}.`);
  return formed(example, JSON.parse(text));
}

// The JSON of the question in a link.
export async function questionOfLink(location) {
  try {
    const text = await textOfLink(location);
    parseExact(text);
    return text;
  } catch {
    throw new Problem(DAMAGED);
  }
}
