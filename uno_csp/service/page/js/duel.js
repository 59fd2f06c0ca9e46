// Shows a strategy as a small tree, and lets the user play against it.

import { cardElement, element, nameOf } from "./cards.js";
import { DuelTable } from "./duel_table.js";
import { Duel } from "./strategy.js";

const MOST_LINES = 16; // maximum lines of the tree when first shown, and of each turn in it
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
  const begin = element(
    "button",
    { id: "play-against", onclick: () => begin.replaceWith(new DuelTable(duel).begin()) },
    `Play ${side} against it`,
  );
  box.append(begin);
}

function tree(duel, game) {
  const lines = [...duel.lines(game)];
  const list = element(
    "ul",
    { class: "tree" },
    ...lines.slice(0, MOST_LINES).map((line) => branch(duel, line)),
  );
  if (lines.length > MOST_LINES)
    list.append(element("li", { class: "quiet" }, `and ${lines.length - MOST_LINES} more`));
  return list;
}

// A line such as "On blue 2 answer blue 7, which wins."; later turns are added when it is opened.
function branch(duel, { plays, game }) {
  const many = game.hands.length > 2;
  const mine = plays.filter(({ player }) => duel.follows(player));
  const theirs = plays.filter(({ player }) => !duel.follows(player));
  const phrase = (own) =>
    own.flatMap(({ player, card }, index) => [
      index ? ", " : "",
      many ? `${player + 1}: ` : "",
      chip(card),
      ` ${nameOf(card)}`,
    ]);
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
