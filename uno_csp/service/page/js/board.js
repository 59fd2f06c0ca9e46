// The board of colours and numbers: buttons in a grid, walked with the arrow keys.

import { element, keyOf, nameOf } from "./cards.js";
import { columnsOf, countOf, rowsOf, targetsOf } from "./question.js";

const SIGNS = { __proto__: null, skip: "\u2298", reverse: "\u21c4" };

export function drawBoard(board, state, onToggle) {
  const rows = rowsOf(state);
  const columns = columnsOf(state);
  const focused = document.activeElement?.dataset?.card;
  board.style.gridTemplateColumns = `auto repeat(${columns.length + 1}, max-content)`;
  board.style.setProperty("--columns", columns.length + 1);
  board.replaceChildren();
  const line = (...cells) => {
    const row = element("div", { role: "row", style: "display: contents" }, ...cells);
    board.append(row);
  };
  line(
    element("span", { class: "head", role: "presentation" }),
    ...columns.map((column) => element("span", { class: "head", role: "columnheader" }, SIGNS[column] ?? String(column))),
    element("span", { class: "head", role: "presentation" }),
  );
  rows.forEach((row, index) => {
    const cells = columns.map((column) => cell([row, column], state, onToggle));
    const last = index === 0 ? cell(["*", "*"], state, onToggle) : element("span", { role: "presentation" });
    line(element("span", { class: "head", role: "rowheader" }, String(row)), ...cells, last);
  });
  const all = [...board.querySelectorAll(".cell")];
  (all.find((each) => each.dataset.card === focused) ?? all[0])?.setAttribute("tabindex", "0");
  if (focused) all.find((each) => each.dataset.card === focused)?.focus();
  board.onkeydown = (event) => move(event, all, columns.length);
}

function cell(card, state, onToggle) {
  const count = countOf(state, state.target, card);
  const wild = card[0] === "*";
  const face = wild ? "W" : state.axes === "deck" ? (SIGNS[card[1]] ?? String(card[1])) : "";
  const held = count ? "held" : "";
  const elsewhere = targetsOf(state).some(([target]) => countOf(state, target, card));
  return element(
    "div",
    { role: "gridcell" },
    element(
      "button",
      {
        class: `cell ${held} ${elsewhere ? "dealt" : ""} ${wild ? "wild" : `face-${card[0]}`}`,
        "data-card": keyOf(card),
        tabindex: "-1",
        "aria-pressed": count > 0 ? "true" : "false",
        "aria-label": `${nameOf(card)}, ${count} there`,
        title: nameOf(card),
        onclick: () => onToggle(card),
      },
      face,
      count > 1 ? element("span", { class: "count" }, `x${count}`) : null,
    ),
  );
}

function move(event, cells, width) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width };
  const step = steps[event.key];
  const from = cells.indexOf(document.activeElement);
  if (!step || from < 0) return;
  event.preventDefault();
  // The wild card stands at the end of the first row and shifts the rows below by one.
  const shift = Math.abs(step) > 1 && from < width !== from + step < width ? Math.sign(step) : 0;
  const to = cells[Math.min(cells.length - 1, Math.max(0, from + step + shift))];
  cells.forEach((each) => each.setAttribute("tabindex", "-1"));
  to.setAttribute("tabindex", "0");
  to.focus();
}

// The walk so far, as a rook would go, and where it is now.
export function drawWalk(board, cards, upTo, added) {
  board.redraw = () => drawWalk(board, cards, upTo, added);
  board.querySelector(".walk")?.remove();
  const cells = [...board.querySelectorAll(".cell")];
  for (const each of cells) each.classList.remove("here", "added");
  const glowing = new Set((added ?? []).map(keyOf));
  const points = [];
  cards.slice(0, upTo + 1).forEach((card, index) => {
    const found = cells.find((each) => each.dataset.card === keyOf(card));
    if (!found || card[0] === "*") return;
    const place = found.getBoundingClientRect();
    const origin = board.getBoundingClientRect();
    points.push([place.x - origin.x + place.width / 2, place.y - origin.y + place.height / 2]);
    if (index === upTo) found.classList.add("here");
    if (glowing.has(keyOf(card))) found.classList.add("added");
  });
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "walk");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  path.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  svg.append(path);
  board.append(svg);
}
