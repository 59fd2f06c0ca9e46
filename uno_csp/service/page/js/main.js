// The page: state, what is drawn of it, and what the buttons do.

import { clearAnswer, showAnswer } from "./answer.js";
import {
  Problem, cancelJob, createJob, events, exportModel, getCertificate, getJob, getQuestions, parseText,
} from "./api.js";
import { drawBoard } from "./board.js";
import { cardElement, element, nameOf } from "./cards.js";
import { EXAMPLES } from "./examples.js";
import { stringifyExact } from "./exact.js";
import {
  KINDS, askAs, fragmentOf, freshState, fromJson, has, learn, listOf, remove, targetsOf, textOfFragment, toFragment,
  toJson, toggle,
} from "./question.js";

const MEMORY = "uno-csp-jobs";
const REMEMBERED = 8;
const RETRY_MS = 1000;
const at = (id) => document.getElementById(id);
let state = freshState();
let current = null; // the job that is watched

function draw() {
  at("kind").value = state.kind;
  at("how-played").replaceChildren(
    KINDS[state.kind].how_played, " ", element("a", { href: "game" }, "The real game is played here."),
  );
  at("axes").value = state.axes;
  at("axes-size").hidden = state.axes === "deck";
  at("colours").value = state.colours;
  at("numbers").value = state.numbers;
  at("copies").value = String(state.copies);
  const targets = targetsOf(state);
  if (!targets.some(([target]) => target === state.target)) state.target = "hand 0";
  at("targets").replaceChildren(
    element("legend", {}, "A click puts a card"),
    ...targets.map(([target, words]) => {
      const chosen = state.target === target;
      const radio = element("input", { type: "radio", name: "target", value: target, checked: chosen });
      radio.addEventListener("change", () => change(() => (state.target = target)));
      return element("label", {}, radio, ` ${words}`);
    }),
  );
  drawBoard(at("board"), state, (card) => change(() => toggle(state, card)));
  drawHands(targets);
}

function drawHands(targets) {
  const titles = { after: "Pile", supply: "Supply" };
  const titleOf = (target) =>
    titles[target] ?? (has(state.kind, "hands") ? `Player ${Number(target.split(" ")[1]) + 1}` : "Hand");
  const shown = targets
    .map(([target]) => [target, listOf(state, target)])
    .filter(([target, cards]) => cards.length || target.startsWith("hand") || (target === "supply" && state.supply));
  at("hands").replaceChildren(
    ...shown.flatMap(([target, cards]) => [
      element("div", { class: "hand-title" }, `${titleOf(target)}: ${cards.length}`),
      element("ul", { class: "cards" }, ...cards.map((card) => removable(target, card))),
    ]),
  );
}

function removable(target, card) {
  const face = cardElement(card);
  const label = `take ${nameOf(card)} away`;
  const button = element("button", { class: face.className, title: label, "aria-label": label }, face.textContent);
  button.addEventListener("click", () => change(() => remove(state, target, card)));
  return element("li", {}, button);
}

function change(how) {
  how();
  clearAnswer(at("answer"), at("board"));
  history.replaceState(null, "", toFragment(state));
  draw();
}

function say(words, problem = false) {
  at("status").textContent = words;
  at("status").classList.toggle("problem", problem);
}

// Nothing is done before it is known which questions there are; what fails is tried again.
let asking = null;

function known() {
  asking ??= getQuestions().then((rows) => {
    learn(rows);
    at("kind").replaceChildren(...Object.values(KINDS).map(({ name, title }) => element("option", { value: name }, title)));
    draw();
  });
  asking.catch(() => (asking = null));
  return asking;
}

async function attempt(doing) {
  try {
    await known();
    await doing();
  } catch (error) {
    say(error instanceof Problem ? error.message : `Something went wrong: ${error.message}`, true);
  }
}

async function solve() {
  clearAnswer(at("answer"), at("board"));
  const asked = toJson(state);
  say("Asking ...");
  await ask(asked);
}

async function ask(asked, proof = false) {
  const job = await createJob(asked, Number(at("seconds").value), proof);
  keep({ id: job.id, question: asked.question, when: Date.now() });
  await watch(job.id, asked);
  return job.id;
}

// The proof of an answer; where the job was not asked for one, another job is.
async function prove(asked, job) {
  let id = job.id;
  let { certificate } = job.answer;
  if (!certificate) {
    say("Looking for a proof ...");
    id = await ask(asked, true);
    ({ certificate } = (await getJob(id)).answer ?? {});
  }
  if (certificate?.kind) download("certificate.zip", await getCertificate(id));
}

async function watch(id, asked) {
  current = id;
  at("cancel").hidden = false;
  at("solve").disabled = true;
  try {
    while (current === id && !(await follow(id, asked))) {
      say("The server is away; trying again ...");
      await new Promise((wake) => setTimeout(wake, RETRY_MS));
    }
  } finally {
    if (current === id) {
      current = null;
      at("cancel").hidden = true;
      at("solve").disabled = false;
    }
    drawJobs();
  }
}

