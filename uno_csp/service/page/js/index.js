// The main page: its state, drawing, and event handlers.

import { clearAnswer, showAnswer } from "./answer.js";
import {
  cancelJob,
  createJob,
  exportModel,
  getCertificate,
  getJob,
  getQuestions,
  parseText,
} from "./api.js";
import { boardNote, drawBoard } from "./board.js";
import { cardElement, element, listWords } from "./cards.js";
import { Challenge } from "./challenge.js";
import { share } from "./dialog.js";
import { parseExact, stringifyExact } from "./exact.js";
import { EVERYDAY, THEOREMS } from "./examples.js";
import { Problem, plainly, trying } from "./failing.js";
import { download, linesOf, offerLines, onlyOne, takeDrops, textOf } from "./files.js";
import { held, withFours, written } from "./fours.js";
import { Hands } from "./hands.js";
import { noteResult, remember, remembered, Watch } from "./jobs.js";
import { fragmentOf, holdsValue, linkOf, questionOfLink } from "./links.js";
import { printable } from "./names.js";
import { Past } from "./past.js";
import {
  askAs,
  beyondDeck,
  copyOf,
  freshState,
  fromJson,
  has,
  KINDS,
  learn,
  numbersOf,
  putAll,
  putTyped,
  setKey,
  setPlayers,
  setSupply,
  startAnew,
  takeAway,
  takeOne,
  targetsOf,
  toggle,
  toJson,
} from "./question.js";
import { extrasOf, resultOf, rulesWords, verdictOf } from "./words.js";

const NOTHING = "";
const MORE_S = 60; // how much longer a search goes on
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
const past = new Past();
const watch = new Watch(say, at("bar"), busy);
let state = freshState();
let shown = null; // the answer on the page: what was asked, and the job
let begun = false; // whether the page has loaded; from then on changes can be undone
// Whether the user has done anything; if so, the initial content is not loaded over it.
let acted = false;
let example = false; // whether the cards were dealt, not the user's own
let returning = false; // whether a step of the history is being shown, not a new question
let ready = null; // the answer to the initial example, which needs no server
const hands = new Hands(at("hands"), {
  aim: (target) => aim(target),
  put: (target, cards) => change(() => putTyped(state, target, cards), target.startsWith("hand")),
  takeAway: (target, index) => change(() => takeAway(state, target, index)),
  load: (asked) => load(asked),
  enter: () => attempt(solve),
  isExample: () => example,
});
const challenge = new Challenge({
  solve: () => attempt(solve),
  again: () => forgetAnswer(NOTHING),
  deal: (cards) => attempt(() => deal(cards)),
  own: () => attempt(own),
});

function draw() {
  at("kind").value = state.kind;
  drawRules();
  at("axes").value = state.axes;
  at("axes-size").hidden = state.axes === "deck";
  for (const id of ["colours", "numbers", "copies"]) at(id).value = String(state[id]);
  at("players-field").hidden = !has(state.kind, "hands");
  at("players").value = String(state.hands.length);
  at("convention-field").hidden = !has(state.kind, "convention");
  at("convention").value = state.rest.convention ?? "last-mover";
  at("supply-field").hidden = !has(state.kind, "supply");
  at("supply").value = state.supplyFrom;
  at("costs-field").hidden = !has(state.kind, "costs") || state.supplyFrom !== "these";
  at("costs").value = (state.rest.costs ?? []).join(" ");
  at("at-least").value = String(state.rest.at_least ?? 1);
  if (!targetsOf(state).some(([target]) => target === state.target)) state.target = "hand 0";
  drawCards();
  challenge.draw(state);
  // Not `disabled`: the button would lose the focus.
  at("undo").setAttribute("aria-disabled", String(!past.canUndo));
  at("redo").setAttribute("aria-disabled", String(!past.canRedo));
}

