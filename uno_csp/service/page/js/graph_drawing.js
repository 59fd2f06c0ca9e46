// Drawings of graphs: that of an answer, and a sketch that is drawn by tapping.

import { printable } from "./names.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const SIZE = 600; // width and height of a drawing, in its own units
const MOST_DRAWN = 400; // vertices with all their edges; of larger graphs only the path is drawn
const MOST_NAMED = 60; // vertices whose names are written
const RADIUS = 20; // the largest of a vertex with its name
const CHARACTER = 0.65; // width of a character, in sizes of the font
const REACH = 26; // distance within which a tap is on a vertex
const UNDOABLE = 100;

export function shape(name, attributes, text) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Places on a circle, in the order of the paths found, then of the graph, and their angles.
function placesOf(vertices) {
  const radius = SIZE / 2 - 20;
  return new Map(
    vertices.map((vertex, index) => {
      const angle = (2 * Math.PI * index) / vertices.length - Math.PI / 2;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      return [vertex, { at: [SIZE / 2 + radius * x, SIZE / 2 + radius * y], x, y }];
    }),
  );
}

// A vertex: its name inside the circle if it fits, or else beside it, whole.
function vertexShapes(name, { at: [cx, cy], x, y }, r, style) {
  const circle = shape("circle", { cx, cy, r });
  if (!style) return [circle];
  if (name.length <= 3) return [circle, shape("text", { x: cx, y: cy, style }, name)];
  const anchor = Math.abs(x) < 0.3 ? "middle" : x > 0 ? "start" : "end";
  const beside = { x: cx + (r + 5) * x, y: cy + (r + 5) * y, "text-anchor": anchor, style };
  return [circle, shape("text", beside, name)];
}

// The drawing of an answer, and a word on what it leaves out.
export function drawingOf(answer) {
  const whole = answer.vertices.length <= MOST_DRAWN;
  if (!whole && !answer.paths) return [null, "The graph is too large to be drawn."];
  const onPaths = [...new Set((answer.paths ?? []).flat())];
  const order = whole ? [...new Set([...onPaths, ...answer.vertices])] : onPaths;
  const places = placesOf(order);
  const named = order.length <= MOST_NAMED;
  const names = order.map(printable);
  const radius = named ? Math.min(RADIUS, (0.4 * Math.PI * SIZE) / order.length) : 3;
  const size = Math.max(11, Math.min(17, 0.85 * radius)); // of the font
  const longest = Math.max(...names.map((each) => each.length));
  const room = named ? Math.max(20, CHARACTER * size * longest) : 20;
  const box = `${-room} -20 ${SIZE + 2 * room} ${SIZE + 40}`;
  const picture = shape("svg", { viewBox: box, role: "img", xmlns: NAMESPACE });
  const found = answer.paths ? "with the paths found in bold" : "in a circle";
  picture.append(shape("title", {}, `The graph, ${found}`));
  if (whole) drawEdges(picture, answer, places);
  const kind = answer.goal === "cycle" ? "polygon" : "polyline";
  for (const path of answer.paths ?? []) {
    const points = path.map((vertex) => places.get(vertex).at.join(",")).join(" ");
    picture.append(shape(kind, { points }));
  }
  order.forEach((vertex, index) =>
    picture.append(
      ...vertexShapes(names[index], places.get(vertex), radius, named && `font-size: ${size}px`),
    ),
  );
  const left = whole
    ? ""
    : `The graph has ${answer.vertices.length} vertices and ${answer.edges.length} edges: only the path is drawn.`;
  return [picture, left];
}

function drawEdges(picture, { edges, vertices }, places) {
  for (const [one, other] of edges) {
    const [[x1, y1], [x2, y2]] = [places.get(vertices[one]).at, places.get(vertices[other]).at];
    picture.append(shape("line", { x1, y1, x2, y2 }));
  }
}

// Whether a sketch can show a graph: its vertices have room, and their names fit a list of edges.
export const isEditable = ({ vertices }) =>
  vertices.length <= MOST_NAMED && vertices.every((name) => /^\w{1,3}$/.test(name));

