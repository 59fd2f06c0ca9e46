// Answers to the question on the page of hands: asked for, watched, shown, proved, remembered.

import { showAnswer } from "./answer.js";
import { createJob, getCertificate, getJob } from "./api.js";
import { cardElement, element, listWords } from "./cards.js";
import { address, attempt, forgetAnswer, page, put } from "./entering.js";
import { parseExact, stringifyExact } from "./exact.js";
import { Problem, plainly } from "./failing.js";
import { numberIn } from "./fields.js";
import { downloadCertificate } from "./files.js";
import { held, withFours, written } from "./fours.js";
import { noteResult, remember, remembered, Watch } from "./jobs.js";
import { beyondDeck, has, KINDS, toJson } from "./question.js";
import { glance, intoView, say } from "./status.js";
import { resultOf, verdictOf } from "./words.js";

const MORE_S = 60; // how much longer a search goes on
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

function busy(now) {
  if (!now && document.activeElement === at("cancel")) at("solve").focus();
  at("cancel").hidden = !now;
  at("solve").setAttribute("aria-disabled", String(now));
  at("answering").classList.toggle("busy", now);
  at("bar").hidden = !now;
  drawJobs();
}

page.watch = new Watch(say, at("bar"), busy);

let solving = false; // from the click until the server has the question

export async function solve() {
  if (solving || page.watch.id !== null || at("solve").disabled) return;
  solving = true;
  try {
    if (await page.hands.settle()) await askAnew();
    else forgetAnswer(""); // an old verdict beside a new error would seem to refer to it
  } finally {
    solving = false;
  }
}

async function askAnew() {
  page.example = false;
  if (page.ready)
    return finish(page.ready.question, { state: "done", answer: page.ready.answer, cached: false });
  requireDeck();
  forgetAnswer("Asking ...");
  await ask(toJson(page.state), false, () => (solving = false));
}

function requireDeck() {
  if (!has(page.state.kind, "supply") || page.state.supplyFrom !== "rest") return;
  const beyond = beyondDeck(page.state);
  if (beyond.length)
    throw new Problem(`The deck has no rest: the cards here exceed it by ${listWords(beyond)}.`);
}

async function ask(asked, proof = false, onAccepted = () => {}) {
  const limit = numberIn(at("seconds"));
  const job = await createJob(asked, limit, proof);
  onAccepted();
  remember({ id: job.id, asked: stringifyExact(asked), limit, ...titleOf(held(asked)) });
  await follow(job.id, asked);
  return job.id;
}

// Watch a job. For a reload, the URL holds the question, and the state of the history its job.
async function follow(id, asked) {
  history.replaceState({ ours: true, job: id }, "", address());
  const { limit } = remembered().find((entry) => entry.id === id) ?? {};
  const ended = await page.watch.follow(id, limit);
  if (ended) finish(asked, ended);
}

// Download the proof of an answer; if its job was not asked for one, start another job.
async function prove(asked, job) {
  let id = job.id;
  let { certificate } = job.answer;
  if (!certificate) {
    say("Looking for a proof ...");
    id = await ask(written(asked), true);
    ({ certificate } = (await getJob(id)).answer ?? {});
  }
  if (!certificate?.kind) return;
  await downloadCertificate(await getCertificate(id));
}

// Ask again, with a minute more than before.
async function goOn() {
  at("seconds").value = String(Math.min(3600, Number(at("seconds").value) + MORE_S));
  page.ready = null;
  await solve();
}

export function finish(question, job, play = true) {
  const asked = held(question);
  page.shown = { asked, job };
  const cancelled = job.state === "cancelled";
  if (cancelled && !job.answer) return say("Cancelled.");
  if (!cancelled && job.state !== "done") {
    say(plainly(job.problem?.detail ?? job.state), true);
    return intoView(at("status"));
  }
  say(cancelled ? "Cancelled." : "");
  const proving = job.id && !cancelled ? () => attempt(() => prove(asked, job)) : null;
  const lay = page.challenge.shown ? (items) => page.challenge.show(items) : null;
  const answer = withFours(asked, job.answer);
  showAnswer(at("answer"), at("board"), asked, answer, {
    cached: job.cached,
    prove: proving,
    play,
    lay,
    goOn: answer.status === "UNKNOWN" && job.id ? () => attempt(goOn) : null,
  });
  page.challenge.know(answer);
  const [words, , style] = verdictOf(asked, answer);
  glance(words, style);
  noteResult(job.id, { result: resultOf(asked, answer), style });
  drawJobs();
  if (play) intoView(at("answer").querySelector(".verdict"));
}

const LISTED_CARDS = 7; // cards of a question in the list of past questions

// What the list of past questions shows of a question.
function titleOf({ question, cards, hands }) {
  const all = cards ?? hands.flat();
  const plain = (value) => (typeof value === "number" ? value : String(value));
  return {
    question,
    cards: all.slice(0, LISTED_CARDS).map((card) => card.map(plain)),
    more: Math.max(0, all.length - LISTED_CARDS),
  };
}

export function drawJobs() {
  const kept = remembered();
  const focused = [...at("jobs").querySelectorAll("button")].indexOf(document.activeElement);
  at("jobs").replaceChildren(
    ...kept.map(({ id, question, cards, more, result, style }) =>
      element(
        "li",
        {},
        element(
          "button",
          { onclick: () => attempt(() => reopen(id)) },
          ...cards.map((card) => cardElement(card, "small", "span")),
          more ? element("span", { class: "quiet" }, `+${more}`) : null,
          element("span", { class: `result ${style}` }, result),
          element("span", { class: "quiet" }, KINDS[question]?.title ?? question),
        ),
      ),
    ),
  );
  if (!kept.length) at("jobs").append(element("li", { class: "quiet" }, "None yet."));
  at("jobs").querySelectorAll("button")[focused]?.focus();
}

// Show a job again; one that the server no longer knows is asked again.
export async function reopen(id, overtaken = () => false) {
  const entry = remembered().find((each) => each.id === id);
  const job = await getJob(id).catch((error) => {
    if (error.status !== 404 || !entry?.asked) throw error;
    return null;
  });
  if (overtaken()) return;
  put(job?.instance ?? parseExact(entry.asked));
  if (job) await follow(id, job.instance);
  else await solve();
}
