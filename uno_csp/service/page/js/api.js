// Client of the HTTP API. A server that is away is asked again until it answers; if it needs a
// token, the user is asked for it once per tab.

import { element } from "./cards.js";
import { askFor } from "./dialog.js";
import { parseExact, stringifyExact } from "./exact.js";
import { Problem } from "./failing.js";
import { keep, kept } from "./store.js";

export const BASE = "api/v1";
const WAITS_S = [1, 3, 5, 10]; // before the server is asked again
const BUSY = [429, 503];
const SENDABLE = /^[\x21-\x7e]+$/; // as a token in a header

// A line above the page, which says that the server is away.
function awayLine() {
  const line = element("div", { id: "away", role: "status" });
  document.body.prepend(line);
  return line;
}

// Wait until it is time to ask again; the user can do so at once, or give up.
function patience(busy, seconds, signal) {
  const line = document.getElementById("away") ?? awayLine();
  const why = busy ? "The server has too much to do" : "The server cannot be reached";
  const words = `${why}; trying again in ${seconds} s. What you entered is kept. `;
  return new Promise((wake) => {
    line.replaceChildren(words, element("button", { onclick: wake }, "Try now"));
    setTimeout(wake, 1000 * seconds);
    signal?.addEventListener("abort", wake);
  });
}

// Whether a proxy answers in place of the server.
const isAway = ({ status, headers }) =>
  status > 500 && !headers.get("content-type")?.includes("json");

// The response to a request that a page sent before its script was there, if it is this one.
function aheadOf(url, { body }) {
  const { ahead } = /** @type {any} */ (window);
  Object.assign(window, { ahead: null });
  return ahead?.url === url && ahead.body === body ? ahead.response : null;
}

async function reached(url, options) {
  for (let tries = 0; ; tries += 1) {
    const response = await (aheadOf(url, options) ?? fetch(url, options)).catch(() => null);
    const busy = BUSY.includes(response?.status);
    const answered = response && !busy && !isAway(response);
    const cancelled = options.signal?.aborted;
    if (answered || cancelled) document.getElementById("away")?.remove();
    if (cancelled) throw new Problem("Cancelled.");
    if (answered) return response;
    await patience(busy, WAITS_S[Math.min(tries, WAITS_S.length - 1)], options.signal);
  }
}

let asking = null; // so that several requests ask for the token once

function newToken(wrong) {
  asking ??= askFor(
    "Token",
    wrong ? "That was wrong. This server asks for its token:" : "This server asks for a token:",
    { type: "password" },
  ).then((given) => {
    asking = null;
    if (given && !SENDABLE.test(given)) return newToken(true);
    if (given) keep("token", given, "sessionStorage");
    return given;
  });
  return asking;
}

// Send a request, with the token if there is one; a refusal is a problem in words.
export async function call(path, options = {}) {
  const token = kept("token", "", "sessionStorage");
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await reached(`${BASE}/${path}`, { ...options, headers });
  if (response.status === 401) {
    const other = kept("token", "", "sessionStorage") !== token; // given meanwhile
    if (other || (await newToken(token !== ""))) return call(path, options);
    throw new Problem("This server answers only to those who have its token. Reload to give it.");
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({ detail: response.statusText }));
    throw new Problem(problem.detail, response.status);
  }
  return response;
}

const send = (path, body, signal = null) =>
  call(path, { method: "POST", signal, headers: { "Content-Type": "application/json" }, body });

const post = (path, body) => send(path, stringifyExact(body));

const read = async (response) => parseExact(await (await response).text());

export const createJob = (instance, seconds, proof = false) =>
  read(post("jobs", { instance, time_limit_s: seconds, proof }));
// The answer, or a job if it takes longer.
export const solveNow = (instance) => read(post("solve", { instance }));
export const getCertificate = async (id) => (await call(`jobs/${id}/certificate`)).blob();
export const getQuestions = () => read(call("questions"));
export const getJob = (id) => read(call(`jobs/${id}`));
// The question in a file or a link, parsed as the command line parses it.
export const parseText = (text) => read(post("parse", { text }));
export const generateQuestion = (family, parameters, seed) =>
  read(post("generate", { family, parameters, seed }));
// What each move of a real game leads to after some turns; `most` limits the positions searched.
export const analyseGame = (instance, plays, most) =>
  read(post("analyse", { instance, plays, most }));
// What the last turn of a real game gave away, from the seat of the player who moved.
export const reviewTurn = (instance, plays) => read(post("review", { instance, plays }));
// The turn of an agent that sees only the hand of the player to move, and how it sees the choices.
export const chooseMove = (instance, plays, agent, deals) =>
  read(post("move", { instance, plays, agent, deals }));
// A Hamiltonian problem on the graph in a text, which may be large, and the certificate of its
// answer. It has no numbers to keep exact.
export const solveGraph = (asked, signal) => read(send("hamilton", JSON.stringify(asked), signal));
export const certifyGraph = async (asked, signal) =>
  (await send("hamilton/certificate", JSON.stringify(asked), signal)).blob();
// A hand with exactly one play, and a hint after some cards of it.
export const makePuzzle = (asked) => read(post("puzzle", asked));
export const hintPuzzle = (asked) => read(post("hint", asked));
export const cancelJob = async (id) => (await post(`jobs/${id}/cancel`, {})).json();
export const exportModel = async (instance, to) =>
  (await post("export", { instance, to, varnames: true })).text();

// Yield events as they arrive; parsed by hand, because an EventSource cannot send a token.
export async function* events(id) {
  const response = await call(`jobs/${id}/events`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    text = (text + value).replaceAll("\r\n", "\n");
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (field("data")) yield { event: field("event"), data: parseExact(field("data")) };
    }
  }
}
