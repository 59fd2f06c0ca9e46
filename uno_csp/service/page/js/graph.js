// The page of Hamiltonian problems: a graph as text, file or sketch, its answer, and a drawing.

import { certifyGraph, solveGraph } from "./api.js";
import { share } from "./dialog.js";
import { Problem, trying } from "./failing.js";
import { numberIn } from "./fields.js";
import { download, downloadCertificate, onlyOne, takeDrops, textOf } from "./files.js";
import { drawingOf, isEditable, Sketch, savedPicture } from "./graph_drawing.js";
import { holdsValue, linkOf, objectOfLink } from "./links.js";
import { named } from "./names.js";
import { intoView } from "./status.js";

const MOST_TYPED = 100_000; // characters in the box; a larger text is kept beside it
const MOST_IN_LINK = 100_000; // characters of a link
const MORE_S = 30; // seconds for an answer and its certificate
const TICK_MS = 500;

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

const WORDS = {
  cycle: {
    SATISFIABLE: "Yes: there is a Hamiltonian cycle.",
    UNSATISFIABLE: "No: there is no Hamiltonian cycle.",
  },
  path: {
    SATISFIABLE: "Yes: there is a Hamiltonian path.",
    UNSATISFIABLE: "No: there is no Hamiltonian path.",
  },
  paths: { OPTIMAL: ({ objective }) => `The fewest paths that cover the graph: ${objective}.` },
  longest: { OPTIMAL: ({ objective }) => `A longest path visits ${objective} of the vertices.` },
};
const QUESTION = { text: "", goal: "cycle", source: "", target: "", isolated: false };
const FOUND = {
  longest: ({ objective, bound }) => `${objective ?? 0} vertices; at most ${bound ?? "all"}`,
  paths: ({ objective, bound }) => `${objective ?? "?"} paths; at least ${bound ?? 1}`,
};

function petersen() {
  const edges = [];
  for (let i = 0; i < 5; i += 1)
    edges.push([i, (i + 1) % 5], [i, i + 5], [i + 5, ((i + 2) % 5) + 5]);
  return edges;
}

function knight() {
  const edges = [];
  const name = (row, column) => "abcdef"[column] + (row + 1);
  for (let row = 0; row < 6; row += 1)
    for (let column = 0; column < 6; column += 1)
      for (const [down, right] of [
        [1, 2],
        [2, 1],
        [2, -1],
        [1, -2],
      ])
        if (row + down < 6 && column + right >= 0 && column + right < 6)
          edges.push([name(row, column), name(row + down, column + right)]);
  return edges;
}

// The generalised Petersen graph GP(10, 2).
function dodecahedron() {
  const edges = [];
  for (let i = 0; i < 10; i += 1)
    edges.push([i, (i + 1) % 10], [i, i + 10], [i + 10, ((i + 2) % 10) + 10]);
  return edges;
}

const EXAMPLES = { petersen, knight, dodecahedron };

let big = null; // a text that is too large for the box, with the name of its file
let alone = false; // whether the text has vertices without an edge, as a sketch may have
let running = null; // the request that is waited for
let answered = null; // the last answer

const attempt = trying((words) => clear(words, "problem"));

const textNow = () => big?.text ?? at("text").value;

function put(text, name = "") {
  big = text.length > MOST_TYPED ? { name, text } : null;
  at("text").hidden = big !== null;
  at("text").value = big ? "" : text;
  at("big").hidden = big === null;
  at("big-name").textContent = big
    ? `${name || "The graph"}, ${(text.length / 1e6).toFixed(1)} MB, is too large to be shown here. `
    : "";
  alone = false;
}

// What the answer says, and what was found if it is not known.
function verdictWords(answer) {
  const words = WORDS[answer.goal][answer.status];
  if (typeof words === "function") return words(answer);
  if (words) return words;
  const found = FOUND[answer.goal]?.(answer);
  return `Not known: ${answer.reason}.${found ? ` Found so far: ${found}.` : ""}`;
}

const nameWords = (name) => (/^\d+$/.test(name) ? name : named(name));

function show(answer) {
  answered = answer;
  at("take").hidden = !isEditable(answer);
  at("verdict").textContent = verdictWords(answer);
  const tone = { SATISFIABLE: "yes", OPTIMAL: "yes", UNSATISFIABLE: "no" }[answer.status] ?? "";
  at("verdict").className = `verdict ${tone}`;
  const no = answer.status === "UNSATISFIABLE";
  at("reason").textContent = no ? `The reason: ${answer.reason}.` : "";
  at("proof").hidden = !no && answer.status !== "OPTIMAL";
  const used = [answer.method, answer.backend].filter(Boolean).join(" + ") || "by reduction";
  at("how").textContent =
    `${used}, ${answer.wall_s.toFixed(2)} s${answer.checked ? ", checked" : ""}; ${answer.read}`;
  const [picture, words] = drawingOf(answer);
  at("drawing").replaceChildren(...(picture ? [picture] : []), words);
  at("save").hidden = picture === null;
  at("paths").replaceChildren(
    ...(answer.paths ?? []).map((path) => {
      const item = document.createElement("li");
      item.textContent = path.map(nameWords).join(" ");
      return item;
    }),
  );
}

function clear(verdict = "", style = "") {
  at("verdict").textContent = verdict;
  at("verdict").className = `verdict ${style}`;
  for (const id of ["how", "reason"]) at(id).textContent = "";
  for (const id of ["drawing", "paths"]) at(id).replaceChildren();
  at("save").hidden = at("proof").hidden = at("take").hidden = true;
}