// The task's own text, how cards match, and every key that changes the question; each can go.
function drawRules() {
  const { name, comment } = state.rest;
  const without = (label, ...keys) =>
    element(
      "button",
      {
        "aria-label": label,
        title: label,
        onclick: () => attempt(() => change(() => keys.forEach((key) => setKey(state, key, null)))),
      },
      "×",
    );
  at("task").hidden = !name && !comment;
  at("task").replaceChildren(
    ...(name ? [element("strong", {}, printable(name))] : []),
    ...(comment ? [` ${printable(comment)} `] : []),
    without("Remove this text", "name", "comment"),
  );
  at("how-played").replaceChildren(
    rulesWords(KINDS[state.kind].how_played, state.rest),
    " ",
    element("a", { href: "game" }, "The real game is played here."),
  );
  at("extras").replaceChildren(
    ...extrasOf(state.rest).map(([key, words]) =>
      element("li", {}, `${printable(words)} `, without(`Remove: ${words}`, key)),
    ),
  );
}

function drawCards() {
  drawBoard(at("board"), state, {
    toggle: (card) => change(() => toggle(state, card), state.target.startsWith("hand")),
    takeOne: (card) => change(() => takeOne(state, card)),
  });
  const note = boardNote(state);
  at("board-note").hidden = !note;
  at("board-note").textContent = note;
  hands.draw(state);
}

// Set the target of clicks on the board; the question does not change.
function aim(target) {
  state.target = target;
  drawCards();
  at("board").redraw?.();
}

const address = () => location.pathname + fragmentOf(toJson(state));
const view = () => ({ state: copyOf(state), shown, example });

// Change the question; this can be undone. `own` marks a change that starts the user's own hand in
// place of the example.
function change(how, own = false) {
  if (begun) past.keep(view());
  if (example && own) {
    const {
      kind,
      copies,
      target,
      supplyFrom,
      hands: { length },
      rest: { convention },
    } = state;
    state = { ...freshState(), kind, copies, target, supplyFrom };
    if (has(kind, "hands")) setPlayers(state, length);
    if (convention) state.rest.convention = convention;
  }
  how();
  example = false;
  ready = null;
  leaveAnswer();
  history.replaceState({ ours: true }, "", address());
  draw();
}

function leaveAnswer() {
  const running = watch.id !== null;
  if (running) watch.let(null);
  say(
    running
      ? "The question has changed. The answer to the old one will be under “Your questions”."
      : NOTHING,
  );
  clear();
}

function clear() {
  shown = null;
  clearAnswer(at("answer"), at("board"));
  challenge.again();
}

function goTo(found) {
  if (!found) return;
  watch.let(null);
  ({ state, example } = found);
  state = copyOf(state);
  ready = null;
  const { asked, job } = found.shown ?? {};
  history.replaceState({ ours: true, job: job?.id }, "", example ? location.pathname : address());
  clear();
  draw();
  if (job) finish(asked, job, false);
  else say(NOTHING);
}

const undo = () => hands.forget() || (past.canUndo && goTo(past.undo(view())));
const redo = () => past.canRedo && goTo(past.redo(view()));

function say(words, problem = false) {
  at("status").textContent = words;
  at("status").classList.toggle("problem", problem);
  glance(words, problem ? "problem" : "");
}

// On a phone, where the answer is below the board, the bar of buttons shows the status.
function glance(words, style) {
  at("glance").textContent = words;
  at("glance").className = style;
}

function busy(now) {
  if (!now && document.activeElement === at("cancel")) at("solve").focus();
  at("cancel").hidden = !now;
  at("solve").setAttribute("aria-disabled", String(now));
  at("answering").classList.toggle("busy", now);
  at("bar").hidden = !now;
  drawJobs();
}

// Load the kinds of questions, before anything else is done; a failed request is repeated.
let asking = null;

function known() {
  asking ??= getQuestions().then((rows) => {
    learn(rows);
    at("kind").replaceChildren(
      ...Object.values(KINDS).map(({ name, title }) => element("option", { value: name }, title)),
    );
  });
  asking.catch(() => (asking = null));
  return asking;
}

async function attempt(doing) {
  acted = true;
  await tried(doing);
}

