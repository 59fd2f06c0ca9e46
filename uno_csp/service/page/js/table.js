// The table of the real game: hands, pile, what each move leads to, lines, and advice.

import { codeOf, element, faceElement, faceOf, nameOf } from "./cards.js";

const LETTERS = { R: "red", Y: "yellow", G: "green", B: "blue" };
const SYMBOLS = { S: "skip", R: "reverse" };
const NEXT_CARDS = 6;

// The card of a code of the official deck.
export function cardOf(code) {
  if (code === "W") return ["*", "wild"];
  if (code === "+4") return ["*", "+4"];
  const rest = code.slice(1);
  return [LETTERS[code[0]], SYMBOLS[rest] ?? (rest === "+2" ? rest : Number(rest))];
}

// The face of a card; unlike on the main page, wild and wild +4 are distinct.
export function faceOfCode(code) {
  const card = cardOf(code);
  return card[0] === "*"
    ? { text: code, style: "wild", name: code === "W" ? "wild" : "wild +4" }
    : { ...faceOf(card), name: nameOf(card) };
}

export function cardSpan(code) {
  const face = faceOfCode(code);
  return faceElement(face, "span", { title: face.name });
}

// A move in words, for buttons and screen readers.
export function moveWords({ draws, lays, names }) {
  const laid = lays ? faceOfCode(lays).name + (names ? `, naming ${names}` : "") : "";
  if (draws) return `draw ${draws}${laid ? ` and play ${laid}` : ""}`;
  return laid || "miss the turn";
}

export function moveSpans({ draws, lays, names }) {
  const parts = draws ? [`draws ${draws}`] : [];
  if (lays) parts.push(cardSpan(lays));
  if (names)
    parts.push(element("span", { class: `swatch face-${names}`, title: `names ${names}` }));
  if (!draws && !lays) parts.push("misses a turn");
  return parts;
}

// The outcome of a move for its player: player 1 plays against all others.
export function worthOf(leadsTo, player) {
  if (leadsTo === "unknown") return { style: "even", word: "not known" };
  if (leadsTo === null) return { style: "even", word: "ties" };
  return (leadsTo === 1) === (player === 1)
    ? { style: "good", word: "wins" }
    : { style: "bad", word: "loses" };
}

export const winnerWords = (winner, players) => {
  if (winner === "unknown") return "The winner was not found in time.";
  if (winner === null) return "Nobody can force to win.";
  if (winner === "others") return "The others together can stop player 1 and win.";
  return `Player ${winner} ${players === 2 || winner === 1 ? "can force to win" : "wins"}.`;
};

// The best outcome of the moves that play a card; null if it is not known.
function worthOfCard(moves, code, player) {
  const own = moves.filter((move) => !move.draws && move.lays === code);
  if (!own.length || own[0].leads_to === undefined) return null;
  const order = ["wins", "ties", "not known", "loses"];
  const worths = own.map((move) => worthOf(move.leads_to, player));
  return worths.sort((a, b) => order.indexOf(a.word) - order.indexOf(b.word))[0];
}

// The back of a hidden card.
const backSpan = () =>
  element(
    "li",
    {},
    element("span", { class: "card back", role: "img", "aria-label": "hidden card" }),
  );

// Draw the table; `sees` says whose hands are open, and `open` whether the pile is.
export function drawTable(
  box,
  { position, top, draw, moves, hints, onCard = null, onDraw = null, mayPlay, names, sees, open },
) {
  const seats = position.hands.map((hand, index) => {
    const player = index + 1;
    const mover = player === position.player;
    const cards = !sees(player)
      ? hand.map(backSpan)
      : hand.map((code) => {
          const legal = mover && mayPlay && moves.some((move) => !move.draws && move.lays === code);
          const worth = mover && hints ? worthOfCard(moves, code, player) : null;
          const face = faceOfCode(code);
          const label = worth ? `${face.name}, ${worth.word}` : face.name;
          return element(
            "li",
            {},
            faceElement(face, "button", {
              disabled: !legal,
              title: label,
              "aria-label": label,
              onclick: () => onCard(code),
            }),
            mover && hints
              ? element(
                  "span",
                  { class: `worth ${worth?.style ?? ""}`, "aria-hidden": true },
                  worth?.word ?? "",
                )
              : null,
          );
        });
    const turn = mover
      ? position.pending === "skip"
        ? ": to move, skipped unless they play a skip"
        : position.pending
          ? `: to move, owes ${position.pending} cards`
          : ": to move"
      : "";
    return element(
      "div",
      { class: `seat ${mover ? "mover" : ""}`, "data-player": player },
      element("h3", {}, `Player ${player}${names[index]}${turn}`, ` (${hand.length})`),
      element("ul", { class: "cards", "aria-label": `Hand of player ${player}` }, ...cards),
    );
  });
  const next = draw.slice(position.drawn, position.drawn + NEXT_CARDS);
  const other = moves.some((move) => move.draws || !move.lays);
  const left = draw.length - position.drawn;
  const middle = element(
    "div",
    { class: "middle" },
    element(
      "div",
      {
        class: "pile",
        "aria-label": `On the pile: ${faceOfCode(top).name}; colour in force: ${position.colour}`,
      },
      cardSpan(top),
      element("span", {
        class: `swatch face-${position.colour}`,
        title: `colour in force: ${position.colour}`,
      }),
    ),
    element(
      "div",
      { class: "upcoming" },
      left ? `${left} to draw${open ? ": " : ""}` : "nothing left to draw",
      ...(open ? next.map((card) => cardSpan(codeOf(card))) : []),
      open && left > NEXT_CARDS ? "…" : null,
    ),
    element(
      "button",
      { id: "draw", disabled: !mayPlay || !other, onclick: onDraw },
      moves.some((move) => move.draws) || !other ? "Draw" : "Miss the turn",
    ),
    position.hands.length > 2
      ? element(
          "span",
          { class: "quiet" },
          position.direction === 1 ? "↻ the next player follows" : "↺ the previous player follows",
        )
      : null,
  );
  if (open) return box.replaceChildren(seats[0], middle, ...seats.slice(1));
  const others = seats.filter((_, index) => !sees(index + 1));
  box.replaceChildren(
    element("div", { class: "others" }, ...others),
    middle,
    ...seats.filter((_, index) => sees(index + 1)),
  );
}

