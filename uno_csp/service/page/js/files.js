// Files: opened by a button or dropped on the page, read by the server, and saved.

import { Problem } from "./api.js";
import { element } from "./cards.js";

const MOST_LINES = 200; // questions listed of one file

export function download(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text])) });
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function textOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Problem("The file is not UTF-8 text.");
  }
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
export function takeDrops(onFile) {
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
    onFile(event.dataTransfer.files[0]);
  });
}
