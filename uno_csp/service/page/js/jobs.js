// Jobs of this browser: the one being watched, and the latest ones, remembered across reloads.

import { events } from "./api.js";
import { Problem } from "./failing.js";
import { keep, kept } from "./store.js";

const REMEMBERED = 8;
const MOST_KEPT = 20_000; // characters of a question that is remembered with its job
const RETRY_MS = 1000;

const ENTRY = { id: "", question: "", cards: [[null]], more: 0, result: "…", style: "" };
export const remembered = () => kept("jobs", [ENTRY]);

// Remember a job and its question, which the server may forget.
export function remember(entry) {
  const asked = JSON.stringify(entry.asked).length <= MOST_KEPT ? entry.asked : null;
  keep("jobs", [{ ...entry, asked }, ...remembered()].slice(0, REMEMBERED));
}

// Note the result of a job that is remembered.
export const noteResult = (id, result) =>
  keep(
    "jobs",
    remembered().map((entry) => (entry.id === id ? { ...entry, ...result } : entry)),
  );

// How far a search is, in words for people.
export function progressWords({ elapsed_s: elapsed = 0, objective, bound, proving }, limit) {
  if (proving) return "The answer is found. Looking for a proof ...";
  const spent = Math.round(Number(elapsed));
  const share = limit
    ? ` of ${limit} s (${Math.min(100, Math.round((100 * spent) / limit))} %)`
    : " s";
  const found = objective == null ? "" : ` The best so far: ${objective}.`;
  const proved = bound == null ? "" : ` The bound: ${bound}.`;
  return `Looking: ${spent}${share}.${found}${proved}`;
}

export const TOLD_EVERY_MS = 10_000; // how often progress is read out

export class Watch {
  // `say` shows a status message, which is read out; `bar` is the progress bar; `busy` is called
  // with whether a job is being watched.
  constructor(say, bar, busy) {
    this.say = say;
    this.bar = bar;
    this.busy = busy;
    this.id = null;
  }

  // Watch another job, or none.
  let(id) {
    this.id = id;
    this.told = 0;
    this.bar.removeAttribute("value");
    this.busy(id !== null);
  }

  // Return the job once it has ended; null if it is no longer being watched.
  async follow(id, limit) {
    this.let(id);
    try {
      while (this.id === id) {
        const ended = await this.#listen(id, limit);
        if (this.id !== id) return null;
        if (ended) return ended;
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
      return null;
    } finally {
      if (this.id === id) this.let(null);
    }
  }

  #progress(progress, limit) {
    if (limit) this.bar.value = Math.min(1, Number(progress.elapsed_s ?? 0) / limit);
    if (Date.now() - this.told < TOLD_EVERY_MS) return;
    this.told = Date.now();
    this.say(progressWords(progress, limit));
  }

  // Return the job at its end; null if the stream breaks before, so that it must be reopened.
  async #listen(id, limit) {
    try {
      for await (const { event, data } of events(id)) {
        if (this.id !== id) return null;
        if (event === "state")
          this.say(data.state === "queued" ? "Waiting for its turn ..." : "Looking ...");
        if (event === "progress") this.#progress(data, limit);
        if (event === "end") return data;
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    return null;
  }
}
