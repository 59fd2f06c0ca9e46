// What the page of the real game shows of the game on the table. `on` has what is done when
// something is chosen: `goTo`, `follow`, `move`, `card`, `drawing`, `refused`, `uncover`, `seats`.

import { codeOf } from "./cards.js";
import { cardOf } from "./faces.js";
import { trying } from "./failing.js";
import {
  atEnd,
  covered,
  isOpen,
  knownAfter,
  lastDecision,
  lastHands,
  MOST_TOLD,
  mayMove,
  STAGES,
  seats,
  sees,
  state,
  together,
  topNow,
  turnsNow,
} from "./game_state.js";
import { switchesOf } from "./rules.js";
import {
  drawCover,
  drawEnd,
  drawLine,
  drawMoves,
  drawSeats,
  drawTable,
  drawTurns,
  fly,
  winnerWords,
} from "./table.js";
import { firstWords, has, turnOf, turnWords } from "./telling.js";

/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);
let flying = null; // the place from which the next card on the pile comes

export const turnsOf = (count) => `${count} ${count === 1 ? "turn" : "turns"}`;
export const attempt = trying((words) => {
  say(words, "problem");
  if (!state.game) at("settings").open = true; // where another game is dealt
});

export function say(words, style = "") {
  at("remark").textContent = words;
  at("remark").className = style;
}

// The next card on the pile comes from a place, or from nowhere.
export function flyFrom(place) {
  flying = place;
}

function land() {
  if (flying) fly(flying);
  flying = null;
}

export function drawHistory(on) {
  drawTurns(at("history"), state.plays, (index) => on.goTo(index + 1), {
    current: state.step - 1,
    marks: state.marks,
    names: seats.called,
  });
}

export function drawSettings(on) {
  const { hidden } = seats;
  at("cards-shown").value = hidden ? "hidden" : "open";
  at("speed").value = seats.speed;
  at("hints-field").hidden = at("analysis").hidden = !isOpen();
  at("best").hidden = !isOpen();
  at("steps").hidden = !isOpen();
  at("take-back").hidden = isOpen();
  at("layout").hidden = !isOpen();
  at("review-bar").hidden = state.review === null;
  at("scores").textContent = seats.scoreWords;
  at("new-scores").hidden = !seats.scoreWords;
  drawSeats(at("seats"), seats.computers, seats.names, (index, { computer, name }) => {
    const computers = seats.computers.with(index, computer ?? seats.computers[index]);
    const names = seats.computers.map((_, place) => seats.names[place] ?? "");
    seats.set({ computers, names: names.with(index, name ?? names[index]) });
    state.shown = 0;
    on.seats();
  });
}

const viewOf = (position, more) => ({
  position,
  top: topNow(),
  draw: position.pile?.map(cardOf) ?? state.game.draw ?? [],
  wears: switchesOf(state.game.rules).effects_wear_off,
  names: seats.called,
  sees: (player) => sees(player, position.player),
  open: isOpen(),
  ...more,
});

// Until the analysis arrives, draw the cards as dealt, without hints; after a turn, leave the table
// as it was, where nothing can be played.
export function drawUnknown() {
  const { game } = state;
  at("verdict").textContent = "Looking ahead ...";
  for (const id of ["line-title", "cost"]) at(id).textContent = "";
  drawBest(null, [], {});
  drawMoves(at("moves"), [], 1, false, () => {});
  for (const button of at("felt").querySelectorAll(".seat button, #draw"))
    button.setAttribute("aria-disabled", "true");
  at("best").setAttribute("aria-disabled", "true");
  if (state.step > 0) return;
  const position = {
    hands: game.hands.map((hand) => hand.map(codeOf)),
    player: game.turned_up ? 0 : (game.to_move ?? 1),
    colour: game.colour ?? game.after[0],
    drawn: 0,
    direction: game.direction ?? 1,
    pending: 0,
  };
  const nothing = { card() {}, refused() {}, draw() {} };
  drawTable(viewOf(position, { moves: [], hints: false, mayPlay: false, on: nothing }));
}

