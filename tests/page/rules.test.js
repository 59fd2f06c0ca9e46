// The rules in the page's JavaScript that need no browser: run by `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

const page = (name) => import(`../../uno_csp/service/page/js/${name}.js`);
const cards = await page("cards");
const fours = await page("fours");
const links = await page("links");
const question = await page("question");
const review = await page("review");
const faces = await page("faces");
const table = await page("table");
const words = await page("words");
const { linesOf, onlyOne, textOf } = await page("files");
const { named, printable } = await page("names");
const { parseExact, stringifyExact } = await page("exact");
const { Duel } = await page("strategy");
const { Past } = await page("past");
const { numberIn } = await page("fields");
const store = await page("store");
const days = await page("days");
const failing = await page("failing");
const jobs = await page("jobs");
const progress = await page("progress");
const rules = await page("rules");
const telling = await page("telling");

const { DRAW_FOUR, WILD_CARD } = cards;
const R5 = ["red", 5];
const B7 = ["blue", 7];
const G1 = ["green", 1];

question.learn([
  { name: "uno-1", keys: ["cards", "after"] },
  { name: "fill-in", keys: ["cards", "after", "supply", "costs"] },
  { name: "longest", keys: ["cards", "after"] },
  { name: "cooperative", keys: ["hands"] },
  { name: "uncooperative", keys: ["hands", "after", "convention"] },
  { name: "open-game", keys: ["hands", "draw"] },
]);

test("JSON keeps the spelling of numbers that JavaScript cannot hold", () => {
  for (const text of [
    "[9007199254740993,-9007199254740993,1e400]",
    '{"a":["-7","1.0",7],"b":null}',
    '"\\""',
  ])
    assert.equal(stringifyExact(parseExact(text)), text);
  const numbers = "12 -7 0 0.0 1.0 -0.5 3.7e-05 1E5 1e+22 9007199254740991".split(" ");
  const read = parseExact(`[${numbers}]`);
  assert.deepEqual(read, numbers.map(Number));
  assert.equal(read[6].toFixed(2), "0.00");
  assert.throws(() => parseExact("[1,]"), SyntaxError);
  assert.throws(() => parseExact('["\\u0000spelt:1"]'), /cannot be represented/);
});

test("names are shown in one line and quoted where they could be mistaken", () => {
  assert.equal(printable("a\u202eb\n"), "a\\u{202e}b\\u{a}");
  assert.deepEqual(["red", "5", 5, "", "a b", "é"].map(named), [
    "red",
    '"5"',
    "5",
    '""',
    '"a b"',
    "é",
  ]);
});

test("cards have names, codes and counts", () => {
  assert.deepEqual([R5, WILD_CARD, DRAW_FOUR].map(cards.nameOf), ["red 5", "wild", "wild +4"]);
  const hand = [["yellow", "skip"], ["green", "reverse"], ["blue", "+2"], WILD_CARD, DRAW_FOUR];
  assert.equal(cards.typedOf(hand), "YS GR B+2 W +4");
  assert.equal(cards.typedOf([R5, ["pink", 5]]), "red,5; pink,5");
  assert.equal(cards.listWords([B7, WILD_CARD, WILD_CARD, G1]), "blue 7, 2 wild cards and green 1");
  assert.equal(cards.listWords([]), "");
  assert.deepEqual(cards.without([R5, R5, B7], [R5, G1]), [R5, B7]);
  assert.equal(cards.DECK.length, 108);
  assert.ok(cards.DECK.every((card) => cards.isOfficial(card) && cards.canBeTyped([card])));
  assert.ok(!cards.isOfficial(["red", 10]));
  assert.deepEqual(cards.faceOf(["red", "skip"]), { text: "⊘", style: "face-red" });
  assert.deepEqual(cards.faceOf(["pink", 5]), { text: "pink 5", style: "token" });
  assert.deepEqual(cards.faceOf(DRAW_FOUR), { text: "+4", style: "wild" });
});