export function drawMoves(table, moves, player, hints, onMove) {
  table.tBodies[0].replaceChildren(
    ...moves.map((move) => {
      const { style, word } = hints ? worthOf(move.leads_to, player) : { style: "even", word: "" };
      const button = element(
        "button",
        { title: moveWords(move), "aria-label": moveWords(move), onclick: () => onMove(move) },
        ...moveSpans(move),
      );
      return element("tr", {}, element("td", {}, button), element("td", { class: style }, word));
    }),
  );
}

// A turn as a button that begins with `head`, and its mark if it was judged.
function turnButton(play, index, mark, attributes, head) {
  const words = `Turn ${index + 1}, player ${play.player}: ${moveWords(play)}${mark ? `; ${mark.words}` : ""}`;
  const judged = mark
    ? element("span", { class: `mark ${mark.style}`, "aria-hidden": true }, mark.sign)
    : null;
  return element(
    "button",
    { title: words, "aria-label": words, ...attributes },
    head,
    ...moveSpans(play),
    judged,
  );
}

// Turns as buttons; the current one is marked, and so are those that were judged.
export function drawTurns(list, plays, onTurn, { current = null, marks = [] } = {}) {
  list.replaceChildren(
    ...plays.map((play, index) => {
      const attributes = {
        "aria-current": current === index ? "step" : null,
        onclick: () => onTurn(index),
      };
      return element(
        "li",
        {},
        turnButton(play, index, marks[index], attributes, `${play.player}: `),
      );
    }),
  );
}

// Best play as a row for each player, one round below the other; `players` has an element a row.
export function drawLine(list, players, plays, count, onTurn, marks = []) {
  let [round, before] = [0, Infinity];
  players.replaceChildren(
    ...(plays.length
      ? Array.from({ length: count }, (_, index) => element("span", {}, `Player ${index + 1}`))
      : []),
  );
  list.replaceChildren(
    ...plays.map((play, index) => {
      if (play.player <= before) round += 1;
      before = play.player;
      const button = turnButton(
        play,
        index,
        marks[index],
        { onclick: () => onTurn(index) },
        element("small", {}, index + 1),
      );
      return element("li", { style: `grid-area: ${play.player} / ${round}` }, button);
    }),
  );
}

// A choice for each player: a person or the computer.
export function drawSeats(box, computers, onChange) {
  box.replaceChildren(
    ...computers.map((computer, index) => {
      const choice = element(
        "select",
        {
          "aria-label": `Player ${index + 1}`,
          onchange: (event) => onChange(index, event.target.value === "computer"),
        },
        element("option", { value: "you", selected: !computer }, "you"),
        element("option", { value: "computer", selected: computer }, "computer"),
      );
      return element("label", {}, `Player ${index + 1} `, choice);
    }),
  );
}

export function drawAdvice(table, moves) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  table.tBodies[0].replaceChildren(
    ...moves.map(({ move, share, low, high }) => {
      const text = move.lays ? moveWords(move) : "draw a card";
      const range = `95 %: ${percent(low)} to ${percent(high)}`;
      return element(
        "tr",
        { title: `${text}: ${percent(share)}, ${range}` },
        element("td", {}, ...(move.lays ? moveSpans(move) : ["draw a card"])),
        element(
          "td",
          {},
          element(
            "div",
            {
              class: "bar",
              role: "img",
              "aria-label": `${text}: wins ${percent(share)} of the deals, ${range}`,
            },
            element("div", { class: "fill", style: `width: ${100 * share}%` }),
            element("div", {
              class: "range",
              style: `left: ${100 * low}%; width: ${100 * (high - low)}%`,
            }),
          ),
        ),
        element("td", { class: "share" }, percent(share)),
      );
    }),
  );
}