export function draw(found, on) {
  const { position, plays, moves } = found;
  if (!moves.some((move) => move.draws)) state.drew = false;
  const over = position === null;
  const hints = at("hints").checked && isOpen();
  drawControls(found);
  drawVerdict(found, hints);
  drawBest(found, over || !hints ? [] : plays, on);
  tell(found);
  if (over) return drawOver(found);
  const mayPlay = mayMove(position.player) && !covered(position.player);
  drawTable(
    viewOf(position, {
      moves: found.moves,
      hints,
      mayPlay: mayPlay && !state.drew,
      on: {
        card: (code) => on.card(found, code),
        draw: () => on.drawing(found),
        refused: (code) => on.refused(found, code),
      },
    }),
  );
  if (covered(position.player))
    drawCover(seats.called[position.player - 1], () => on.uncover(position.player));
  land();
  if (state.drew) on.drawn(found);
  drawMoves(
    at("moves"),
    hints ? found.moves : [],
    position.player,
    hints,
    (move) => mayPlay && on.move(move),
  );
}

function drawControls({ position, plays }) {
  const over = position === null;
  const disable = (id, off) => at(id).setAttribute("aria-disabled", String(off));
  for (const id of ["first", "back"]) disable(id, state.step === 0);
  for (const id of ["forward", "last"]) disable(id, atEnd());
  disable("best", over || !plays.length);
  disable("advise", over || !mayMove(position.player) || covered(position.player));
  disable("take-back", lastDecision() < 0 || state.drew);
  at("review").hidden = !over || isOpen();
  at("again").hidden = !over || state.review !== null;
  at("variation").hidden = !state.review || state.plays === state.review;
}

function drawVerdict(found, hints) {
  const { position, winner, plays } = found;
  at("verdict").textContent = !position
    ? overWords(found)
    : !hints
      ? turnOf(seats.called, position, mayMove(position.player))
      : winner === "unknown" && found.most < STAGES.at(-1)
        ? "Looking ahead ..."
        : winnerWords(winner, seats.called, { together: together(), turns: found.turns });
  at("line-title").textContent =
    position && hints && plays.length ? `Best play from here: ${turnsOf(plays.length)}` : "";
  at("cost").textContent = found.score && hints ? pointWords(found) : "";
}

const pointWords = ({ score }) =>
  `Points left: ${seats.called.map((name, index) => `${name} ${score[index + 1]}`).join(", ")}.`;

const overWords = ({ winner }) =>
  typeof winner === "number"
    ? `${has(seats.called[winner - 1], "won")}${winner === 1 && together() ? ": all helped" : ""}!`
    : "All passed: nobody has won.";

function drawOver(found) {
  const points = found.score ? ` ${pointWords(found)}` : "";
  const hands = lastHands() ?? state.game.hands.map(() => []);
  drawEnd(hands, seats.called, topNow(), overWords(found) + points);
  land();
  drawMoves(at("moves"), [], 1, false, () => {});
}

// Tell what happened since the player's last decision, and whose turn it is.
function tell({ position }) {
  const { called } = seats;
  const turns = turnsNow();
  const decided = lastDecision();
  const from = Math.max(0, decided, state.step - MOST_TOLD);
  const told = turns.slice(from).flatMap((play, index) => {
    const before = knownAfter(turns.slice(0, from + index))?.position;
    const after = knownAfter(turns.slice(0, from + index + 1))?.position;
    return before ? [turnWords(called, before, play, after)] : [];
  });
  const first = knownAfter([])?.turned_up;
  if (from === 0 && decided < 0 && first) told.unshift(firstWords(called, first));
  const covers = position && covered(position.player);
  const turn = position ? turnOf(called, position, mayMove(position.player)) : "";
  const words = [...told, covers || isOpen() ? "" : turn].filter(Boolean);
  if (at("events").textContent !== words.join(" ")) at("events").textContent = words.join(" ");
}

// The best play from here, with the turns that mattered once they were looked for.
function drawBest(found, plays, on) {
  at("mattered").hidden = !plays.length || found.marks !== undefined;
  drawLine(
    at("line"),
    at("line-players"),
    plays,
    seats.called,
    (index) => on.follow(plays, index + 1),
    found?.marks,
  );
}