test("the codes of the real game name every card of the deck", () => {
  for (const card of cards.DECK) {
    const face = faces.faceOfCode(cards.codeOf(card));
    assert.equal(face.name, cards.nameOf(card));
    assert.equal(face.text, cards.faceOf(card).text);
  }
  assert.equal(faces.moveWords({ draws: 2, lays: "R5" }), "draw 2 and play red 5");
  assert.equal(faces.moveWords({ draws: 1 }), "draw 1");
  assert.equal(faces.moveWords({ lays: "+4", names: "blue" }), "wild +4, naming blue");
  assert.equal(faces.moveWords({}), "miss the turn");
});

test("a draw-four is a card of its own, and a wild card to the server", () => {
  const asked = { question: "uno-1", cards: [R5, "+4", WILD_CARD], after: "+4" };
  const held = fours.held(asked);
  assert.deepEqual(held.cards, [R5, DRAW_FOUR, WILD_CARD]);
  assert.deepEqual(fours.written(held), asked);
  assert.deepEqual(fours.withoutFours(held).cards, [R5, WILD_CARD, WILD_CARD]);
  const answer = { sequence: [WILD_CARD, R5, WILD_CARD] };
  assert.deepEqual(fours.withFours(held, answer).sequence, [WILD_CARD, R5, DRAW_FOUR]);
  const plays = [
    { player: 2, card: WILD_CARD },
    { player: 1, card: WILD_CARD },
  ];
  const both = fours.withFours({ hands: [[WILD_CARD], [DRAW_FOUR]] }, { plays });
  assert.deepEqual(
    both.plays.map(({ card }) => card),
    [DRAW_FOUR, WILD_CARD],
  );
});

test("a card of a wild colour and the symbol +4 is no draw-four", () => {
  const card = ["*", "+4"];
  assert.ok(!cards.isFour(card) && !cards.isWild(card));
  assert.deepEqual(fours.written({ cards: [card] }).cards, [card]);
});

test("the rest of the deck is what neither hand nor pile holds", () => {
  assert.equal(fours.restOfDeck([R5, R5, DRAW_FOUR]).length, 105);
  assert.equal(cards.countsOf(fours.restOfDeck([DRAW_FOUR])).get(cards.keyOf(WILD_CARD)), 7);
  assert.deepEqual(fours.cardsBeyondDeck([R5, R5, R5, G1]), [R5]);
});

test("a click adds copies, and then takes all of them away", () => {
  const state = question.freshState();
  const counts = [];
  for (let click = 0; click < 3; click += 1) {
    question.toggle(state, R5);
    counts.push(question.countOf(state, "hand 0", R5));
  }
  assert.deepEqual(counts, [1, 2, 0]);
  question.toggle(state, ["red", 0]);
  question.toggle(state, ["red", 0]);
  assert.deepEqual(state.hands[0], []); // the deck has one of it
  question.putAll(state, "hand 0", [R5, B7, R5]);
  question.takeOne(state, R5);
  assert.deepEqual(state.hands[0], [R5, B7]);
  question.takeAway(state, "hand 0", 0);
  assert.deepEqual(state.hands[0], [B7]);
  state.target = "after";
  question.toggle(state, R5);
  assert.deepEqual(state.after, R5);
  question.toggle(state, R5);
  assert.equal(state.after, null);
});

test("a question is asked as it was read", () => {
  for (const asked of [
    { question: "uno-1", cards: [R5, "+4"], after: B7, at_least: 1 },
    { question: "fill-in", cards: [R5], supply: [B7, G1], costs: [2, 3], name: "a" },
    { question: "cooperative", hands: [[R5], [B7], []] },
    { question: "uncooperative", hands: [[R5], [B7]], convention: "last-mover" },
  ])
    assert.deepEqual(question.toJson(question.fromJson(asked)), asked);
  assert.throws(() => question.fromJson({ question: "open-game", hands: [] }), /no such question/);
});

test("a supply that is the rest of the deck is known as such", () => {
  const asked = { question: "fill-in", cards: [R5, WILD_CARD] };
  const supply = fours.restOfDeck(asked.cards);
  const state = question.fromJson({ ...asked, supply });
  assert.deepEqual([state.supplyFrom, state.supply], ["rest", []]);
  assert.deepEqual(question.toJson(state), { ...asked, supply });
  question.setSupply(state, "these");
  assert.equal(state.supply.length, 106);
  assert.equal(question.fromJson({ ...asked, supply: supply.slice(1) }).supplyFrom, "these");
});

