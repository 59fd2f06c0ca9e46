// The board of colours and numbers: a grid of buttons, navigated with the arrow keys.

import {
  countsOf,
  DRAW_FOUR,
  element,
  isFour,
  isWild,
  keyOf,
  nameOf,
  SIGNS,
  saying,
  WILD_CARD,
} from "./cards.js";
import { axesOf, cardsOf, handsOf, listOf, targetsOf } from "./question.js";

const MOST_OWNERS = 2; // maximum number of owners listed in a cell
let tab = "red"; // the line of the board that is shown on a phone

// `on` has the handlers of a card: `toggle` for a click, `takeOne` for Delete.
export function drawBoard(board, state, on) {
  const [rows, columns] = axesOf(state);
  const focused = document.activeElement?.getAttribute("data-card");
  const counts = countsOf(listOf(state, state.target));
  const everywhere = new Set(
    targetsOf(state).flatMap(([target]) => listOf(state, target).map(keyOf)),
  );
  const deck = state.axes === "deck";
  const fours = deck || cardsOf(state).some(isFour);
  const owners = ownersOf(state);
  const make = (card, face) => {
    const key = keyOf(card);
    return cell(
      card,
      face,
      { count: counts.get(key) ?? 0, dealt: everywhere.has(key), owners: owners.get(key) },
      on,
    );
  };
  const line = (title, role, ...cells) =>
    element(
      "div",
      { role: "row", class: "line", "data-tab": title },
      element("span", { class: "head", role }, title),
      ...cells,
    );
  board.style.setProperty("--columns", columns.length);
  board.replaceChildren(
    line(
      "",
      "presentation",
      ...columns.map((column) =>
        element("span", { class: "head", role: "columnheader" }, SIGNS[column] ?? String(column)),
      ),
    ),
    ...rows.map((row) =>
      line(
        String(row),
        "rowheader",
        ...columns.map((column) =>
          make([row, column], deck ? (SIGNS[column] ?? String(column)) : ""),
        ),
      ),
    ),
    line("wild", "rowheader", make(WILD_CARD, "W"), fours ? make(DRAW_FOUR, "+4") : null),
  );
  drawTabs(document.getElementById("tabs"), board, deck ? [...rows.map(String), "wild"] : []);
  const cells = [...board.querySelectorAll(".cell button")];
  const again = cells.find((each) => each.dataset.card === focused);
  (again ?? cells[0])?.setAttribute("tabindex", "0");
  again?.focus({ preventScroll: true });
  board.onkeydown = (event) => move(event, cells, columns.length);
}

// On a phone only one colour of the deck is on the board, with large keys, unless a walk is shown.
function drawTabs(box, board, names) {
  if (names.length && !names.includes(tab)) tab = names[0];
  const choose = (name) => {
    tab = name;
    for (const each of box.children)
      each.setAttribute("aria-pressed", String(each.dataset.tab === tab));
    for (const each of board.querySelectorAll(".line"))
      each.classList.toggle("folded", names.length > 0 && each.dataset.tab !== tab);
  };
  box.replaceChildren(
    ...names.map((name) =>
      element(
        "button",
        { class: `face-${name}`, "data-tab": name, onclick: () => choose(name) },
        name,
      ),
    ),
  );
  choose(tab);
}

// A note on the cards of the question that are not on the board, which is hidden if all are;
// empty if there are none.
export function boardNote(board, state) {
  const [rows, columns] = axesOf(state).map(
    (values) => new Set(values.map((value) => keyOf([value]))),
  );
  const cards = cardsOf(state).filter((card) => !isWild(card));
  const off = cards.filter(
    (card) => !(card.length === 2 && rows.has(keyOf([card[0]])) && columns.has(keyOf([card[1]]))),
  );
  board.parentElement.hidden = off.length > 0 && off.length === cards.length;
  if (!off.length) return "";
  if (board.parentElement.hidden) return "A board has cards of two values: type these below.";
  const [have, ends] = off.length === 1 ? ["card has", "It is"] : ["cards have", "They are"];
  return `${off.length} ${have} no place on this board. ${ends} listed below.`;
}

// The numbers of the players who hold each card, by its key; empty for a single hand.
function ownersOf(state) {
  const owners = new Map();
  const hands = handsOf(state);
  if (hands.length < 2) return owners;
  hands.forEach((hand, index) => {
    for (const key of new Set(hand.map(keyOf)))
      owners.set(key, [...(owners.get(key) ?? []), index + 1]);
  });
  return owners;
}

function cell(card, face, { count, dealt, owners }, on) {
  const wild = isWild(card);
  const style = `${count ? "held" : ""} ${dealt ? "dealt" : ""} ${wild ? "wild" : `face-${card[0]}`}`;
  const button = element(
    "button",
    {
      "data-card": keyOf(card),
      tabindex: "-1",
      "aria-pressed": count > 0 ? "true" : "false",
      title: nameOf(card),
      onclick: () => on.toggle(card),
      onkeydown: (event) => ["Delete", "Backspace"].includes(event.key) && on.takeOne(card),
    },
    ...saying(
      `${nameOf(card)}, ${count} there${owners ? `, held by ${owners.join(" and ")}` : ""}`,
      face,
      owners
        ? element(
            "span",
            { class: "owners" },
            owners.slice(0, MOST_OWNERS).join(" ") + (owners.length > MOST_OWNERS ? "…" : ""),
          )
        : null,
      count > 1 ? element("span", { class: "count" }, `×${count}`) : null,
    ),
  );
  return element("div", { role: "gridcell", class: `cell ${style}` }, button);
}

// Move the focus by a key; the wild cards are the last row.
function move(event, cells, width) {
  const from = cells.indexOf(document.activeElement);
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width };
  const last = cells.length - 1;
  let to = from + steps[event.key];
  if (event.key === "Home") to = from - (from % width);
  if (event.key === "End") to = Math.min(last, from - (from % width) + width - 1);
  if (Number.isNaN(to) || from < 0) return;
  event.preventDefault();
  const chosen = cells[Math.min(last, Math.max(0, to))];
  cells.forEach((each) => each.setAttribute("tabindex", "-1"));
  chosen.setAttribute("tabindex", "0");
  chosen.focus();
}