const attempted = trying((words) => {
  if (watch.id !== null) watch.let(null);
  forgetAnswer("");
  say(words, true);
  intoView(at("status"));
});

const tried = (doing) => attempted(() => known().then(doing));

// Scroll to an element unless it is visible: on a phone the answer is below the board.
function intoView(what) {
  const { top, bottom } = what.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  what.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
}

let solving = false; // from the click until the server has the question

async function solve() {
  if (solving || watch.id !== null || at("solve").disabled) return;
  solving = true;
  try {
    if (await hands.settle()) await askAnew();
    else forgetAnswer(NOTHING); // an old verdict beside a new error would seem to refer to it
  } finally {
    solving = false;
  }
}

async function askAnew() {
  example = false;
  if (ready) return finish(ready.question, { state: "done", answer: ready.answer, cached: false });
  requireDeck();
  forgetAnswer("Asking ...");
  await ask(toJson(state), false, () => (solving = false));
}

function forgetAnswer(words) {
  clear();
  say(words);
}

function requireDeck() {
  if (!has(state.kind, "supply") || state.supplyFrom !== "rest") return;
  const beyond = beyondDeck(state);
  if (beyond.length)
    throw new Problem(`The deck has no rest: the cards here exceed it by ${listWords(beyond)}.`);
}

async function ask(asked, proof = false, onAccepted = () => {}) {
  const limit = Number(at("seconds").value);
  if (!at("seconds").checkValidity())
    throw new Problem("Seconds: a number from 1 to 3600 is needed; see “Options and files”.");
  const job = await createJob(asked, limit, proof);
  onAccepted();
  remember({ id: job.id, asked: stringifyExact(asked), limit, ...titleOf(held(asked)) });
  await follow(job.id, asked);
  return job.id;
}

// Watch a job. For a reload, the URL holds the question, and the state of the history its job.
async function follow(id, asked) {
  history.replaceState({ ours: true, job: id }, "", address());
  const { limit } = remembered().find((entry) => entry.id === id) ?? {};
  const ended = await watch.follow(id, limit);
  if (ended) finish(asked, ended);
}

// Download the proof of an answer; if its job was not asked for one, start another job.
async function prove(asked, job) {
  let id = job.id;
  let { certificate } = job.answer;
  if (!certificate) {
    say("Looking for a proof ...");
    id = await ask(written(asked), true);
    ({ certificate } = (await getJob(id)).answer ?? {});
  }
  if (!certificate?.kind) return;
  download("certificate.zip", await getCertificate(id));
  download("uno-verify", await (await fetch("uno-verify")).blob());
}

// Ask again, with a minute more than before.
async function goOn() {
  at("seconds").value = String(Math.min(3600, Number(at("seconds").value) + MORE_S));
  ready = null;
  await solve();
}

function finish(question, job, play = true) {
  const asked = held(question);
  shown = { asked, job };
  const cancelled = job.state === "cancelled";
  if (cancelled && !job.answer) return say("Cancelled.");
  if (!cancelled && job.state !== "done") {
    say(plainly(job.problem?.detail ?? job.state), true);
    return intoView(at("status"));
  }
  say(cancelled ? "Cancelled." : "");
  const proving = job.id && !cancelled ? () => attempt(() => prove(asked, job)) : null;
  const lay = challenge.shown ? (items) => challenge.show(items) : null;
  const answer = withFours(asked, job.answer);
  showAnswer(at("answer"), at("board"), asked, answer, {
    cached: job.cached,
    prove: proving,
    play,
    lay,
    goOn: answer.status === "UNKNOWN" && job.id ? () => attempt(goOn) : null,
  });
  challenge.know(answer);
  const [words, , style] = verdictOf(asked, answer);
  glance(words, style);
  noteResult(job.id, { result: resultOf(asked, answer), style });
  drawJobs();
  if (play) intoView(at("answer").querySelector(".verdict"));
}

const LISTED_CARDS = 7; // cards of a question in the list of past questions

