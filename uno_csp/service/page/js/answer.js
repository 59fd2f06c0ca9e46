// The answer: a verdict, its reason, and the play, step by step on the board and as a row of cards.

import { drawWalk } from "./board.js";
import { cardElement, element, keyOf, nameOf } from "./cards.js";

const STEP_MS = 450;
let timer = null;

// What the server says the answer means, with a yes or no before it where that was asked.
export function verdict({ status, meaning, objective }) {
  const told = `${meaning ?? status}.`;
  if (status === "SATISFIABLE") return [`Yes: ${told}`, "yes"];
  if (status === "UNSATISFIABLE") return [`No: ${told}`, "no"];
  return [told[0].toUpperCase() + told.slice(1), objective == null ? "" : "yes"];
}

export function clearAnswer(box, board) {
  clearInterval(timer);
  box.replaceChildren();
  drawWalk(board, [], -1);
}

// `prove` is what a button for the proof does, where there is something to prove.
export function showAnswer(box, board, asked, answer, cached, prove) {
  clearAnswer(box, board);
  const [words, style] = verdict(answer);
  box.append(element("p", { class: `verdict ${style}` }, words));
  if (answer.reason) box.append(element("p", {}, answer.reason));
  if (answer.plays) showPlays(box, board, asked, answer.plays);
  else if (answer.sequence?.length) showSequence(box, board, answer.sequence, answer.added ?? []);
  if (answer.strategy) showStrategy(box, answer.strategy);
  const how = [answer.encoding, answer.backend, answer.connectivity].filter(Boolean).join(" + ");
  const { certified, kind, told: shown } = answer.certificate ?? {};
  const proved = certified && kind ? shown : null;
  const seal = [answer.checked && "checked", proved].filter(Boolean).join(", ") || "no witness to check";
  const told = `${how || "by reduction"}, ${Number(answer.wall_s ?? 0).toFixed(2)} s, ${seal}`;
  box.append(element("p", { class: "quiet" }, told + (cached ? ", known from a like question" : "")));
  if (["UNSATISFIABLE", "OPTIMAL"].includes(answer.status)) {
    box.append(element("div", { class: "buttons" }, element("button", { onclick: prove }, "Download the proof")));
  }
  if (proved) {
    const howto = "You need not believe this page. Check the file yourself, with Python alone or with this package:";
    const commands = "python full_verifier.py certificate.zip\nuno-csp verify certificate.zip";
    box.append(element("p", {}, howto), element("pre", {}, commands));
  } else if (answer.certificate) box.append(element("p", {}, `No proof was made: ${shown}.`));
}

function showSequence(box, board, cards, added) {
  const left = new Map();
  for (const card of added) left.set(keyOf(card), (left.get(keyOf(card)) ?? 0) + 1);
  const total = new Map();
  for (const card of cards) total.set(keyOf(card), (total.get(keyOf(card)) ?? 0) + 1);
  const row = element("ol", { class: "cards", "aria-label": "The sequence" });
  for (const card of cards) {
    // The last copies of a card are the added ones.
    const key = keyOf(card);
    const isAdded = total.get(key) <= (left.get(key) ?? 0);
    total.set(key, total.get(key) - 1);
    const made = cardElement(card, isAdded ? "added" : "");
    if (isAdded) made.setAttribute("aria-label", `${nameOf(card)}, added`);
    row.append(made);
  }
  box.append(player(row, cards.length, (step) => drawWalk(board, cards, step, added)), row);
}

function showPlays(box, board, asked, plays) {
  const players = asked.hands.length;
  const rows = asked.hands.map((_, index) => element("ol", { class: "cards", "aria-label": `Player ${index + 1}` }));
  const made = [];
  let turn = 1;
  for (const { player: who, card } of plays) {
    while (turn !== who) {
      rows[turn - 1].append(element("li", { class: "skip" }, "skipped"));
      turn = (turn % players) + 1;
    }
    made.push(cardElement(card));
    rows[who - 1].append(made.at(-1));
    turn = (who % players) + 1;
  }
  const cards = plays.map((play) => play.card);
  const lanes = rows.map((row, index) => element("div", { class: "player" }, element("span", {}, `Player ${index + 1}`), row));
  box.append(player({ children: made }, plays.length, (step) => drawWalk(board, cards, step)), ...lanes);
}

function showStrategy(box, strategy) {
  if (strategy.open) box.append(element("p", {}, `Open with ${nameOf(strategy.open)}.`));
  const pairs = strategy.pairs ?? strategy.answers ?? [];
  if (!Array.isArray(pairs) || !pairs.length) return;
  const list = element("ul", {});
  for (const pair of pairs.slice(0, 12)) {
    if (Array.isArray(pair) && pair.length === 2) {
      list.append(element("li", {}, `${nameOf(pair[0])} is answered with ${nameOf(pair[1])}`));
    }
  }
  if (list.children.length) box.append(list);
}

// Play, pause, and a slider over the steps.
function player(row, count, onStep) {
  const slider = element("input", { type: "range", min: 0, max: count - 1, value: count - 1, "aria-label": "Step" });
  const button = element("button", { type: "button" }, "Play");
  const show = (step) => {
    slider.value = step;
    [...row.children].forEach((each, index) => {
      each.classList.toggle("here", index === step);
      each.classList.toggle("later", index > step);
    });
    onStep(step);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "Play";
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    let step = Number(slider.value) >= count - 1 ? 0 : Number(slider.value);
    show(step);
    button.textContent = "Pause";
    timer = setInterval(() => (step + 1 < count ? show(++step) : stop()), STEP_MS);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  queueMicrotask(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) show(count - 1);
    else button.click();
  });
  return element("div", { class: "buttons" }, button, slider);
}