test("what belonged to another hand or question is dropped", () => {
  const state = question.fromJson({ question: "fill-in", cards: [R5], at_least: 1, expected: 2 });
  question.askAs(state, "uncooperative");
  assert.deepEqual(state.rest, { at_least: 1, convention: "empty-hand-wins" });
  assert.equal(state.hands.length, 2);
  question.setPlayers(state, 99);
  assert.equal(state.hands.length, question.MOST_PLAYERS);
  question.setPlayers(state, NaN);
  assert.equal(state.hands.length, 2);
  state.rest.expected = 1;
  question.putAll(state, "hand 1", [B7]);
  assert.deepEqual(state.rest, { at_least: 1, convention: "empty-hand-wins" });
});

test("the board has lines for the deck and for other values", () => {
  const state = question.fromJson({ question: "uno-1", cards: [R5, ["pink", 77]] });
  const [rows, columns] = question.axesOf(state);
  assert.deepEqual([rows.at(-1), columns.at(-1)], ["pink", 77]);
  const plain = question.fromJson({
    question: "uno-1",
    cards: [
      [2, 30],
      [7, 1],
    ],
  });
  assert.deepEqual(
    question.axesOf(plain).map((axis) => axis.length),
    [7, 30],
  );
  assert.equal(question.axesOf(question.freshState())[1].length, cards.DECK_FACES.length);
});

test("a duel follows the rules", () => {
  const asked = {
    hands: [
      [R5, B7],
      [["red", 7], G1],
    ],
    convention: "empty-hand-wins",
  };
  const duel = new Duel(asked, { status: "UNSATISFIABLE" });
  const start = duel.start();
  assert.deepEqual(duel.legal(start), [0, 1]);
  const next = duel.lay(start, R5);
  assert.deepEqual([next.player, next.last, next.hands[0]], [1, R5, [B7]]);
  assert.deepEqual(duel.legal(next), [0]);
  assert.deepEqual(duel.asQuestion(next).hands, [asked.hands[1], [B7]]);
  const last = duel.lay(duel.lay(next, ["red", 7]), B7);
  assert.deepEqual(duel.over(last), { winner: 0 });
  const mover = new Duel({ ...asked, convention: "last-mover" }, { status: "UNSATISFIABLE" });
  assert.deepEqual(mover.over(last), { loser: 1 });
  assert.ok(!duel.whole && duel.follows(1) && !duel.follows(0));
});

test("moves are marked by what they gave away", () => {
  const [win, tie, loss, open] = ["R1", "R2", "R3", "R4"].map((lays, place) => ({
    lays,
    leads_to: [1, null, 2, "unknown"][place],
  }));
  const mark = (moves, made) => review.markOf(moves, { player: 1, lays: made.lays })?.words;
  assert.equal(mark([win, loss], win), "the only good move");
  assert.equal(mark([win, { ...win, lays: "R9" }, loss], win), "as good as any");
  assert.equal(mark([win, loss], loss), "this lost the game");
  assert.equal(mark([win, tie], tie), "this gave something away");
  assert.equal(mark([win, open], win), "not known");
  assert.equal(mark([win, { ...win, lays: "R9" }], win), undefined);
  assert.equal(mark([win], win), undefined);
});

test("turns of unknown outcome are counted", () => {
  const moves = [
    { lays: "R5", leads_to: 1 },
    { lays: "R7", leads_to: "unknown" },
  ];
  const marks = [review.markOf(moves, { player: 1, lays: "R5" }), null];
  const unknown = "What 1 turn led to was not found in time.";
  assert.equal(review.summaryOf(marks), unknown);
  assert.equal(review.turningWords(marks), unknown);
  assert.equal(review.turningWords([null]), "No turn of it mattered: every move was as good.");
  assert.equal(review.summaryOf([]), "You never had a choice that mattered.");
  const said = ["only", "good", "mistake", "doubtful", "mistake"].map((each) =>
    review.reviewed({ mark: each, words: each }),
  );
  assert.equal(said[0], null);
  assert.deepEqual(
    said.slice(1).map(({ sign, words }) => [sign, words]),
    [
      ["✓", "good"],
      ["?", "mistake"],
      ["?!", "doubtful"],
      ["?", "mistake"],
    ],
  );
  assert.equal(review.reviewWords(said), "2 mistakes and 1 doubtful move in 4 choices.");
  assert.equal(review.reviewWords(said.slice(0, 2)), "No mistake in 1 choice.");
  assert.equal(review.reviewWords([null]), "You never had a choice.");
});

