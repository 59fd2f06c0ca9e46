// What happens at the table, in sentences: whose turn it is, what was played, and what came of it.

import { faceOfCode } from "./faces.js";
import { switchesOf } from "./rules.js";

const capital = (words) => words[0].toUpperCase() + words.slice(1);
const cardsWords = (count) => (count === 1 ? "a card" : `${count} cards`);

// The players' names: "You" for the only person; the others as they were named, or numbered.
export function namesOf(computers, hidden, given = []) {
  const people = computers.filter((computer) => !computer).length;
  return computers.map((computer, index) => {
    if (given[index]) return given[index];
    if (!computer) return hidden && people === 1 ? "You" : `Player ${index + 1}`;
    return people === computers.length - 1 && people === 1 ? "Computer" : `Computer ${index + 1}`;
  });
}

// A name with its verb: "You play", "Computer plays".
export const does = (name, verb) =>
  name === "You" ? `You ${verb}` : `${name} ${/(s|sh|ch)$/.test(verb) ? `${verb}es` : `${verb}s`}`;
export const has = (name, rest) => `${name} ${name === "You" ? "have" : "has"} ${rest}`;

const laidWords = ({ lays, names }) => faceOfCode(lays).name + (names ? ` and names ${names}` : "");

function playWords(name, play) {
  const laid = play.lays
    ? laidWords(play).replace(" names ", name === "You" ? " name " : " names ")
    : "";
  if (play.draws && laid)
    return `${does(name, "draw")} ${cardsWords(play.draws)} and ${does(name, "play").slice(name.length + 1)} ${laid}`;
  if (play.draws) return `${does(name, "draw")} ${cardsWords(play.draws)}`;
  return laid
    ? `${does(name, "play")} ${laid}`
    : does(name, "miss") + (name === "You" ? " your turn" : " a turn");
}

// What a card did to the others: who took cards, who is skipped, what is owed, who plays next.
function effects(names, before, after, player) {
  const count = names.length;
  const taken = after.hands.flatMap((hand, index) => {
    const more = index + 1 === player ? 0 : hand.length - before.hands[index].length;
    return more > 0 ? [[index, more]] : [];
  });
  const words = taken.map(([index, more]) => `${does(names[index], "take")} ${cardsWords(more)}`);
  const turned = after.direction !== before.direction;
  if (turned && count > 2) words.push("the direction turns");
  const next = ((player - 1 + after.direction + count) % count) + 1;
  if (taken.length && after.player !== next) words[0] += " and no turn";
  else if (after.player !== next && !(turned && count > 2))
    words.push(`${names[next - 1] === "You" ? "you are" : `${names[next - 1]} is`} skipped`);
  if (typeof after.pending === "number" && after.pending > 0)
    words.push(`${does(names[after.player - 1], "owe")} ${cardsWords(after.pending)}`);
  return words;
}

// A turn in a sentence, from the positions before and after it; the game may be over after it.
export function turnWords(names, before, play, after) {
  const told = playWords(names[play.player - 1], play);
  const come = play.lays && after ? effects(names, before, after, play.player) : [];
  return `${[told, ...come].join("; ")}.`;
}

// What the card that was turned up did, as the server says it, with the players' names.
export const firstWords = (names, said) =>
  said.replace(/player (\d+)/g, (_, number) => {
    const name = names[number - 1];
    return name === "You" ? "you" : name;
  });

// Whose turn it is.
export function turnOf(names, { player, pending }, mine) {
  const name = names[player - 1];
  const owes = typeof pending === "number" && pending > 0;
  if (!mine) return `${name === "You" ? "You are" : `${name} is`} to play …`;
  const start = name === "You" ? "Your turn" : `${name}: your turn`;
  if (owes) return `${start}: take ${pending} cards, or answer with a draw card.`;
  return pending === "skip" ? `${start}: you are skipped unless you play a skip.` : `${start}.`;
}

const NAMES = { R: "red", Y: "yellow", G: "green", B: "blue" };

// Why a card of the player to move cannot be played now.
export function whyNot(code, position, rules, { drew = false, canDraw = true } = {}) {
  const { plus_four: fours, last_card: last, effects_wear_off: wears } = switchesOf(rules);
  const { name } = faceOfCode(code);
  if (drew) return "You have drawn: play the drawn card, or keep it.";
  if (position.pending === "skip") return "You are skipped: only a skip answers a skip.";
  if (position.pending) return `You owe ${position.pending} cards: take them.`;
  const hand = position.hands[position.player - 1];
  const number = /^[RYGB]\d$/.test(code);
  if (hand.length === 1 && last === "number" && !number) return "The last card must be a number.";
  if (code === "+4" && fours === "restricted")
    return `Wild +4 only without a ${position.colour} card.`;
  if (code === "+4" && fours === "last-resort") return "Wild +4 only if no other card fits.";
  if (code === "W" || code === "+4") return `${capital(name)} cannot be played now.`;
  if (NAMES[code[0]] === position.colour)
    return `${capital(name)} cannot be played now${canDraw ? ": draw" : ""}.`;
  const worn = wears && position.symbol === null;
  const needs =
    position.symbol === null ? position.colour : `${position.colour} nor ${position.symbol}`;
  return position.symbol === null
    ? `${capital(name)} is not ${needs}${worn ? ", and the symbol on the pile has worn off" : ""}.`
    : `${capital(name)} is neither ${needs}.`;
}
