// The page of the real game: a game, the turns played so far, and the server's analysis. With
// hidden cards the computer plays what an agent chooses that sees one hand; with open cards, the
// best play. A finished game is reviewed with open cards; what is tried in it is a variation.

import { chooseMove, parseText } from "./api.js";
import { element } from "./cards.js";
import { share } from "./dialog.js";
import { numberIn } from "./fields.js";
import { onlyOne, takeDrops, textOf } from "./files.js";
import { beginOnce, deal, dealAnother, fillFields, layOut, start } from "./game_dealing.js";
import { attempt, say } from "./game_drawing.js";
import { leaveReview, leaveVariation, markBest, review, stopReview } from "./game_review.js";
import { isOpen, keyOfTurns, now, seats, state, turnsNow } from "./game_state.js";
import { AGENT, goTo, leaveChoice, play, redrawSettings, show, takeBack } from "./game_turns.js";
import { saysOf, TEXTS } from "./rules.js";
import { drawAdvice } from "./table.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

const SAMPLED =
  "Below is the share of the deals that each wins; the dark line is its 95 % interval.";
const COUNTED = "Below is the exact share of all possible deals that each wins.";

async function ask() {
  const { game } = state;
  const turns = turnsNow();
  at("advice-status").textContent = "Dealing and playing ...";
  try {
    const deals = numberIn(at("deals"));
    const { moves, words: best } = await chooseMove(game, turns, AGENT, deals);
    if (keyOfTurns(turns) !== keyOfTurns(turnsNow()) || game !== state.game) return;
    drawAdvice(at("advice"), moves);
    at("advice-status").textContent = moves.length
      ? `${best} ${moves[0].deals ? SAMPLED : COUNTED}`
      : "There is only one thing to do.";
  } catch (error) {
    at("advice-status").textContent = "";
    throw error;
  }
}

// Arrow keys step through the game, except in fields; Escape leaves the choice of a colour.
function onKey(event) {
  if (event.key === "Escape" && at("choice").childElementCount && !state.drew) leaveChoice();
  const typing = event.target.closest("input, select, textarea, dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || typing || !state.game || !isOpen()) return;
  const step = {
    ArrowLeft: state.step - 1,
    ArrowRight: state.step + 1,
    Home: 0,
    End: state.plays.length,
  }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  goTo(step);
}

function wireSettings() {
  at("rules").replaceChildren(
    ...Object.entries(TEXTS).map(([value, { title }]) => element("option", { value }, title)),
  );
  at("rules").addEventListener("change", (event) => {
    at("rules-say").textContent = saysOf(event.target.value);
  });
  at("hints").addEventListener("change", () => now() && attempt(show));
  at("speed").addEventListener("change", (event) => seats.set({ speed: event.target.value }));
  at("cards-shown").addEventListener("change", (event) =>
    attempt(() => {
      const hidden = event.target.value === "hidden";
      seats.set({ hidden, computers: seats.computers.map((_, index) => hidden && index > 0) });
      fillFields();
      return show();
    }),
  );
}

function wire() {
  const onClick = (id, doing) =>
    at(id).addEventListener(
      "click",
      (event) => event.currentTarget.getAttribute("aria-disabled") !== "true" && attempt(doing),
    );
  onClick("deal", () => deal());
  onClick("another", dealAnother);
  onClick("again", dealAnother);
  onClick("lay", layOut);
  onClick("review", review);
  onClick("stop-review", stopReview);
  onClick("leave-review", leaveReview);
  onClick("variation", leaveVariation);
  onClick("mattered", markBest);
  onClick("first", () => goTo(0));
  onClick("back", () => goTo(state.step - 1));
  onClick("forward", () => goTo(state.step + 1));
  onClick("last", () => goTo(state.plays.length));
  onClick("take-back", takeBack);
  onClick("best", () => play(now().plays[0]));
  onClick("advise", ask);
  onClick("share", () => share(location.href, say));
  onClick("new-scores", () => {
    seats.forgetScores();
    redrawSettings();
  });
  // Until the turn is known, the table shows the position before it, whose moves are over.
  at("felt").addEventListener("click", (event) => now() || event.stopPropagation(), true);
  addEventListener("keydown", onKey);
  addEventListener("popstate", () => attempt(() => start(true)));
  takeDrops((files) =>
    attempt(async () => beginOnce(parseText(await textOf(onlyOne(files))), [], {})),
  );
}

wireSettings();
wire();
attempt(start);