test("a field has a number of its range, or says what is allowed", () => {
  const box = (value, valid) => ({
    value,
    min: "0",
    max: "9",
    labels: [{ firstChild: { textContent: "Deal no. " } }],
    checkValidity: () => valid,
  });
  assert.deepEqual([numberIn(box("0", true)), numberIn(box("7", true))], [0, 7]);
  for (const wrong of [box("", true), box("1.5", false), box("10", false)])
    assert.throws(
      () => numberIn(wrong),
      /^Error: Deal no\.: a whole number from 0 to 9 is needed\.$/,
    );
});

test("a share that is not known is no share of 0", () => {
  assert.deepEqual([null, 0, 0.256, 1].map(table.percent), ["not known", "0 %", "26 %", "100 %"]);
});

test("links give back what was put into them", async () => {
  const short = { question: "uno-1", cards: [["é", 1]] };
  const long = {
    cards: Array.from({ length: 1500 }, (_, n) => [`v ${(n * 7919) % 10007}`, n * n]),
  };
  for (const [value, start] of [
    [short, "?q="],
    [long, "#z="],
  ]) {
    const link = new URL(await links.linkOf(value), "http://a/");
    assert.ok((link.search + link.hash).startsWith(start));
    assert.ok(links.holdsValue(link));
    assert.deepEqual(JSON.parse(await links.questionOfLink(link)), value);
    const bare = new URL(links.fragmentOf(value), "http://a/");
    assert.deepEqual(JSON.parse(await links.questionOfLink(bare)), value);
  }
  assert.ok(!links.holdsValue(new URL("http://a/?theme=dark")));
});

test("what is kept has the form that a page needs, whoever wrote it", () => {
  const { formed } = store;
  const example = { on: true, list: [{ id: "" }], numbers: [0], any: null };
  const nothing = { on: true, list: [], numbers: [], any: null };
  for (const other of [undefined, null, 5, "x", [], { on: 1, list: { id: "a" }, numbers: "12" }])
    assert.deepEqual(formed(example, other), nothing);
  const given = { on: false, list: [{ id: "a", more: 1 }, null, "b", {}], numbers: [1, "2", null] };
  assert.deepEqual(formed(example, { ...given, any: "x", own: 2 }), {
    on: false,
    list: [{ id: "a", more: 1 }, { id: "" }],
    numbers: [1],
    any: "x",
    own: 2,
  });
  for (const other of [
    5,
    "x",
    null,
    { "2026-11-23 easy": 5 },
    { "2026-11-23 easy": { ended: "x" } },
  ]) {
    store.keep("puzzles", other);
    assert.deepEqual(progress.progressOf("2026-11-23", "easy").played, []);
    assert.ok(!progress.isSolved("2026-11-23", "easy"));
    assert.equal(progress.streakOf("2026-11-23"), 0);
  }
  store.keep("jobs", [1, null, { id: "a" }, { id: "b", cards: [["red", 5], 7, ["*", "*"]] }]);
  assert.deepEqual(
    jobs.remembered().map(({ id, cards }) => [id, cards]),
    [
      ["a", []],
      [
        "b",
        [
          ["red", 5],
          ["*", "*"],
        ],
      ],
    ],
  );
});

test("a link that holds no object is damaged", async () => {
  for (const value of [null, 5, "x", [1]]) {
    const link = new URL(links.fragmentOf(value), "http://a/");
    await assert.rejects(links.objectOfLink(link, {}, "graph"), /damaged: it holds no graph/);
  }
  const link = new URL(links.fragmentOf({ text: 5, goal: "path" }), "http://a/");
  const found = await links.objectOfLink(link, { text: "", goal: "cycle" }, "graph");
  assert.deepEqual(found, { text: "", goal: "path" });
});