// What the list of past questions shows of a question.
function titleOf({ question, cards, hands }) {
  const all = cards ?? hands.flat();
  const plain = (value) => (typeof value === "number" ? value : String(value));
  return {
    question,
    cards: all.slice(0, LISTED_CARDS).map((card) => card.map(plain)),
    more: Math.max(0, all.length - LISTED_CARDS),
  };
}

function drawJobs() {
  const kept = remembered();
  const focused = [...at("jobs").querySelectorAll("button")].indexOf(document.activeElement);
  at("jobs").replaceChildren(
    ...kept.map(({ id, question, cards = [], more = 0, result = "…", style = "" }) =>
      element(
        "li",
        {},
        element(
          "button",
          { onclick: () => attempt(() => reopen(id)) },
          ...cards.map((card) => cardElement(card, "small", "span")),
          more ? element("span", { class: "quiet" }, `+${more}`) : null,
          element("span", { class: `result ${style}` }, result),
          element("span", { class: "quiet" }, KINDS[question]?.title ?? question),
        ),
      ),
    ),
  );
  if (!kept.length) at("jobs").append(element("li", { class: "quiet" }, "None yet."));
  at("jobs").querySelectorAll("button")[focused]?.focus();
}

// Show a job again; one that the server no longer knows is asked again.
async function reopen(id, overtaken = () => false) {
  const entry = remembered().find((each) => each.id === id);
  const job = await getJob(id).catch((error) => {
    if (error.status !== 404 || !entry?.asked) throw error;
    return null;
  });
  if (overtaken()) return;
  put(job?.instance ?? parseExact(entry.asked));
  if (job) await follow(id, job.instance);
  else await solve();
}

// A question is a step of the browser's history.
function put(asked) {
  hands.forget();
  if (begun && !returning) history.pushState(history.state, "", location.href);
  change(() => (state = fromJson(asked)));
}

// Put a question on the page; return false if it belongs to the page of the real game.
function load(asked) {
  const here = asked.question !== "open-game";
  if (here) put(asked);
  else location.assign(`game${fragmentOf(asked)}`);
  return here;
}

// Load a question and answer it.
async function open(asked) {
  if (!load(asked)) return;
  intoView(at("status"));
  await solve();
}

