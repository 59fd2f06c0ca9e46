// The table of the real game: hands, pile, what each move leads to, lines, and advice.

import { codeOf, element, faceElement, saying } from "./cards.js";
import { cardSpan, colourSpan, faceOfCode, moveSpans, moveWords } from "./faces.js";
import { does } from "./telling.js";

const NEXT_CARDS = 6;
/** @type {(id: string) => any} */
const at = (id) => document.getElementById(id);

// The outcome of a move for its player: player 1 plays against all others, or all play together.
export function worthOf(leadsTo, player, turns) {
  if (turns !== undefined) return togetherWorth(leadsTo, turns);
  if (leadsTo === "unknown") return { style: "even", word: "not known" };
  if (leadsTo === null) return { style: "even", word: "ties" };
  return (leadsTo === 1) === (player === 1)
    ? { style: "good", word: "wins" }
    : { style: "bad", word: "loses" };
}

function togetherWorth(leadsTo, turns) {
  if (leadsTo === "unknown") return { style: "even", word: "not known" };
  return leadsTo === 1
    ? { style: "good", word: `out in ${turns}`, turns }
    : { style: "bad", word: "never out" };
}

export const winnerWords = (winner, names, { together = false, turns = 0 } = {}) => {
  if (together && winner === 1)
    return `All together can help player 1 to be out in ${turns} ${turns === 1 ? "turn" : "turns"}.`;
  if (together && winner !== "unknown")
    return "Even if all help, player 1 cannot be the first to be out.";
  if (winner === "unknown") return "The winner was not found in time.";
  if (winner === null) return "Nobody can force a win.";
  if (winner === "others")
    return `The others together can stop ${names[0] === "You" ? "you" : "player 1"} and win.`;
  const name = names[winner - 1];
  return names.length === 2 || winner === 1 ? `${name} can force a win.` : `${does(name, "win")}.`;
};

// The best outcome of the moves that play a card; null if it is not known.
function worthOfCard(moves, code, player) {
  const own = moves.filter((move) => !move.draws && move.lays === code);
  if (!own.length || own[0].leads_to === undefined) return null;
  const order = ["wins", "ties", "not known", "loses"];
  const worths = own.map((move) => worthOf(move.leads_to, player, move.turns));
  const rank = ({ word, turns }) => turns ?? order.indexOf(word);
  return worths.sort((a, b) => rank(a) - rank(b))[0];
}

// The back of a hidden card.
const backSpan = () =>
  element(
    "li",
    {},
    element("span", { class: "card back", role: "img", "aria-label": "hidden card" }),
  );

// A card of an open hand. One that cannot be played stays a button, which says why.
function handCard(code, index, { legal, worth, on }) {
  const face = faceOfCode(code);
  const label = worth ? `${face.name}, ${worth.word}` : face.name;
  const card = faceElement(face, "button", {
    "aria-disabled": legal ? null : "true",
    title: label,
    "aria-label": label,
    "data-code": code,
    onclick: () => (legal ? on.card(code, index) : on.refused(code)),
  });
  const said =
    worth === undefined
      ? null
      : element(
          "span",
          { class: `worth ${worth?.style ?? ""}`, "aria-hidden": true },
          worth?.word ?? "",
        );
  return element("li", {}, card, said);
}

// The name of a seat and its cards, on two lines where there is no room beside it.
const titleOf = (name, cards) => [
  element("span", { class: "seat-name" }, name),
  element("span", { class: "dot" }, " · "),
  cards,
];

// A seat: its name, whose turn it is, and its cards. `view` is as for `drawTable`.
function seat(view, index) {
  const { position, moves, hints, mayPlay, names, sees, on } = view;
  const [player, hand] = [index + 1, position.hands[index]];
  const mover = player === position.player;
  const cards = sees(player)
    ? hand.map((code, place) =>
        handCard(code, place, {
          legal: mover && mayPlay && moves.some((move) => !move.draws && move.lays === code),
          worth: mover && hints ? worthOfCard(moves, code, player) : undefined,
          on,
        }),
      )
    : hand.map(backSpan);
  const count = hand.length === 1 ? "one card!" : `${hand.length} cards`;
  return element(
    "div",
    { class: `seat ${mover ? "mover" : ""} ${sees(player) ? "open" : ""}`, "data-player": player },
    element("h3", {}, ...titleOf(names[index], count)),
    element("ul", { class: "cards", "aria-label": `Hand: ${names[index]}` }, ...cards),
  );
}