test("damaged links are refused", async () => {
  for (const hash of ["#q=%%%", "#q=eyJxdWVzdGlvbiI6ICJ1bm8tMSIsICJjYX", "#question", "#z=AAAA"])
    await assert.rejects(links.questionOfLink({ hash, search: "" }), /The link is damaged/);
});

test("verdicts name the cards", () => {
  const asked = (kind) => ({
    question: kind,
    cards: [
      ["red", 1],
      ["blue", 2],
    ],
  });
  for (const [kind, answer, text] of [
    ["fill-in", { added: [B7, G1] }, "Add blue 7 and green 1."],
    ["fill-in", { added: [WILD_CARD, WILD_CARD] }, "Add 2 wild cards."],
    ["fill-in", { added: [] }, "Nothing is missing: the whole hand can be discarded."],
    [
      "longest",
      { sequence: [["red", 1]] },
      "1 of 2 cards can be discarded in one sequence, and no more.",
    ],
    [
      "longest",
      {
        sequence: [
          ["red", 1],
          ["blue", 2],
        ],
      },
      "All 2 cards can be discarded in one sequence.",
    ],
  ]) {
    const [verdict, , style] = words.verdictOf(asked(kind), {
      status: "OPTIMAL",
      objective: 0,
      ...answer,
    });
    assert.deepEqual([verdict, style], [text, "yes"]);
  }
  const no = words.verdictOf(asked("uno-1"), { status: "UNSATISFIABLE", meaning: "it cannot" });
  assert.deepEqual(no, ["No: it cannot.", "", "no"]);
  assert.equal(words.resultOf(asked("longest"), { status: "OPTIMAL", objective: 1 }), "1 at most");
  assert.equal(words.resultOf(asked("uno-1"), { status: "UNKNOWN" }), "not known");
});

test("a sentence about cards leaves their names as they are", () => {
  const longest = {
    question: "longest",
    cards: [
      ["pink", 1],
      ["é", 2],
    ],
  };
  const answer = { status: "OPTIMAL", objective: 1, sequence: [["é", 2]] };
  assert.equal(words.verdictOf(longest, answer)[1], "What is left: pink 1.");
});

test("files of several questions are told from one question", () => {
  const two = '{"a": 1}\n\n{"b": 2}\n';
  assert.deepEqual(
    linesOf("q.json", two).map(({ number }) => number),
    [1, 3],
  );
  assert.deepEqual(linesOf("q.json", '{\n"a": 1}'), []);
  assert.deepEqual(linesOf("cards.txt", "R5\nR7"), []);
  assert.equal(linesOf("Q.JSONL", "broken").length, 1);
});

test("a file is text of a size that a page can hold, or refused in words", async () => {
  const { Problem } = failing;
  const file = (name, bytes) => new File([bytes], name);
  for (const [name, bytes, said] of [
    ["a.png", "\u00d7", "a.png is a picture, and no text."],
    ["a.bin", new Uint8Array([0, 255, 0]), "a.bin is no text in UTF-8 or UTF-16."],
    ["a.bin", "a\0b", "a.bin is no text in UTF-8 or UTF-16."],
    ["a.zip", "PK\u0003\u0004", "a.zip is a packed file: unpack it first, and no text."],
    ["big.txt", " ".repeat(8_000_001), "big.txt has 9 MB, and this page reads up to 8 MB."],
  ]) {
    const content = name === "a.png" ? new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13]) : bytes;
    await assert.rejects(textOf(file(name, content)), (error) => {
      assert.ok(error instanceof Problem && error.message.startsWith(said), error.message);
      return true;
    });
  }
  const words = "R5 é\n";
  for (const coding of ["utf8", "utf16le"])
    for (const mark of ["\ufeff", coding === "utf8" ? "" : "\ufeff"]) {
      const read = await textOf(file("a", Buffer.from(mark + words, coding)));
      assert.equal(read.replace("\ufeff", ""), words);
    }
  assert.throws(() => onlyOne([1, 2]), /2 files: open one/);
  assert.equal(onlyOne(["a"]), "a");
});