// Whether the job came to its end; a stream that breaks off is taken up again.
async function follow(id, asked) {
  let ended = null;
  try {
    for await (const { event, data } of events(id)) {
      if (current !== id) return true;
      if (event === "state") say(data.state === "queued" ? "Waiting for its turn ..." : `${data.state} ...`);
      if (event === "progress") say(progressWords(data));
      if (event === "end") {
        ended = data;
        break;
      }
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
  }
  if (ended) finish(asked, ended);
  return ended !== null;
}

function progressWords({ rounds, cuts, elapsed_s: elapsed, objective, bound, proving }) {
  if (proving) return "The answer is found. Looking for a proof ...";
  const found = objective == null ? "" : `, found ${objective}`;
  const proved = bound == null ? "" : `, proved ${bound}`;
  return `Round ${rounds}, ${cuts} cuts${found}${proved}, ${Number(elapsed).toFixed(1)} s`;
}

function finish(asked, job) {
  if (job.state === "done") {
    say("Done.");
    showAnswer(at("answer"), at("board"), asked, job.answer, job.cached, () => attempt(() => prove(asked, job)));
  } else if (job.state === "cancelled") say("Cancelled.");
  else say(job.problem?.detail ?? job.state, true);
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) ?? [];
  } catch {
    return [];
  }
}

function keep(entry) {
  localStorage.setItem(MEMORY, JSON.stringify([entry, ...remembered()].slice(0, REMEMBERED)));
  drawJobs();
}

function drawJobs() {
  const kept = remembered();
  at("jobs").replaceChildren(
    ...kept.map(({ id, question, when }) =>
      element(
        "li",
        {},
        element("button", { onclick: () => attempt(() => reopen(id)) }, "Show"),
        `${KINDS[question]?.title ?? question} ${new Date(when).toLocaleTimeString()}`,
      ),
    ),
  );
  if (!kept.length) at("jobs").append(element("li", { class: "quiet" }, "None yet."));
}

async function reopen(id) {
  const job = await getJob(id);
  state = fromJson(job.instance);
  change(() => {});
  await watch(id, job.instance);
}

function download(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text])) });
  link.click();
  URL.revokeObjectURL(link.href);
}

function load(asked) {
  if (asked.question === "open-game") return location.assign(`game${fragmentOf(asked)}`);
  state = fromJson(asked);
  change(() => {});
  say("Nothing asked yet.");
}

// The server reads files and links, so that the page takes and refuses what the command line does.
// Until it has, there is nothing to solve: a click would ask what was there before.
async function read(text) {
  say("Reading ...");
  at("solve").disabled = true;
  try {
    load(await parseText(await text));
  } finally {
    at("solve").disabled = current !== null;
  }
}

async function textOf(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Problem("The file is not UTF-8 text.");
  }
}

async function openLink() {
  let text;
  try {
    text = textOfFragment(location.hash);
  } catch {
    throw new Problem("The link is damaged: it holds no question.");
  }
  await read(text);
}

function wire() {
  at("axes").append(
    element("option", { value: "deck" }, "of the official deck"),
    element("option", { value: "plain" }, "of numbers"),
  );
  at("kind").addEventListener("change", (event) => change(() => askAs(state, event.target.value)));
  at("axes").addEventListener("change", (event) => {
    const { kind, copies } = state;
    change(() => (state = { ...freshState(), kind, copies, axes: event.target.value }));
  });
  for (const id of ["colours", "numbers", "copies"]) {
    at(id).addEventListener("change", (event) => change(() => (state[id] = Math.min(40, Math.max(1, Number(event.target.value) || 1)))));
  }
  at("solve").addEventListener("click", () => attempt(solve));
  at("cancel").addEventListener("click", () => attempt(() => cancelJob(current)));
  at("clear").addEventListener("click", () => {
    const { kind, axes, colours, numbers, copies } = state;
    change(() => (state = { ...freshState(), kind, axes, colours, numbers, copies }));
    say("Nothing asked yet.");
  });
  at("share").addEventListener("click", () => attempt(async () => {
    history.replaceState(null, "", toFragment(state));
    await navigator.clipboard?.writeText(location.href);
    say("The link is in the clipboard, and in the address.");
  }));
  at("save").addEventListener("click", () => download("question.json", stringifyExact(toJson(state))));
  at("dimacs").addEventListener("click", () => attempt(async () => {
    const best = KINDS[state.kind].sense !== "decide";
    download(`question.${best ? "wcnf" : "cnf"}`, await exportModel(toJson(state), best ? "wcnf" : "dimacs"));
  }));
  at("open").addEventListener("change", (event) => attempt(async () => {
    const [file] = event.target.files;
    event.target.value = ""; // so that the same file can be opened again
    if (file) await read(textOf(file));
  }));
  at("gallery").append(
    ...EXAMPLES.map(({ title, about, question }) =>
      element("button", { onclick: () => attempt(async () => load(question)) }, title, element("small", {}, about)),
    ),
  );
}

wire();
addEventListener("hashchange", () => attempt(openLink)); // a link put into the open page
addEventListener("resize", () => at("board").redraw?.());
attempt(async () => {
  drawJobs();
  if (location.hash.startsWith("#q=")) await openLink();
  const last = remembered()[0];
  if (last && !location.hash) await reopen(last.id);
});
fetch("results/").then((response) => (at("results-link").hidden = !response.ok)).catch(() => {});
