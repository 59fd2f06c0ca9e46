// The one way in which all pages fail: words for people, and what was entered stays.

// Something that is wrong with what was entered, in the server's words or the page's.
export class Problem extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

const PLACES = {
  __proto__: null,
  after: "Pile",
  at_least: "Values that must agree",
  cards: "Hand",
  colour: "Colour of a wild pile",
  convention: "Who wins",
  costs: "Costs",
  deals: "Deals",
  draw: "Draw pile",
  graph: "The graph",
  hands: "Hands",
  players: "Players",
  rules: "Rules",
  seed: "Deal no.",
  source: "From",
  supply: "Cards that may be added",
  target: "To",
  text: "The text",
  time_limit_s: "Seconds",
};

// A place in a question, such as hands[1][2], as people find it on the page.
function placeWords(name, ...indices) {
  const numbers = indices.filter((each) => each !== undefined).map((each) => Number(each) + 1);
  if (name === "hands" && numbers.length)
    return `Player ${numbers[0]}${numbers[1] ? `, card ${numbers[1]}` : ""}`;
  return `${PLACES[name]}${numbers.length ? `, card ${numbers[0]}` : ""}`;
}

// A problem in words for people: its place as the page calls it, and no options of programs.
export function plainly(message) {
  message = message.replace(/; [^;]*\bthe option [^;]*/g, "");
  message = message.replace(/^source, target: /, "From and to: ");
  const found = /^([a-z_]+)(?:\[(\d+)\])?(?:\[(\d+)\])?((?:\.\d+)*): /.exec(message);
  if (!found || !(found[1] in PLACES)) return message;
  return `${placeWords(found[1], found[2], found[3])}: ${message.slice(found[0].length)}`;
}

export function wordsOf(error) {
  if (error instanceof Problem) return plainly(error.message);
  if (error instanceof RangeError) return "This is too large, or too deeply nested, for this page.";
  console.error(error);
  return "Something went wrong on this page. What you entered is still there: reload it and go on.";
}

// A function that does something and tells what went wrong.
export const trying = (tell) => async (doing) => {
  try {
    return await doing();
  } catch (error) {
    return tell(wordsOf(error));
  }
};