// The top of the pile. A card whose effect has worn off counts by its colour alone.
function pile({ top, position, wears }) {
  const worn = wears && position.symbol === null && !["W", "+4"].includes(top);
  const words = worn ? `${position.colour}, its symbol has worn off` : faceOfCode(top).name;
  const face = { ...faceOfCode(top), ...(worn ? { text: "" } : {}) };
  return element(
    "div",
    {
      class: "pile",
      role: "group",
      "aria-label": `On the pile: ${words}; colour in force: ${position.colour}`,
    },
    faceElement(face, "span", { title: words }),
    colourSpan(position.colour, worn ? "only " : ""),
  );
}

function drawButton({ position, moves, mayPlay, on }) {
  const draws = moves.filter((move) => move.draws);
  const misses = moves.some((move) => !move.draws && !move.lays);
  const owed = position.pending > 0 && `Take ${position.pending}`;
  const can = mayPlay && (draws.length > 0 || misses);
  return element(
    "button",
    {
      id: "draw",
      "aria-disabled": can ? null : "true",
      onclick: () => can && on.draw(),
    },
    misses && !draws.length ? "Miss the turn" : owed || "Draw",
  );
}

// Between the hands: the pile, what is left to draw, and which way the turn goes.
function middle(view) {
  const { position, draw, open } = view;
  const left = draw.length - position.drawn;
  const next = draw.slice(position.drawn, position.drawn + NEXT_CARDS);
  return [
    pile(view),
    element(
      "div",
      { class: "upcoming" },
      left > 0 ? `${left} to draw${open ? ": " : ""}` : "nothing left to draw",
      ...(open ? next.map((card) => cardSpan(codeOf(card))) : []),
      open && left > NEXT_CARDS ? "…" : null,
    ),
    drawButton(view),
    position.hands.length > 2
      ? element(
          "span",
          { class: "quiet" },
          position.direction === 1 ? "↻ the next player follows" : "↺ the previous player follows",
        )
      : null,
  ].filter(Boolean);
}

// Draw the table. `sees` says whose hands are open, `open` whether the pile is, `wears` whether
// effects wear off; `on` has what is done with a card, with one that cannot be played, and to draw.
export function drawTable(view) {
  const { position, sees, open } = view;
  const { id, dataset } = /** @type {HTMLElement} */ (document.activeElement);
  const seats = position.hands.map((_, index) => seat(view, index));
  const own = (index) => (open ? index > 0 : sees(index + 1));
  at("others").replaceChildren(...seats.filter((_, index) => !own(index)));
  at("middle").replaceChildren(...middle(view));
  at("mine").replaceChildren(...seats.filter((_, index) => own(index)));
  const focused = dataset.code ? `[data-code="${dataset.code}"]` : id === "draw" && "#draw";
  if (focused) at("felt").querySelector(focused)?.focus({ preventScroll: true });
}

// A hand that is covered until the player to move says that nobody else looks.
export function drawCover(name, onShow) {
  const show = element("button", { class: "main", onclick: onShow }, `${name}: show my hand`);
  at("mine").replaceChildren(
    element("div", { class: "cover" }, element("p", {}, `Pass to ${name}.`), show),
  );
  show.focus({ preventScroll: true });
}

// The end: all hands, as they lie on the table.
export function drawEnd(hands, names, top, words) {
  at("others").replaceChildren(element("p", { class: "verdict" }, words));
  at("middle").replaceChildren(element("div", { class: "pile" }, cardSpan(top)));
  at("mine").replaceChildren(
    ...hands.map((hand, index) =>
      element(
        "div",
        { class: "seat", "data-player": index + 1 },
        element("h3", {}, ...titleOf(names[index], hand.length ? `${hand.length} left` : "out")),
        element(
          "ul",
          { class: "cards small-cards", "aria-label": `Hand: ${names[index]}` },
          ...hand.map((code) => element("li", {}, cardSpan(code))),
        ),
      ),
    ),
  );
}

