// Shows a strategy as a small tree, and lets the user play against it.

import { solveNow } from "./api.js";
import { cardElement, element, nameOf } from "./cards.js";
import { Duel } from "./strategy.js";

const REPLY_MS = 600;
const MOST_LINES = 16; // maximum lines of the tree when first shown, and of each turn in it
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const chip = (card) => cardElement(card, "small", "span");

// Show what the strategy opens with and answers, with later turns folded.
export function showStrategy(box, asked, answer) {
  const duel = new Duel(asked, answer);
  const { opening } = duel;
  if (duel.whole) {
    const whole = tree(duel, duel.start());
    unfold(whole);
    box.append(element("h3", {}, "How to win"), whole);
  } else {
    const open = opening ? ["Open with ", chip(opening), ` ${nameOf(opening)}. `] : [];
    box.append(element("p", {}, ...open, "There are too many positions to list them all."));
    if (asked.hands.length > 2) return;
  }
  const side = duel.wins ? (asked.hands.length > 2 ? "the others" : "player 2") : "player 1";
  const begin = element("button", { id: "play-against", onclick: () => begin.replaceWith(table(duel)) }, `Play ${side} against it`);
  box.append(begin);
}

// The game after the page has played: by the strategy, or, if its positions are not listed, by the
// server's strategy for the rest of the game.
async function played(duel, game) {
  if (duel.whole) return duel.reply(game);
  const asked = duel.asQuestion(game);
  const answer = await solveNow(asked);
  const card = answer.status === "SATISFIABLE" && new Duel(asked, answer).opening;
  if (!card) throw new Error("the server did not find a move in time");
  return duel.lay(game, card);
}

function tree(duel, game) {
  const lines = [...duel.lines(game)];
  const list = element("ul", { class: "tree" }, ...lines.slice(0, MOST_LINES).map((line) => branch(duel, line)));
  if (lines.length > MOST_LINES) list.append(element("li", { class: "quiet" }, `and ${lines.length - MOST_LINES} more`));
  return list;
}

// A line such as "On blue 2 answer blue 7, which wins."; later turns are added when it is opened.
function branch(duel, { plays, game }) {
  const many = game.hands.length > 2;
  const mine = plays.filter(({ player }) => duel.follows(player));
  const theirs = plays.filter(({ player }) => !duel.follows(player));
  const phrase = (own) => own.flatMap(({ player, card }, index) => [index ? ", " : "", many ? `${player + 1}: ` : "", chip(card), ` ${nameOf(card)}`]);
  const over = duel.over(game);
  const words = element(
    "span",
    {},
    ...(theirs.length ? ["On ", ...phrase(theirs), mine.length ? " answer " : ""] : ["Open with "]),
    ...phrase(mine),
    over ? (mine.length ? ", which wins." : ": the next player cannot discard.") : ".",
  );
  if (over) return element("li", {}, words);
  const folded = element("details", {}, element("summary", {}, words));
  folded.fill = () => folded.childElementCount > 1 || folded.append(tree(duel, game));
  folded.addEventListener("toggle", folded.fill);
  return element("li", {}, folded);
}

// Open the tree level by level, as long as it has at most MOST_LINES lines.
function unfold(whole) {
  let closed;
  do {
    closed = [...whole.querySelectorAll("details:not([open])")];
    closed.forEach((each) => each.fill());
    if (whole.querySelectorAll("li").length > MOST_LINES) return;
    closed.forEach((each) => (each.open = true));
  } while (closed.length);
}

// The table, where the user plays for everybody who does not follow the strategy.
function table(duel) {
  const box = element("div", { id: "duel" });
  const names = duel.asked.hands.map((_, player) => (duel.follows(player) ? `Player ${player + 1}, the page` : duel.asked.hands.length > 2 ? `Player ${player + 1}, yours` : "You"));
  let past = [duel.start()];
  let timer = null;

  const go = (game) => {
    past.push(game);
    draw();
  };
  const answerTo = async (game) => {
    try {
      const next = await played(duel, game);
      if (box.isConnected && past.at(-1) === game) go(next);
    } catch (error) {
      if (past.at(-1) === game) box.querySelector("#duel-status").textContent = `The page cannot answer: ${error.message}`;
    }
  };
  const back = () => {
    clearTimeout(timer);
    do past.pop();
    while (past.length > 1 && (duel.follows(past.at(-1).player) || duel.over(past.at(-1))));
    if (!past.length) past = [duel.start()];
    draw();
  };
  const anew = () => {
    clearTimeout(timer);
    past = [duel.start()];
    draw();
  };

  function draw() {
    const inside = box.contains(document.activeElement);
    const game = past.at(-1);
    const over = duel.over(game);
    const reply = !over && duel.follows(game.player);
    box.replaceChildren(
      ...game.hands.flatMap((hand, player) => seat(game, hand, player, over)),
      element("p", { class: "pile" }, "On the pile: ", ...(game.last ? [chip(game.last), ` ${nameOf(game.last)}`] : ["nothing"])),
      element("p", { id: "duel-status", role: "status", class: over ? "verdict" : "" }, over ? endWords(duel, game, over) : reply ? "The page answers …" : "Your turn: choose a card."),
      element("div", { class: "buttons" },
        element("button", { id: "duel-back", onclick: back, disabled: past.length < 2 }, "Take back"),
        element("button", { id: "duel-anew", onclick: anew, disabled: past.length < 2 }, "Play again")),
    );
    if (inside) (box.querySelector(".cards button:enabled") ?? box.querySelector(over ? "#duel-anew" : "#duel-back"))?.focus();
    if (reply) timer = setTimeout(() => answerTo(game), still() ? 0 : REPLY_MS);
  }

  function seat(game, hand, player, over) {
    const mine = game.player === player && !duel.follows(player) && !over;
    const legal = new Set(mine ? duel.legal(game) : []);
    const cards = hand.map((card, place) => {
      const onclick = () => go(duel.lay(game, card));
      return element("li", {}, cardElement(card, "", "button", { "aria-label": `play ${nameOf(card)}`, disabled: !legal.has(place), onclick }));
    });
    return [
      element("div", { class: "hand-title" }, `${names[player]}: ${hand.length}`),
      element("ul", { class: `cards seat-cards ${mine ? "mine" : ""}`, "aria-label": names[player] }, ...cards),
    ];
  }

  draw();
  queueMicrotask(() => (box.querySelector(".cards button:enabled") ?? box.querySelector("button"))?.focus());
  return box;
}

function endWords(duel, game, { winner, loser }) {
  const who = winner ?? loser;
  const name = duel.follows(who) ? `Player ${who + 1}` : game.hands.length > 2 ? `Player ${who + 1}` : "You";
  if (winner !== undefined) return `${name === "You" ? "You have" : `${name} has`} won: an empty hand.`;
  const pile = game.last ? ` that matches ${nameOf(game.last)}` : "";
  return `${name === "You" ? "You have" : `${name} has`} lost: no card${pile}.`;
}