// An answer to another question does not stay beside the new one.
function changed() {
  running?.abort();
  clear(
    at("drawing").firstChild || at("how").textContent
      ? "The question has changed: find again."
      : "",
  );
}

function questionNow() {
  const goal = at("goal").value;
  const ends =
    goal === "path" ? { source: at("source").value.trim(), target: at("target").value.trim() } : {};
  const given = Object.fromEntries(Object.entries(ends).filter(([, name]) => name));
  return { text: textNow(), goal, ...given, ...(alone ? { isolated: true } : {}) };
}

function idle(now) {
  at("bar").classList.toggle("idle", now);
  at("cancel").setAttribute("aria-disabled", String(now));
}

// Show how much of the time is spent, until the answer is there.
function busy(seconds) {
  const began = performance.now();
  const draw = () => {
    at("bar").value = Math.min(1, (performance.now() - began) / (1000 * seconds));
  };
  const timer = setInterval(draw, TICK_MS);
  draw();
  idle(false);
  return (last) => {
    clearInterval(timer);
    if (!last) return;
    idle(true);
  };
}

// Ask the server for something, with the progress bar, unless another question is asked meanwhile.
async function wait(ask, asked, seconds, onReply) {
  running?.abort();
  const own = new AbortController();
  running = own;
  const done = busy(seconds);
  try {
    const reply = await ask({ ...asked, time_limit_s: seconds }, own.signal);
    if (running === own) await onReply(reply);
  } catch (error) {
    if (!own.signal.aborted) throw error;
  } finally {
    done(running === own || running === null);
  }
}

// Answer the question; it becomes a step of the browser's history.
async function find({ returning = false, starting = false } = {}) {
  const asked = questionNow();
  if (!asked.text.trim()) throw new Problem("Type, draw or open a graph first.");
  const seconds = numberIn(at("limit"));
  clear("Looking …");
  if (!returning) await remember(asked);
  await wait(solveGraph, asked, seconds, show);
  if (!returning && !starting) intoView(at("verdict"));
}

// Download the certificate of a NO or an optimum; the answer stays, whatever comes of it.
const certify = () =>
  trying((words) => {
    at("certified").textContent = words;
  })(() => wait(certifyGraph, questionNow(), MORE_S, downloadCertificate));

// The link to a question; none if its graph is too large.
const shortLinkOf = async (asked) => {
  const link = big ? "" : await linkOf(asked);
  return link.length <= MOST_IN_LINK ? link : "";
};

async function remember(asked) {
  const place = location.pathname + (await shortLinkOf(asked));
  if (place === location.pathname + location.search + location.hash) return;
  if (holdsValue(location)) history.pushState(null, "", place);
  else history.replaceState(null, "", place);
}

async function shareLink() {
  const say = (words) => {
    at("shared").textContent = words;
  };
  const link = await shortLinkOf(questionNow());
  if (link) await share(new URL(location.pathname + link, location.href).href, say);
  else say("The graph is too large for a link: share its file.");
}

// Open the question of the address.
async function open() {
  const asked = await objectOfLink(location, QUESTION, "graph");
  put(asked.text);
  alone = asked.isolated;
  at("goal").value = Object.hasOwn(WORDS, asked.goal) ? asked.goal : QUESTION.goal;
  for (const end of ["source", "target"]) at(end).value = asked[end];
  showEnds();
  await find({ returning: true });
}

async function read(files) {
  const file = onlyOne(files);
  put(await textOf(file), file.name);
  await find();
}

function showEnds() {
  for (const end of document.querySelectorAll(".end"))
    end.toggleAttribute("hidden", at("goal").value !== "path");
}

const sketch = new Sketch(at("sketch"), (text, lone) => {
  put(text);
  alone = lone;
  changed();
});

function wire() {
  const onClick = (id, doing) => at(id).addEventListener("click", () => attempt(doing));
  onClick("find", find);
  onClick("cancel", () => {
    if (at("cancel").getAttribute("aria-disabled") === "true") return;
    running?.abort();
    running = null;
    clear("Cancelled.");
  });
  onClick("share", shareLink);
  onClick("certify", certify);
  onClick("save", () => download("graph.svg", savedPicture(at("drawing").querySelector("svg"))));
  onClick("take", () => sketch.take(answered));
  onClick("undo", () => sketch.undo());
  onClick("wipe", () => sketch.clear());
  onClick("retype", () => {
    put("");
    changed();
    at("text").focus();
  });
  at("open").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", () =>
    attempt(async () => {
      const files = [...at("file").files];
      at("file").value = "";
      if (files.length) await read(files);
    }),
  );
  at("text").addEventListener("input", () => {
    alone = false;
    changed();
  });
  for (const id of ["goal", "source", "target"])
    at(id).addEventListener("change", () => {
      showEnds();
      changed();
    });
  for (const button of document.querySelectorAll("[data-example]"))
    button.addEventListener("click", () =>
      attempt(() => {
        const edges = EXAMPLES[button.getAttribute("data-example")]();
        put(edges.map((edge) => edge.join(" ")).join("\n"));
        return find();
      }),
    );
  takeDrops((files) => attempt(() => read(files)));
  addEventListener("popstate", () => attempt(start));
}

function start() {
  if (holdsValue(location)) return open();
  put(
    knight()
      .map((edge) => edge.join(" "))
      .join("\n"),
  );
  return find({ starting: true });
}

wire();
attempt(start);
