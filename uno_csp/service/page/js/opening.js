// Questions that come to the page of hands: from a file, a link, an example, a deal, or a step back.

import { exportModel, parseText } from "./api.js";
import { share } from "./dialog.js";
import { address, attempt, change, clear, draw, page, past, put, view } from "./entering.js";
import { parseExact } from "./exact.js";
import { download, linesOf, offerLines, textOf } from "./files.js";
import { remembered } from "./jobs.js";
import { fragmentOf, holdsValue, linkOf, questionOfLink } from "./links.js";
import { copyOf, freshState, fromJson, KINDS, putAll, startAnew, toJson } from "./question.js";
import { finish, reopen, solve } from "./solving.js";
import { intoView, say } from "./status.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

// Put a question on the page; return false if it belongs to the page of the real game.
export function load(asked) {
  const here = asked.question !== "open-game";
  if (here) put(asked);
  else location.assign(`game${fragmentOf(asked)}`);
  return here;
}

// Load a question and answer it.
export async function open(asked) {
  if (!load(asked)) return;
  intoView(at("status"));
  await solve();
}

// Until a question is read, Solve is disabled, as a click would solve the previous one.
export async function reading(step) {
  say("Reading ...");
  at("solve").disabled = true;
  try {
    return await step();
  } finally {
    at("solve").disabled = false;
  }
}

// The server parses files and links, so that the page accepts and refuses what the command line
// does.
async function read(text) {
  const here = load(await parseText(text));
  if (here) say("Loaded. Solve it when you like.");
  return here;
}

export async function openFile(file) {
  const text = await textOf(file);
  const lines = linesOf(file.name, text);
  at("lines").hidden = true;
  if (!lines.length) return read(text);
  if (lines.length === 1) return read(lines[0].text);
  say(`${file.name} holds ${lines.length} questions: choose one.`);
  const choose = (line) => attempt(() => reading(() => read(line)));
  return offerLines(at("lines"), file.name, lines, KINDS, choose);
}

async function openLink() {
  if (await reading(async () => read(await questionOfLink(location)))) await solve();
}

export async function shareLink() {
  const link = await linkOf(toJson(page.state));
  await share(new URL(location.pathname + link, location.href).href, say);
}

export function saveModel() {
  const best = KINDS[page.state.kind].sense !== "decide";
  const [to, ending] = best ? ["wcnf", "wcnf"] : ["dimacs", "cnf"];
  return exportModel(toJson(page.state), to).then((text) => download(`question.${ending}`, text));
}

// Show the initial example: a question whose answer is known.
async function showExample(again = false) {
  const found = parseExact(await (await fetch("example.json")).text());
  if (location.hash || (page.acted && again !== true)) return;
  clear();
  say("");
  page.state = fromJson(found.question);
  page.example = true;
  page.ready = found;
  draw();
}

// Ask for another hand that was dealt; the user's own hand will begin anew.
export function deal(cards) {
  page.hands.forget();
  history.pushState(history.state, "", location.href);
  change(() => (page.state = { ...freshState(), hands: [cards, []] }));
  page.example = true;
}

// Begin a hand of the user's own, where it is typed.
export function own() {
  page.hands.forget();
  change(() => {
    for (const target of ["hand 0", "after"]) putAll(page.state, target, []);
    startAnew(page.state);
  });
  at("hands").querySelector("textarea").focus();
}

function goTo(found) {
  if (!found) return;
  page.watch.let(null);
  page.state = copyOf(found.state);
  page.example = found.example;
  page.ready = null;
  const { asked, job } = found.shown ?? {};
  history.replaceState(
    { ours: true, job: job?.id },
    "",
    page.example ? location.pathname : address(),
  );
  clear();
  draw();
  if (job) finish(asked, job, false);
  else say("");
}

export const undo = () => page.hands.forget() || (past.canUndo && goTo(past.undo(view())));
export const redo = () => past.canRedo && goTo(past.redo(view()));

// Load at start: this page's job after a reload, else a link, the last job, or the example.
export async function begin() {
  const { job } = history.state ?? {};
  const last = remembered()[0];
  if (job && location.hash) return reopen(job, () => page.acted).catch(openLink);
  if (holdsValue(location)) return openLink();
  if (last) return reopen(last.id, () => page.acted || location.hash !== "").catch(showExample);
  await showExample();
}

// Show the question of a step of the history, or answer a link pasted into the address bar.
export async function goBack(entry) {
  page.returning = true;
  try {
    if (entry?.job) await reopen(entry.job);
    else if (!holdsValue(location)) await showExample(true);
    else if (entry?.ours) put(parseExact(await questionOfLink(location)));
    else await openLink();
  } finally {
    page.returning = false;
  }
}
