// Jobs of this browser: the one being watched, and the latest ones, remembered across reloads.

import { events, Problem } from "./api.js";

const MEMORY = "uno-csp-jobs";
const REMEMBERED = 8;
const RETRY_MS = 1000;

export function remembered() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) ?? [];
  } catch {
    return [];
  }
}

export const remember = (entry) =>
  localStorage.setItem(MEMORY, JSON.stringify([entry, ...remembered()].slice(0, REMEMBERED)));

// Note the result of a job that is remembered.
export const noteResult = (id, result) =>
  localStorage.setItem(
    MEMORY,
    JSON.stringify(
      remembered().map((entry) => (entry.id === id ? { ...entry, ...result } : entry)),
    ),
  );

function progressWords({ rounds, cuts, elapsed_s: elapsed, objective, bound, proving }) {
  if (proving) return "The answer is found. Looking for a proof ...";
  const found = objective == null ? "" : `, found ${objective}`;
  const proved = bound == null ? "" : `, proved ${bound}`;
  return `Round ${rounds}, ${cuts} cuts${found}${proved}, ${Number(elapsed).toFixed(1)} s`;
}

export class Watch {
  // `say` shows a status message; `busy` is called with whether a job is being watched.
  constructor(say, busy) {
    this.say = say;
    this.busy = busy;
    this.id = null;
  }

  // Watch another job, or none.
  let(id) {
    this.id = id;
    this.busy(id !== null);
  }

  // Return the job once it has ended; null if it is no longer being watched.
  async follow(id) {
    this.let(id);
    try {
      while (this.id === id) {
        const ended = await this.#listen(id);
        if (this.id !== id) return null;
        if (ended) return ended;
        this.say("The server cannot be reached; trying again ...");
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
      return null;
    } finally {
      if (this.id === id) this.let(null);
    }
  }

  // Return the job at its end; null if the stream breaks before, so that it must be reopened.
  async #listen(id) {
    try {
      for await (const { event, data } of events(id)) {
        if (this.id !== id) return null;
        if (event === "state")
          this.say(data.state === "queued" ? "Waiting for its turn ..." : `${data.state} ...`);
        if (event === "progress") this.say(progressWords(data));
        if (event === "end") return data;
      }
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    return null;
  }
}