test("views are undone and redone", () => {
  const past = new Past();
  past.keep("one");
  assert.equal(past.undo("two"), "one");
  assert.ok(past.canRedo && !past.canUndo);
  assert.equal(past.redo("one"), "two");
  past.undo("two");
  past.keep("one");
  assert.ok(!past.canRedo);
  for (let view = 0; view < 300; view += 1) past.keep(view);
  let count = 0;
  for (; past.canUndo; count += 1) past.undo("now");
  assert.equal(count, 200);
});

test("every key that changes a question is told, and can go", () => {
  const asked = { question: "uno-1", cards: [R5, B7], at_least: 2, name: "Homework" };
  const state = question.fromJson(asked);
  assert.deepEqual(words.extrasOf(state.rest), [
    ["at_least", "Neighbours agree in at least 2 of their values."],
  ]);
  assert.match(words.rulesWords("Cards match by colour or symbol, …", state.rest), /at least 2/);
  assert.equal(words.rulesWords("Cards match", {}), "Cards match");
  question.putTyped(state, "hand 0", [R5, G1]); // keeps a card of the hand
  assert.equal(state.rest.at_least, 2);
  question.putTyped(state, "hand 0", [B7]);
  assert.deepEqual(question.toJson(state), { question: "uno-1", cards: [B7] });
  question.setKey(state, "at_least", 3);
  assert.equal(question.toJson(state).at_least, 3);
  question.setKey(state, "at_least", null);
  assert.deepEqual(state.rest, {});
  assert.deepEqual(question.numbersOf("3, 1 x"), [3, 1, "x"]);
  assert.equal(question.numbersOf(" "), null);
});

test("problems name places as the pages do", () => {
  for (const [said, told] of [
    ['hands[1][2]: "R55" is not allowed', 'Player 2, card 3: "R55" is not allowed'],
    ["cards[0]: too long", "Hand, card 1: too long"],
    ["time_limit_s: 0 is not allowed", "Seconds: 0 is not allowed"],
    [
      "line 1: x is one word; a name alone is a vertex only with the option isolated; expected two",
      "line 1: x is one word; expected two",
    ],
    ["graph: 2 graphs; expected one, or its number as the option graph", "The graph: 2 graphs"],
    ["hands: missing", "Hands: missing"],
    ["players: 99 is not allowed", "Players: 99 is not allowed"],
    ["source, target: a path has two ends", "From and to: a path has two ends"],
    ["line 2: a loop", "line 2: a loop"],
  ])
    assert.equal(failing.plainly(said), told);
  assert.match(failing.wordsOf(new RangeError("Maximum call stack size exceeded")), /too large/);
});

test("days to come, and days that are none, have no puzzle; a streak ends with a gap", () => {
  for (const day of ["2026-02-31", "x", "", "2026-1-1"])
    assert.match(days.problemOfDay(day, "2026-11-23"), /no day/);
  assert.match(days.problemOfDay("2026-11-24", "2026-11-23"), /opens on that day/);
  assert.match(days.problemOfDay("1999-01-01", "2026-11-23"), /first puzzle/);
  for (const day of ["2026-11-23", "2026-02-28"])
    assert.equal(days.problemOfDay(day, "2026-11-23"), "");
  assert.equal(days.todayOf(new Date(2026, 10, 23, 23, 59)), "2026-11-23");
  const solve = (day, onTime = true) =>
    progress.keepProgress(day, "easy", { ended: 1, onTime, played: [] });
  solve("2026-11-20");
  solve("2026-11-22");
  solve("2026-11-21", false);
  assert.equal(progress.streakOf("2026-11-23"), 1);
  solve("2026-11-21");
  assert.equal(progress.streakOf("2026-11-23"), 3);
  solve("2026-11-23");
  assert.equal(progress.streakOf("2026-11-23"), 4);
  assert.ok(progress.isSolved("2026-11-20", "easy") && !progress.isSolved("2026-11-20", "hard"));
});

test("progress is told in shares of the limit", () => {
  const told = jobs.progressWords({ elapsed_s: 15, objective: 4, bound: 9 }, 60);
  assert.equal(told, "Looking: 15 of 60 s (25 %). The best so far: 4. The bound: 9.");
  assert.equal(jobs.progressWords({ elapsed_s: 3 }), "Looking: 3 s.");
});

