// Files: opened by a button or dropped on the page, read by the server, and saved.

import { element } from "./cards.js";
import { Problem } from "./failing.js";

const MOST_LINES = 200; // questions listed of one file
const MOST_BYTES = 8e6; // of a file: the server takes a little more

export function download(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text])) });
  link.click();
  URL.revokeObjectURL(link.href);
}

// Beginnings of files that are no text, as bytes in hexadecimal digits.
const NO_TEXT = {
  __proto__: null,
  "89504e47": "a picture",
  47494638: "a picture",
  52494646: "a picture or a sound",
  ffd8ff: "a picture",
  25504446: "a PDF",
  "504b0304": "a packed file: unpack it first",
  "1f8b": "a packed file: unpack it first",
};

// Download a certificate, and the program that verifies it.
export async function downloadCertificate(packed) {
  const verifier = await (await fetch("uno-verify")).blob();
  download("certificate.zip", packed);
  download("uno-verify", verifier);
}

// The text of a file, in UTF-8 or UTF-16; a Problem in words if it is too large or no text.
export async function textOf(file) {
  if (file.size > MOST_BYTES)
    throw new Problem(
      `${file.name} has ${Math.ceil(file.size / 1e6)} MB, and this page reads up to 8 MB. The command line reads larger files.`,
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = Array.from(bytes.slice(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const kind = Object.keys(NO_TEXT).find((magic) => start.startsWith(magic));
  if (kind) throw new Problem(`${file.name} is ${NO_TEXT[kind]}, and no text.`);
  const coding = { fffe: "utf-16le", feff: "utf-16be" }[start.slice(0, 4)] ?? "utf-8";
  try {
    const text = new TextDecoder(coding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Told below.
  }
  throw new Problem(`${file.name} is no text in UTF-8 or UTF-16.`);
}

// The only one of the files that were chosen or dropped.
export function onlyOne(files) {
  if (files.length > 1) throw new Problem(`These are ${files.length} files: open one at a time.`);
  return files[0];
}

function isObject(line) {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

// The numbered lines of a file with one question per line; an empty list for any other file.
export function linesOf(name, text) {
  const lines = text
    .split("\n")
    .flatMap((line, index) => (line.trim() ? [{ number: index + 1, text: line }] : []));
  const several = lines.length > 1 && lines.every(({ text: line }) => isObject(line));
  return name.toLowerCase().endsWith(".jsonl") || several ? lines : [];
}

// Title of a line in the list of questions: its name, or its kind of question.
function titleOf(text, kinds) {
  try {
    const { name, question, cards, hands } = JSON.parse(text);
    const count = (cards ?? hands?.flat() ?? []).length;
    return `${name || (kinds[question]?.title ?? question)} (${count} cards)`;
  } catch {
    return "this line cannot be read";
  }
}

// List the questions of a file, so that the user can open one.
export function offerLines(box, name, lines, kinds, onLine) {
  const close = () => (box.hidden = true);
  const buttons = lines
    .slice(0, MOST_LINES)
    .map(({ number, text }) =>
      element(
        "li",
        {},
        element("button", { onclick: () => onLine(text) }, `${number}: ${titleOf(text, kinds)}`),
      ),
    );
  if (lines.length > MOST_LINES)
    buttons.push(element("li", { class: "quiet" }, `and ${lines.length - MOST_LINES} more`));
  box.replaceChildren(
    element("h3", {}, `${name}: ${lines.length} questions`),
    element("ul", { "aria-label": "Questions of the file" }, ...buttons),
    element("button", { onclick: close }, "Close the list"),
  );
  box.hidden = false;
  box.querySelector("button").focus();
}

// Accept files dropped anywhere on the page.
export function takeDrops(onFiles) {
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener(
    "dragleave",
    (event) => event.relatedTarget ?? document.body.classList.remove("dropping"),
  );
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!carries(event)) return;
    event.preventDefault();
    onFiles(event.dataTransfer.files);
  });
}
