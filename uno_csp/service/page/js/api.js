// Client of the HTTP API. If the server needs a token, the user is asked for it once per tab.

import { parseExact, stringifyExact } from "./exact.js";

const BASE = "api/v1";
const TOKEN = "uno-csp-token";

export class Problem extends Error {}

async function call(path, options = {}) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = {
    ...(options.headers ?? {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(`${BASE}/${path}`, { ...options, headers });
  if (response.status === 401) {
    const given = window.prompt("This server asks for a token:");
    if (given) {
      sessionStorage.setItem(TOKEN, given);
      return call(path, options);
    }
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({ detail: response.statusText }));
    throw new Problem(problem.detail);
  }
  return response;
}

const post = (path, body) =>
  call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: stringifyExact(body),
  });

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
// The turn of an agent that sees only the hand of the player to move, and how it sees the choices.
export const chooseMove = (instance, plays, agent, deals) =>
  read(post("move", { instance, plays, agent, deals }));
// A Hamiltonian problem on the graph in a text.
export const solveGraph = (asked) => read(post("hamilton", asked));
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