test("texts of the rules are known by their switches, and say what differs", () => {
  const said = Object.values(rules.TEXTS).map(({ says }) => says);
  assert.equal(new Set(said).size, said.length);
  for (const [name, { switches }] of Object.entries(rules.TEXTS)) {
    const found = rules.nameOfRules(rules.switchesOf(switches));
    assert.equal(rules.TEXTS[found].switches, switches);
    assert.equal(rules.saysOf(name), rules.TEXTS[name].says);
  }
  assert.equal(rules.nameOfRules({ reshuffles: 3 }), null);
  assert.match(rules.saysOf({ reshuffles: 3 }), /own.*reshuffles: 3/);
});

test("turns are told with what came of them", () => {
  const names = telling.namesOf([false, true, true], true);
  assert.deepEqual(names, ["You", "Computer 2", "Computer 3"]);
  assert.deepEqual(telling.namesOf([false, true], true), ["You", "Computer"]);
  assert.deepEqual(telling.namesOf([false, false], true, ["Ann"]), ["Ann", "Player 2"]);
  const at = (player, hands, more = {}) => ({ player, hands, direction: 1, pending: 0, ...more });
  const three = [["R+2", "R5"], ["B1"], ["G1"]];
  const tell = (play, before, after) => telling.turnWords(names, before, play, after);
  assert.equal(
    tell({ player: 1, lays: "R+2" }, at(1, three), at(3, [["R5"], ["B1", "Y1", "Y2"], ["G1"]])),
    "You play red +2; Computer 2 takes 2 cards and no turn.",
  );
  assert.equal(
    tell({ player: 3, lays: "RS" }, at(3, three), at(2, three)),
    "Computer 3 plays red skip; you are skipped.",
  );
  assert.equal(
    tell({ player: 2, lays: "RR" }, at(2, three), at(1, three, { direction: -1 })),
    "Computer 2 plays red reverse; the direction turns.",
  );
  assert.equal(tell({ player: 1, draws: 1 }, at(1, three), at(2, three)), "You draw a card.");
  const given = telling.turnWords(["ann", "é"], at(1, three), { player: 1, draws: 1 }, null);
  assert.equal(given, "ann draws a card.");
  assert.equal(
    tell({ player: 2, draws: 2, lays: "W", names: "red" }, at(2, three), null),
    "Computer 2 draws 2 cards and plays wild and names red.",
  );
  assert.equal(tell({ player: 1, draws: 0 }, at(1, three), at(2, three)), "You miss your turn.");
  assert.equal(telling.turnOf(names, at(1, three), true), "Your turn.");
  assert.match(telling.turnOf(names, at(1, three, { pending: 4 }), true), /take 4 cards/);
});

test("a card that cannot be played says why", () => {
  const position = { player: 1, colour: "red", symbol: "1", pending: 0, hands: [["B3", "+4"]] };
  const why = (code, more = {}, rule = {}) => telling.whyNot(code, { ...position, ...more }, rule);
  assert.equal(why("B3"), "Blue 3 is neither red nor 1.");
  assert.equal(why("+4"), "Wild +4 only without a red card.");
  assert.match(why("+4", {}, { plus_four: "last-resort" }), /no other card/);
  assert.match(why("B3", { pending: 4 }), /owe 4/);
  assert.match(why("B3", { pending: "skip" }), /skipped/);
  assert.match(why("B3", { symbol: null }, { effects_wear_off: true }), /worn off/);
  assert.match(why("B+2", { hands: [["B+2"]] }, { last_card: "number" }), /must be a number/);
  assert.match(telling.whyNot("B3", position, {}, { drew: true }), /keep it/);
});

test("moves of a game that all play together are judged by their turns", () => {
  const move = (lays, turns) => ({ draws: 0, lays, leads_to: turns ? 1 : null, turns });
  const moves = [move("R5", 5), move("R7", 7), move("B1", null)];
  const mark = (lays) => review.markOf(moves, { player: 2, draws: 0, lays }).words;
  assert.deepEqual(["R5", "R7", "B1"].map(mark), [
    "the only good move",
    "this gave something away",
    "this lost the game",
  ]);
});