// Until a question is read, Solve is disabled, as a click would solve the previous one.
async function reading(step) {
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

async function openFile(file) {
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

async function shareLink() {
  const link = await linkOf(toJson(state));
  await share(new URL(location.pathname + link, location.href).href, say);
}

function saveModel() {
  const best = KINDS[state.kind].sense !== "decide";
  const [to, ending] = best ? ["wcnf", "wcnf"] : ["dimacs", "cnf"];
  return exportModel(toJson(state), to).then((text) => download(`question.${ending}`, text));
}

// Show the initial example: a question whose answer is known.
async function showExample(again = false) {
  const found = parseExact(await (await fetch("example.json")).text());
  if (location.hash || (acted && again !== true)) return;
  clear();
  say(NOTHING);
  state = fromJson(found.question);
  example = true;
  ready = found;
  draw();
}

// Ask for another hand that was dealt; the user's own hand will begin anew.
function deal(cards) {
  hands.forget();
  history.pushState(history.state, "", location.href);
  change(() => (state = { ...freshState(), hands: [cards, []] }));
  example = true;
}

// Begin a hand of the user's own, where it is typed.
function own() {
  hands.forget();
  change(() => {
    for (const target of ["hand 0", "after"]) putAll(state, target, []);
    startAnew(state);
  });
  at("hands").querySelector("textarea").focus();
}

function wireFields() {
  at("axes").append(
    element("option", { value: "deck" }, "of the official deck"),
    element("option", { value: "plain" }, "of numbers"),
  );
  at("kind").addEventListener("change", (event) =>
    keepExample(() => askAs(state, event.target.value)),
  );
  at("players").addEventListener("change", (event) =>
    keepExample(() => setPlayers(state, Number(event.target.value))),
  );
  at("convention").addEventListener("change", (event) =>
    keepExample(() => (state.rest.convention = event.target.value)),
  );
  at("supply").addEventListener("change", (event) =>
    keepExample(() => setSupply(state, event.target.value)),
  );
  at("costs").addEventListener("change", (event) =>
    change(() => setKey(state, "costs", numbersOf(event.target.value))),
  );
  at("at-least").addEventListener("change", (event) =>
    keepExample(() => {
      const count = Math.round(Number(event.target.value)) || 1;
      setKey(state, "at_least", count > 1 ? count : null);
    }),
  );
  at("axes").addEventListener("change", (event) => {
    const { kind, copies } = state;
    change(() => (state = { ...freshState(), kind, copies, axes: event.target.value }));
  });
  for (const id of ["colours", "numbers", "copies"]) {
    at(id).addEventListener("change", (event) =>
      keepExample(() => (state[id] = Math.min(40, Math.max(1, Number(event.target.value) || 1)))),
    );
  }
}

// Change the question about the example; its cards still count as the example's.
function keepExample(how) {
  const before = example;
  change(how);
  example = before;
}

function wireButtons() {
  const onClick = (id, doing) => at(id).addEventListener("click", () => attempt(doing));
  onClick("solve", solve);
  onClick("glance", () => intoView(at("answering")));
  onClick("cancel", () => watch.id !== null && cancelJob(watch.id));
  onClick("undo", undo);
  onClick("redo", redo);
  onClick("clear", () => {
    const {
      kind,
      axes,
      colours,
      numbers,
      copies,
      hands: { length },
    } = state;
    hands.forget();
    change(() => {
      state = { ...freshState(), kind, axes, colours, numbers, copies };
      if (has(kind, "hands")) setPlayers(state, length);
      askAs(state, kind);
    });
  });
  onClick("share", shareLink);
  onClick("save", () => download("question.json", stringifyExact(toJson(state))));
  onClick("dimacs", saveModel);
  at("open").addEventListener("change", (event) =>
    attempt(async () => {
      const files = [...event.target.files];
      event.target.value = ""; // so that the same file can be opened again
      if (files.length) await reading(() => openFile(onlyOne(files)));
    }),
  );
  takeDrops((files) => attempt(() => reading(() => openFile(onlyOne(files)))));
  for (const [id, examples] of Object.entries({ everyday: EVERYDAY, theorems: THEOREMS })) {
    at(id).append(
      ...examples.map(({ title, about, question }) =>
        element(
          "button",
          { onclick: () => attempt(() => open(question)) },
          title,
          element("small", {}, about),
        ),
      ),
    );
  }
}

function onKey(event) {
  const key = event.key.toLowerCase();
  if (
    !(event.ctrlKey || event.metaKey) ||
    event.altKey ||
    event.target.matches("input[type=number]")
  )
    return;
  if (key === "enter") attempt(solve);
  else if (key === "z" && !event.shiftKey) attempt(undo);
  else if (key === "y" || key === "z") attempt(redo);
  else return;
  event.preventDefault();
}

// Load at start: this page's job after a reload, else a link, the last job, or the example.
async function begin() {
  const { job } = history.state ?? {};
  const last = remembered()[0];
  if (job && location.hash) return reopen(job, () => acted).catch(openLink);
  if (holdsValue(location)) return openLink();
  if (last) return reopen(last.id, () => acted || location.hash !== "").catch(showExample);
  await showExample();
}

// Show the question of a step of the history, or answer a link pasted into the address bar.
async function goBack(entry) {
  returning = true;
  try {
    if (entry?.job) await reopen(entry.job);
    else if (!holdsValue(location)) await showExample(true);
    else if (entry?.ours) put(parseExact(await questionOfLink(location)));
    else await openLink();
  } finally {
    returning = false;
  }
}

wireFields();
wireButtons();
addEventListener("keydown", onKey);
addEventListener("popstate", ({ state: entry }) => attempt(() => goBack(entry)));
addEventListener("resize", () => at("board").redraw?.());
drawJobs();
tried(begin).then(() => {
  begun = true;
  draw(); // if nothing could be loaded
});
