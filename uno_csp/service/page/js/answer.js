// The answer: a verdict, its reason, and the play, step by step on the board and as a row of cards.

import { cardElement, countsOf, element, keyOf, nameOf } from "./cards.js";
import { showStrategy } from "./duel.js";
import { withoutFours } from "./fours.js";
import { luckOf } from "./luck.js";
import { drawWalk } from "./walk.js";
import { extrasOf, verdictOf } from "./words.js";

const STEP_MS = 450;
const PLAYED_BY_ITSELF = 40; // longest sequence that is animated
let timer = null;

export function clearAnswer(box, board) {
  clearInterval(timer);
  timer = null;
  box.replaceChildren();
  drawWalk(board, [], -1);
}

// `prove` is the action of the button for the proof; null if there is to be none. `lay` shows the
// cards of a sequence elsewhere; null if they are to be shown here.
export function showAnswer(box, board, asked, answer, { cached, prove, play, lay, goOn }) {
  const focused = box.contains(document.activeElement) && document.activeElement.textContent;
  clearAnswer(box, board);
  const [words, more, style] = verdictOf(asked, answer);
  box.append(element("p", { class: `verdict ${style}` }, words));
  if (more) box.append(element("p", { class: "more" }, more));
  const rules = extrasOf(asked).map(([, rule]) => rule);
  if (rules.length)
    box.append(element("p", { class: "more" }, `With the rules asked: ${rules.join(" ")}`));
  if (answer.reason) box.append(element("p", {}, `The reason: ${answer.reason}.`));
  const luck = element("p", { class: "luck", hidden: true });
  box.append(luck);
  luckOf(asked, answer).then((text) => {
    luck.textContent = text;
    luck.hidden = !text;
  });
  if (answer.plays) showPlays(box, board, asked, answer.plays, play);
  else if (answer.sequence?.length) showSequence(box, board, answer, play, lay);
  if (asked.question === "uncooperative" && answer.status !== "UNKNOWN")
    showStrategy(box, withoutFours(asked), answer);
  if (goOn) {
    const found = answer.objective == null ? "" : `Found so far: ${answer.objective}. `;
    const bound = answer.bound == null ? "" : `The bound: ${answer.bound}.`;
    if (found || bound) box.append(element("p", {}, found + bound));
    box.append(element("button", { class: "main", onclick: goOn }, "Go on for a minute"));
  }
  showHow(box, answer, cached, prove);
  if (focused)
    [...box.querySelectorAll("button")].find((each) => each.textContent === focused)?.focus();
}

function showHow(box, answer, cached, prove) {
  const how = [answer.method, answer.backend, answer.connectivity].filter(Boolean).join(" + ");
  const { certified, kind, summary: shown } = answer.certificate ?? {};
  const proved = certified && kind ? shown : null;
  const seal =
    [answer.checked && "✓ checked", proved].filter(Boolean).join(", ") || "how it was found";
  const text = `${how ? `Found by ${how}` : `By ${(answer.stats?.reductions ?? []).join(", ")}`} in ${Number(answer.wall_s ?? 0).toFixed(2)} s`;
  const known = cached ? ", from the answer to an equivalent question" : "";
  const checked = answer.checked
    ? " The independent checker has followed this play card by card."
    : " There is no play to check.";
  box.append(
    element(
      "details",
      { class: "badge" },
      element("summary", {}, seal),
      element("p", { class: "quiet" }, `${text}${known}.${checked}`),
    ),
  );
  if (prove && ["UNSATISFIABLE", "OPTIMAL"].includes(answer.status)) {
    box.append(
      element(
        "div",
        { class: "buttons" },
        element("button", { onclick: prove }, "Download the proof"),
      ),
    );
  }
  if (proved) {
    const howto =
      "You need not trust this page: check the file yourself, with the verifier that came with it, or with this package:";
    const commands = "python -I uno-verify certificate.zip\nuno-csp verify certificate.zip";
    box.append(element("p", {}, howto), element("pre", {}, commands));
  } else if (answer.certificate) box.append(element("p", {}, `No proof was made: ${shown}.`));
}

function showSequence(box, board, { sequence: cards, added = [] }, play, lay) {
  const left = countsOf(added);
  const total = countsOf(cards);
  const items = cards.map((card) => {
    // The last copies of a card are the added ones.
    const key = keyOf(card);
    const isAdded = total.get(key) <= (left.get(key) ?? 0);
    total.set(key, total.get(key) - 1);
    const made = cardElement(card, isAdded ? "added" : "");
    if (isAdded) made.setAttribute("aria-label", `${nameOf(card)}, added`);
    return made;
  });
  box.append(player(items, (step) => drawWalk(board, cards, step, added), play));
  if (lay) lay(items);
  else box.append(element("ol", { class: "cards", "aria-label": "The sequence" }, ...items));
}

function showPlays(box, board, asked, plays, play) {
  const players = asked.hands.length;
  const rows = asked.hands.map((_, index) =>
    element("ol", { class: "cards", "aria-label": `Player ${index + 1}` }),
  );
  const made = [];
  let turn = 1;
  for (const { player: who, card } of plays) {
    while (turn !== who) {
      rows[turn - 1].append(element("li", { class: "skip" }, "skipped"));
      turn = (turn % players) + 1;
    }
    made.push(cardElement(card));
    made.at(-1).dataset.turn = made.length;
    rows[who - 1].append(made.at(-1));
    turn = (who % players) + 1;
  }
  const cards = plays.map(({ card }) => card);
  const lanes = rows.map((row, index) =>
    element("div", { class: "player" }, element("span", {}, `Player ${index + 1}`), row),
  );
  box.append(
    player(made, (step) => drawWalk(board, cards, step), play),
    ...lanes,
  );
}

// The controls: a button to play and pause, and a slider over the steps.
function player(made, onStep, play) {
  const last = made.length - 1;
  const slider = element("input", {
    type: "range",
    min: 0,
    max: last,
    value: last,
    "aria-label": "Step",
  });
  const button = element("button", { type: "button" }, "Play");
  const text = element("span", { class: "quiet step" });
  const show = (step) => {
    slider.value = step;
    text.textContent = `${step + 1} of ${made.length}`;
    made.forEach((each, index) => {
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
    let step = Number(slider.value) >= last ? 0 : Number(slider.value);
    show(step);
    button.textContent = "Pause";
    timer = setInterval(() => (step < last ? show(++step) : stop()), STEP_MS);
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  queueMicrotask(() => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (calm || !play || made.length > PLAYED_BY_ITSELF) show(last);
    else button.click();
  });
  return element("div", { class: "buttons player-buttons" }, button, slider, text);
}
