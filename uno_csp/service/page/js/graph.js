// The page of Hamiltonian problems: a graph as text or file, its answer, and a drawing of both.

import { solveGraph } from "./api.js";
import { textOf } from "./files.js";
import { named, printable } from "./names.js";

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 600; // width and height of the drawing, in its own units
const MOST_DRAWN = 400; // vertices; more are a blot
const MOST_NAMED = 60; // vertices whose names fit into their circles

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

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Places on a circle, in the order of the paths found, then of the graph.
function placesOf(answer) {
  const order = [...new Set([...(answer.paths ?? []).flat(), ...answer.vertices])];
  const radius = SIZE / 2 - 20;
  return new Map(
    order.map((vertex, index) => {
      const angle = (2 * Math.PI * index) / order.length - Math.PI / 2;
      return [vertex, [SIZE / 2 + radius * Math.cos(angle), SIZE / 2 + radius * Math.sin(angle)]];
    }),
  );
}

function drawingOf(answer) {
  const picture = shape("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
  const found = answer.paths ? "with the paths found in bold" : "in a circle";
  picture.append(shape("title", {}, `The graph, ${found}`));
  const places = placesOf(answer);
  for (const [one, other] of answer.edges) {
    const [[x1, y1], [x2, y2]] = [
      places.get(answer.vertices[one]),
      places.get(answer.vertices[other]),
    ];
    picture.append(shape("line", { x1, y1, x2, y2 }));
  }
  const kind = answer.goal === "cycle" ? "polygon" : "polyline";
  for (const path of answer.paths ?? [])
    picture.append(
      shape(kind, { points: path.map((vertex) => places.get(vertex).join(",")).join(" ") }),
    );
  const labelled = answer.vertices.length <= MOST_NAMED;
  for (const [vertex, [cx, cy]] of places) {
    picture.append(shape("circle", { cx, cy, r: labelled ? 12 : 3 }));
    if (labelled) picture.append(shape("text", { x: cx, y: cy }, printable(vertex).slice(0, 4)));
  }
  return picture;
}

function show(answer) {
  const words = WORDS[answer.goal][answer.status] ?? `Not known: ${answer.reason}.`;
  at("verdict").textContent = typeof words === "function" ? words(answer) : words;
  const tone = { SATISFIABLE: "yes", OPTIMAL: "yes", UNSATISFIABLE: "no" }[answer.status] ?? "";
  at("verdict").className = `verdict ${tone}`;
  const used = [answer.method, answer.backend].filter(Boolean).join(" + ") || "by reduction";
  at("how").textContent =
    `${used}, ${answer.wall_s.toFixed(2)} s${answer.checked ? ", checked" : ""}; ${answer.read}`;
  const drawn = answer.vertices.length <= MOST_DRAWN;
  at("drawing").replaceChildren(...(drawn ? [drawingOf(answer)] : []));
  at("paths").replaceChildren(
    ...(answer.paths ?? []).map((path) => {
      const item = document.createElement("li");
      item.textContent = path.map((name) => (/^\d+$/.test(name) ? name : named(name))).join(" ");
      return item;
    }),
  );
}

function clear(verdict) {
  at("verdict").textContent = verdict;
  at("verdict").className = "verdict";
  at("how").textContent = "";
  at("drawing").replaceChildren();
  at("paths").replaceChildren();
}

let asked = 0; // an answer to an earlier question is dropped

async function find() {
  const goal = at("goal").value;
  const ends =
    goal === "path" ? { source: at("source").value.trim(), target: at("target").value.trim() } : {};
  const named = Object.fromEntries(Object.entries(ends).filter(([, name]) => name));
  const own = ++asked;
  clear("Looking …");
  try {
    const answer = await solveGraph({ text: at("text").value, goal, ...named });
    if (own === asked) show(answer);
  } catch (error) {
    if (own === asked) clear(error.message);
  }
}

async function read(file) {
  try {
    at("text").value = await textOf(file);
    await find();
  } catch (error) {
    clear(error.message);
  }
}

at("goal").addEventListener("change", () => {
  for (const end of document.querySelectorAll(".end"))
    end.toggleAttribute("hidden", at("goal").value !== "path");
});
at("find").addEventListener("click", find);
at("open").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", () => at("file").files[0] && read(at("file").files[0]));
for (const button of document.querySelectorAll("[data-example]"))
  button.addEventListener("click", () => {
    at("text").value = EXAMPLES[button.getAttribute("data-example")]()
      .map((edge) => edge.join(" "))
      .join("\n");
    find();
  });
/** @type {HTMLElement} */ (document.querySelector("[data-example=knight]")).click();
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
});
