// The question on the page of hands: how it is shown and changed.

import { clearAnswer } from "./answer.js";
import { getQuestions } from "./api.js";
import { boardNote, drawBoard } from "./board.js";
import { element } from "./cards.js";
import { trying } from "./failing.js";
import { fragmentOf } from "./links.js";
import { printable } from "./names.js";
import { Past } from "./past.js";
import {
  copyOf,
  freshState,
  fromJson,
  has,
  KINDS,
  learn,
  setKey,
  setPlayers,
  takeOne,
  targetsOf,
  toggle,
  toJson,
} from "./question.js";
import { intoView, say } from "./status.js";
import { extrasOf, rulesWords } from "./words.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

export const past = new Past();
// `shown` is the answer on the page: what was asked, and the job. `begun` is true once the page has
// loaded: from then on changes can be undone; `acted` once the user has done anything: then the
// initial content is not loaded over it. `example` is true if the cards were dealt, not the user's
// own; `ready` is the answer to the initial example, which needs no server; `returning` is true
// while a step of the history is shown. `hands`, `challenge` and `watch` are the parts of the page.
export const page = {
  state: freshState(),
  shown: null,
  begun: false,
  acted: false,
  example: false,
  returning: false,
  ready: null,
  /** @type {any} */ hands: null,
  /** @type {any} */ challenge: null,
  /** @type {any} */ watch: null,
};

export function draw() {
  at("kind").value = page.state.kind;
  drawRules();
  at("axes").value = page.state.axes;
  at("axes-size").hidden = page.state.axes === "deck";
  for (const id of ["colours", "numbers", "copies"]) at(id).value = String(page.state[id]);
  at("players-field").hidden = !has(page.state.kind, "hands");
  at("players").value = String(page.state.hands.length);
  at("convention-field").hidden = !has(page.state.kind, "convention");
  at("convention").value = page.state.rest.convention ?? "last-mover";
  at("supply-field").hidden = !has(page.state.kind, "supply");
  at("supply").value = page.state.supplyFrom;
  at("costs-field").hidden = !has(page.state.kind, "costs") || page.state.supplyFrom !== "these";
  at("costs").value = (page.state.rest.costs ?? []).join(" ");
  at("at-least").value = String(page.state.rest.at_least ?? 1);
  if (!targetsOf(page.state).some(([target]) => target === page.state.target))
    page.state.target = "hand 0";
  drawCards();
  page.challenge.draw(page.state);
  // Not `disabled`: the button would lose the focus.
  at("undo").setAttribute("aria-disabled", String(!past.canUndo));
  at("redo").setAttribute("aria-disabled", String(!past.canRedo));
}

// The task's own text, how cards match, and every key that changes the question; each can go.
function drawRules() {
  const { name, comment } = page.state.rest;
  const without = (label, ...keys) =>
    element(
      "button",
      {
        "aria-label": label,
        title: label,
        onclick: () =>
          attempt(() => change(() => keys.forEach((key) => setKey(page.state, key, null)))),
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
    rulesWords(KINDS[page.state.kind].how_played, page.state.rest),
    " ",
    element("a", { href: "game" }, "The real game is played here."),
  );
  at("extras").replaceChildren(
    ...extrasOf(page.state.rest).map(([key, words]) =>
      element("li", {}, `${printable(words)} `, without(`Remove: ${words}`, key)),
    ),
  );
}

function drawCards() {
  drawBoard(at("board"), page.state, {
    toggle: (card) => change(() => toggle(page.state, card), page.state.target.startsWith("hand")),
    takeOne: (card) => change(() => takeOne(page.state, card)),
  });
  const note = boardNote(at("board"), page.state);
  at("board-note").hidden = !note;
  at("board-note").textContent = note;
  page.hands.draw(page.state);
}

// Set the target of clicks on the board; the question does not change.
export function aim(target) {
  page.state.target = target;
  drawCards();
  at("board").redraw?.();
}

export const address = () => location.pathname + fragmentOf(toJson(page.state));
export const view = () => ({ state: copyOf(page.state), shown: page.shown, example: page.example });

// Change the question; this can be undone. `own` marks a change that starts the user's own hand in
// place of the example.
export function change(how, own = false) {
  if (page.begun) past.keep(view());
  if (page.example && own) {
    const {
      kind,
      copies,
      target,
      supplyFrom,
      hands: { length },
      rest: { convention },
    } = page.state;
    page.state = { ...freshState(), kind, copies, target, supplyFrom };
    if (has(kind, "hands")) setPlayers(page.state, length);
    if (convention) page.state.rest.convention = convention;
  }
  how();
  page.example = false;
  page.ready = null;
  leaveAnswer();
  history.replaceState({ ours: true }, "", address());
  draw();
}

// Change the question about the example; its cards still count as the example's.
export function keepExample(how) {
  const before = page.example;
  change(how);
  page.example = before;
}

// A question is a step of the browser's history.
export function put(asked) {
  page.hands.forget();
  if (page.begun && !page.returning) history.pushState(history.state, "", location.href);
  change(() => (page.state = fromJson(asked)));
}

function leaveAnswer() {
  const running = page.watch.id !== null;
  if (running) page.watch.let(null);
  say(
    running
      ? "The question has changed. The answer to the old one will be under “Your questions”."
      : "",
  );
  clear();
}

export function clear() {
  page.shown = null;
  clearAnswer(at("answer"), at("board"));
  page.challenge.again();
}

export function forgetAnswer(words) {
  clear();
  say(words);
}

let asking = null;

// Load the kinds of questions, before anything else is done; a failed request is repeated.
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

export async function attempt(doing) {
  page.acted = true;
  await tried(doing);
}

const attempted = trying((words) => {
  if (page.watch.id !== null) page.watch.let(null);
  forgetAnswer("");
  say(words, true);
  intoView(at("status"));
});

export const tried = (doing) => attempted(() => known().then(doing));