// Move the card that was just played from where it was to the pile.
export function fly(from) {
  const card = at("middle").querySelector(".pile .card");
  if (!from || !card || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const to = card.getBoundingClientRect();
  card.animate([{ translate: `${from.x - to.x}px ${from.y - to.y}px` }, {}], {
    duration: 260,
    easing: "ease-out",
  });
}

export function drawMoves(table, moves, player, hints, onMove) {
  table.tBodies[0].replaceChildren(
    ...moves.map((move) => {
      const { style, word } = hints
        ? worthOf(move.leads_to, player, move.turns)
        : { style: "even", word: "" };
      const button = element(
        "button",
        { title: moveWords(move), onclick: () => onMove(move) },
        ...saying(moveWords(move), ...moveSpans(move)),
      );
      return element("tr", {}, element("td", {}, button), element("td", { class: style }, word));
    }),
  );
}

// A turn as a button that begins with `head`, and its mark if it was judged.
function turnButton(play, index, mark, attributes, head, name) {
  const words = `Turn ${index + 1}, ${name}: ${moveWords(play)}${mark ? `; ${mark.words}` : ""}`;
  const judged = mark ? element("span", { class: `mark ${mark.style}` }, mark.sign) : null;
  return element(
    "button",
    { title: words, ...attributes },
    ...saying(words, head, ...moveSpans(play), judged),
  );
}

// Turns as buttons; the current one is marked, and so are those that were judged.
export function drawTurns(list, plays, onTurn, { current = null, marks = [], names = [] } = {}) {
  list.replaceChildren(
    ...plays.map((play, index) => {
      const attributes = {
        "aria-current": current === index ? "step" : null,
        onclick: () => onTurn(index),
      };
      return element(
        "li",
        {},
        turnButton(
          play,
          index,
          marks[index],
          attributes,
          `${names[play.player - 1]}: `,
          names[play.player - 1],
        ),
      );
    }),
  );
}

// Best play as a row for each player, one round below the other; `players` has an element a row.
export function drawLine(list, players, plays, names, onTurn, marks = []) {
  let [round, before] = [0, Infinity];
  players.replaceChildren(...(plays.length ? names.map((name) => element("span", {}, name)) : []));
  list.replaceChildren(
    ...plays.map((play, index) => {
      if (play.player <= before) round += 1;
      before = play.player;
      const button = turnButton(
        play,
        index,
        marks[index],
        { onclick: () => onTurn(index) },
        element("small", { "data-turn": index + 1 }),
        names[play.player - 1],
      );
      return element("li", { style: `grid-area: ${play.player} / ${round}` }, button);
    }),
  );
}

// A choice for each player, a person or the computer, and a name.
export function drawSeats(box, computers, given, onChange) {
  box.replaceChildren(
    ...computers.map((computer, index) => {
      const label = `Player ${index + 1}`;
      const choice = element(
        "select",
        {
          "aria-label": label,
          onchange: (event) => onChange(index, { computer: event.target.value === "computer" }),
        },
        element("option", { value: "you", selected: !computer }, "a person"),
        element("option", { value: "computer", selected: computer }, "computer"),
      );
      const name = element("input", {
        "aria-label": `Name of player ${index + 1}`,
        placeholder: "name",
        size: 7,
        maxlength: 14,
        onchange: (event) => onChange(index, { name: event.target.value.trim() }),
      });
      name.value = given[index] ?? "";
      return element("span", { class: "seat-choice" }, `${label} `, choice, name);
    }),
  );
}

export const percent = (share) => (share === null ? "not known" : `${Math.round(100 * share)} %`);

const bars = (share, low, high) => [
  element("div", { class: "fill", style: `width: ${100 * share}%` }),
  element("div", { class: "range", style: `left: ${100 * low}%; width: ${100 * (high - low)}%` }),
];

export function drawAdvice(table, moves) {
  table.tBodies[0].replaceChildren(
    ...moves.map(({ move, share, low, high, deals }) => {
      const text = move.lays ? moveWords(move) : "draw a card";
      const known = share !== null;
      const interval = deals ? `95 %: ${percent(low)} to ${percent(high)}` : "exact";
      const range = known ? `, ${interval}` : "";
      return element(
        "tr",
        { title: `${text}: ${percent(share)}${range}` },
        element("td", {}, ...(move.lays ? moveSpans(move) : ["draw a card"])),
        element(
          "td",
          {},
          element(
            "div",
            {
              class: "bar",
              role: "img",
              "aria-label": `${text}: the share of the deals that it wins is ${percent(share)}${range}`,
            },
            ...(known ? bars(share, low, high) : []),
          ),
        ),
        element("td", { class: "share" }, percent(share)),
      );
    }),
  );
}
