// The page of hands: its fields and buttons, and what is done with them.

import { cancelJob } from "./api.js";
import { element } from "./cards.js";
import { Challenge } from "./challenge.js";
import { aim, attempt, change, draw, forgetAnswer, keepExample, page, tried } from "./entering.js";
import { stringifyExact } from "./exact.js";
import { EVERYDAY, THEOREMS } from "./examples.js";
import { numberIn } from "./fields.js";
import { download, onlyOne, takeDrops } from "./files.js";
import { Hands } from "./hands.js";
import {
  begin,
  deal,
  goBack,
  load,
  open,
  openFile,
  own,
  reading,
  redo,
  saveModel,
  shareLink,
  undo,
} from "./opening.js";
import {
  askAs,
  freshState,
  has,
  numbersOf,
  putTyped,
  setKey,
  setPlayers,
  setSupply,
  takeAway,
  toJson,
} from "./question.js";
import { drawJobs, solve } from "./solving.js";
import { intoView } from "./status.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

page.hands = new Hands(at("hands"), {
  aim: (target) => aim(target),
  put: (target, cards) =>
    change(() => putTyped(page.state, target, cards), target.startsWith("hand")),
  takeAway: (target, index) => change(() => takeAway(page.state, target, index)),
  load: (asked) => load(asked),
  enter: () => attempt(solve),
  isExample: () => page.example,
});
page.challenge = new Challenge({
  solve: () => attempt(solve),
  again: () => forgetAnswer(""),
  deal: (cards) => attempt(() => deal(cards)),
  own: () => attempt(own),
});

// Do something with the number of a field when it changes; tell what is allowed if it has none.
function onNumber(id, doing) {
  at(id).addEventListener("change", (event) =>
    attempt(() => {
      const count = numberIn(event.target);
      keepExample(() => doing(count));
    }),
  );
}

function wireFields() {
  at("axes").append(
    element("option", { value: "deck" }, "of the official deck"),
    element("option", { value: "plain" }, "of numbers"),
  );
  at("kind").addEventListener("change", (event) =>
    keepExample(() => askAs(page.state, event.target.value)),
  );
  onNumber("players", (count) => setPlayers(page.state, count));
  at("convention").addEventListener("change", (event) =>
    keepExample(() => (page.state.rest.convention = event.target.value)),
  );
  at("supply").addEventListener("change", (event) =>
    keepExample(() => setSupply(page.state, event.target.value)),
  );
  at("costs").addEventListener("change", (event) =>
    change(() => setKey(page.state, "costs", numbersOf(event.target.value))),
  );
  onNumber("at-least", (count) => setKey(page.state, "at_least", count > 1 ? count : null));
  at("axes").addEventListener("change", (event) => {
    const { kind, copies } = page.state;
    change(() => (page.state = { ...freshState(), kind, copies, axes: event.target.value }));
  });
  for (const id of ["colours", "numbers", "copies"])
    onNumber(id, (count) => (page.state[id] = count));
}

function wireButtons() {
  const onClick = (id, doing) => at(id).addEventListener("click", () => attempt(doing));
  onClick("solve", solve);
  onClick("glance", () => intoView(at("answering")));
  onClick("cancel", () => page.watch.id !== null && cancelJob(page.watch.id));
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
    } = page.state;
    page.hands.forget();
    change(() => {
      page.state = { ...freshState(), kind, axes, colours, numbers, copies };
      if (has(kind, "hands")) setPlayers(page.state, length);
      askAs(page.state, kind);
    });
  });
  onClick("share", shareLink);
  onClick("save", () => download("question.json", stringifyExact(toJson(page.state))));
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

wireFields();
wireButtons();
addEventListener("keydown", onKey);
addEventListener("popstate", ({ state: entry }) => attempt(() => goBack(entry)));
addEventListener("resize", () => at("board").redraw?.());
drawJobs();
tried(begin).then(() => {
  page.begun = true;
  draw(); // if nothing could be loaded
});