// A drawing as a file of its own, which needs no style sheet.
export function savedPicture(picture) {
  const copy = picture.cloneNode(true);
  const style = shape(
    "style",
    {},
    "line{stroke:#888}polyline,polygon{fill:none;stroke:#1f5fbf;stroke-width:4}circle{fill:#fff;stroke:#222}text{font:11px sans-serif;text-anchor:middle;dominant-baseline:central}",
  );
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

// A graph drawn by tapping: an empty place for a vertex, two vertices for an edge or to remove it;
// a vertex is dragged to another place. `onChange` gets the graph as text, an edge a line.
export class Sketch {
  constructor(box, onChange) {
    this.box = box;
    this.onChange = onChange;
    this.vertices = []; // each with its name and its place
    this.edges = []; // pairs of indices
    this.chosen = null;
    this.past = [];
    this.drag = null;
    box.addEventListener("pointerdown", (event) => this.#press(event));
    box.addEventListener("pointermove", (event) => this.#move(event));
    box.addEventListener("pointerup", (event) => this.#release(event));
    this.draw();
  }

  // Go on with a graph that can be edited, instead of what is drawn.
  take({ vertices, edges }) {
    this.#keep();
    const places = placesOf(vertices);
    this.vertices = vertices.map((name) => {
      const { x, y } = places.get(name);
      return { name, at: [SIZE / 2 + 0.45 * SIZE * x, SIZE / 3 + 0.29 * SIZE * y] };
    });
    this.edges = edges.map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
    this.chosen = null;
    this.#changed();
  }

  #place({ clientX, clientY }) {
    const matrix = this.box.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** @param {number[]} place */
  #near([x, y]) {
    const found = this.vertices.findIndex(({ at }) => Math.hypot(at[0] - x, at[1] - y) < REACH);
    return found < 0 ? null : found;
  }

  #press(event) {
    const place = this.#place(event);
    this.drag = { vertex: this.#near(place), from: place, moved: false };
    this.box.setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (!this.drag || this.drag.vertex === null) return;
    const place = this.#place(event);
    const [x, y] = this.drag.from;
    if (!this.drag.moved && Math.hypot(place[0] - x, place[1] - y) < REACH / 3) return;
    if (!this.drag.moved) this.#keep();
    this.drag.moved = true;
    this.vertices[this.drag.vertex].at = place;
    this.draw();
  }

  #release(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag || drag.moved) return;
    if (drag.vertex === null) this.#add(this.#place(event));
    else this.#choose(drag.vertex);
  }

  #keep() {
    const { vertices, edges } = this;
    this.past.push(structuredClone({ vertices, edges }));
    if (this.past.length > UNDOABLE) this.past.shift();
  }

  #add(at) {
    this.#keep();
    const taken = new Set(this.vertices.map(({ name }) => name));
    let number = this.vertices.length + 1;
    while (taken.has(`${number}`)) number += 1;
    this.vertices.push({ name: `${number}`, at });
    this.chosen = null;
    this.#changed();
  }

  #choose(vertex) {
    const { chosen } = this;
    this.chosen = chosen === null ? vertex : null;
    if (chosen === null || chosen === vertex) return this.draw();
    this.#keep();
    const edge = [Math.min(chosen, vertex), Math.max(chosen, vertex)];
    const there = this.edges.findIndex((each) => each.join() === edge.join());
    if (there < 0) this.edges.push(edge);
    else this.edges.splice(there, 1);
    return this.#changed();
  }

  undo() {
    const before = this.past.pop();
    if (before) Object.assign(this, before, { chosen: null });
    this.#changed();
  }

  clear() {
    this.#keep();
    Object.assign(this, { vertices: [], edges: [], chosen: null });
    this.#changed();
  }

  #changed() {
    this.draw();
    const names = this.vertices.map(({ name }) => name);
    const joined = new Set(this.edges.flat());
    const alone = names.filter((_, index) => !joined.has(index));
    const lines = this.edges.map(([one, other]) => `${names[one]} ${names[other]}`);
    this.onChange([...lines, ...alone].join("\n"), alone.length > 0);
  }

  draw() {
    const lines = this.edges.map(([one, other]) => {
      const [[x1, y1], [x2, y2]] = [this.vertices[one].at, this.vertices[other].at];
      return shape("line", { x1, y1, x2, y2 });
    });
    const circles = this.vertices.flatMap(({ name, at: [cx, cy] }, index) => [
      shape("circle", { cx, cy, r: 14, class: index === this.chosen ? "chosen" : "" }),
      shape("text", { x: cx, y: cy }, name),
    ]);
    this.box.replaceChildren(shape("title", {}, "The graph drawn so far"), ...lines, ...circles);
  }
}
