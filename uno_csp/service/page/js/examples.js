// The gallery: four everyday hands, and the theorems of the paper as hands.

const tripod = { question: "uno-1", cards: [] };
for (const arm of [1, 2, 3]) tripod.cards.push([1, arm], [arm + 1, arm], [arm + 1, arm + 3]);

// Theorem 3.3 on the complete graph of four vertices: a colour for each vertex, a number for each
// edge.
const complete = { question: "uno-1", cards: [] };
[
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
].forEach(([u, v], edge) => {
  complete.cards.push([u, edge + 1], [v, edge + 1]);
});

// Theorem 3.1 on a square with a diagonal: player 1 holds the vertices, player 2 the edges.
const incidence = {
  question: "cooperative",
  hands: [
    [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ],
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [1, 4],
      [1, 3],
    ],
  ],
};

export const EVERYDAY = [
  {
    title: "A real hand",
    about: "With a wild card, on a yellow 5.",
    question: {
      question: "uno-1",
      cards: [
        ["red", 5],
        ["red", 7],
        ["blue", 7],
        ["blue", "skip"],
        ["green", "skip"],
        ["green", "+2"],
        ["*", "*"],
      ],
      after: ["yellow", 5],
    },
  },
  {
    title: "What is missing?",
    about: "The fewest cards that make the hand playable are highlighted.",
    question: {
      question: "fill-in",
      cards: [
        ["red", 1],
        ["blue", 4],
        ["green", 7],
        ["yellow", 2],
      ],
    },
  },
  {
    title: "As many as possible",
    about: "The longest sequence of a scattered hand.",
    question: {
      question: "longest",
      cards: [
        ["red", 1],
        ["red", 2],
        ["blue", 2],
        ["blue", 5],
        ["green", 7],
        ["yellow", 9],
        ["yellow", 8],
      ],
    },
  },
  {
    title: "Against each other",
    about: "A duel of a few moves. Who wins, and can you play it?",
    question: {
      question: "uncooperative",
      hands: [
        [
          ["red", 5],
          ["blue", 7],
          ["yellow", 1],
          ["red", 2],
          ["green", 2],
        ],
        [
          ["red", 1],
          ["blue", 5],
          ["red", 7],
        ],
      ],
      after: ["blue", 1],
      convention: "empty-hand-wins",
    },
  },
];

export const THEOREMS = [
  {
    title: "The paper's Example 1",
    about: "Nine cards as points, and a walk parallel to the axes.",
    question: {
      question: "uno-1",
      cards: [
        [1, 3],
        [2, 2],
        [2, 3],
        [2, 3],
        [2, 4],
        [3, 2],
        [3, 4],
        [4, 1],
        [4, 3],
      ],
    },
  },
  {
    title: "A cubic graph",
    about: "Theorem 3.3: a Hamiltonian path as a hand.",
    question: complete,
  },
  {
    title: "Vertices and edges",
    about: "Theorem 3.1: a Hamiltonian path as a game for two.",
    question: incidence,
  },
  {
    title: "Three arms",
    about: "A walk would need an end in each arm, but it has only two ends.",
    question: tripod,
  },
  {
    title: "Together, with a skip",
    about: "All help player 1; a player who cannot play is skipped.",
    question: {
      question: "cooperative",
      hands: [
        [
          ["red", 5],
          ["red", 7],
          ["yellow", 1],
        ],
        [
          ["blue", 5],
          ["blue", 7],
          ["red", 1],
          ["yellow", 7],
        ],
      ],
    },
  },
];
