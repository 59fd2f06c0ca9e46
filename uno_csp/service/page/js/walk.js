// A sequence as a rook's walk on the board: lines behind the labels of the cells, and in each cell
// the numbers of its steps. Through a wild card the walk may go from any cell to any other.

import { isWild, keyOf } from "./cards.js";

const SVG = "http://www.w3.org/2000/svg";
const HALO_PX = 13; // radius of the mark at each card of the walk
const MOST_NUMBERS = 3; // maximum number of steps listed in a cell

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function drawWalk(board, cards, upTo, added = []) {
  board.redraw = () => drawWalk(board, cards, upTo, added);
  board.querySelector(".walk")?.remove();
  board.querySelectorAll(".steps").forEach((each) => each.remove());
  const cells = new Map(
    [...board.querySelectorAll(".cell")].map((each) => [each.firstElementChild.dataset.card, each]),
  );
  for (const each of cells.values()) each.classList.remove("here", "added");
  // Before cells are measured: on a phone the board changes.
  board.classList.toggle("walked", upTo >= 0);
  if (upTo < 0) return;
  const glowing = new Set(added.map(keyOf));
  const origin = board.getBoundingClientRect();
  const stops = cards.slice(0, upTo + 1).map((card, index) => {
    const found = cells.get(keyOf(card));
    if (!found) return null;
    const place = found.getBoundingClientRect();
    found.classList.toggle("here", index === upTo);
    if (glowing.has(keyOf(card))) found.classList.add("added");
    return {
      x: place.x - origin.x + place.width / 2,
      y: place.y - origin.y + place.height / 2,
      wild: isWild(card),
      found,
      step: index + 1,
    };
  });
  board.append(linesOf(stops));
  numberCells(stops.filter(Boolean));
}

function linesOf(stops) {
  const svg = drawn("svg", { class: "walk", "aria-hidden": "true" });
  let run = [];
  const close = () => {
    if (run.length)
      svg.append(drawn("polyline", { points: run.map(({ x, y }) => `${x},${y}`).join(" ") }));
    run = [];
  };
  stops.forEach((stop, index) => {
    const before = stops[index - 1];
    if (!stop) return close();
    if (before && (before.wild || stop.wild)) {
      close();
      svg.append(drawn("line", { x1: before.x, y1: before.y, x2: stop.x, y2: stop.y }));
    }
    if (!stop.wild) run.push(stop);
  });
  close();
  svg.append(
    ...stops.filter(Boolean).map(({ x, y }) => drawn("circle", { cx: x, cy: y, r: HALO_PX })),
  );
  return svg;
}

function numberCells(stops) {
  const steps = new Map();
  for (const stop of stops) steps.set(stop.found, [...(steps.get(stop.found) ?? []), stop]);
  for (const [found, own] of steps) {
    const label = document.createElement("span");
    label.className = "steps";
    label.setAttribute("aria-hidden", "true");
    const steps = own.slice(0, MOST_NUMBERS).map(({ step }) => step);
    label.textContent = steps.join(" ") + (own.length > MOST_NUMBERS ? "…" : "");
    found.append(label);
  }
}
