// The texts of the rules of the real game: what differs from one to the next.

const BASIC = {
  must_play: true,
  play_drawn: "must",
  drawn_by_colour: false,
  plus_four: "restricted",
  stacking: "none",
  last_card: "any",
  skip_answered_by_skip: false,
  reverse_skips: true,
  effects_wear_off: false,
  draw: "one",
  first_card: "none",
  last_draws: false,
  reshuffles: 0,
};
const PRINTED = {
  must_play: false,
  play_drawn: "may",
  first_card: "effect",
  last_draws: true,
  reshuffles: 1,
};

// Each text with its title, a sentence on what differs, and the switches that are not as usual.
export const TEXTS = {
  "nobody-skips": {
    title: "nobody skips",
    says: "Whoever can play must play, and a drawn card that fits is played at once.",
    switches: {},
  },
  classic: {
    title: "classic",
    says: "You may draw instead of playing, a drawn card that fits must be played, and the first card has its effect.",
    switches: { must_play: false, first_card: "effect" },
  },
  "printed-2003": {
    title: "printed, 2003",
    says: "As classic, but a drawn card may be kept, a last +2 or +4 is still drawn, and the used pile is turned over once.",
    switches: PRINTED,
  },
  encyclopedia: {
    title: "encyclopedia",
    says: "What the encyclopedia tells comes to the printed rules: draw if you like, keep what you drew, and the first card has its effect.",
    switches: PRINTED,
  },
  "free-draw": {
    title: "free draw",
    says: "As nobody skips, but anyone may draw instead of playing, and keep the drawn card.",
    switches: { must_play: false, play_drawn: "may" },
  },
  stacking: {
    title: "stacking",
    says: "As nobody skips, but a +2 can be answered with a +2, and a +4 with a +4: the next player takes all of them.",
    switches: { stacking: "same" },
  },
  unocard: {
    title: "UnoCard",
    says: "+4 at any time, draw cards and skips can be passed on, a skip or draw card that has had its effect counts by its colour alone, and the last card must be a number.",
    switches: {
      must_play: false,
      play_drawn: "may",
      plus_four: "free",
      stacking: "draws",
      last_card: "number",
      skip_answered_by_skip: true,
      effects_wear_off: true,
      first_card: "no-draw",
    },
  },
  rlcard: {
    title: "RLCard",
    says: "+4 only if nothing else fits, a drawn card is played only if its colour fits, and a reverse does nothing between two players.",
    switches: {
      drawn_by_colour: true,
      plus_four: "last-resort",
      reverse_skips: false,
      first_card: "keep-turn",
    },
  },
};

// All switches of rules that are given by name, or by some of them.
export const switchesOf = (rules) => ({
  ...BASIC,
  ...(typeof rules === "string" ? TEXTS[rules]?.switches : rules),
});

const alike = (one, other) => Object.keys(BASIC).every((key) => one[key] === other[key]);

// The name of the text with these rules; null if they are rules of one's own.
export function nameOfRules(rules) {
  const all = switchesOf(rules);
  const named = Object.entries(TEXTS).find(([, { switches }]) => alike(switchesOf(switches), all));
  return named ? named[0] : null;
}

// A sentence on rules: that of their text, or the switches that are not as usual.
export function saysOf(rules) {
  const name = typeof rules === "string" && rules in TEXTS ? rules : nameOfRules(rules);
  if (name) return TEXTS[name].says;
  const own = Object.entries(switchesOf(rules)).filter(([key, value]) => BASIC[key] !== value);
  const words = own.map(([key, value]) => `${key.replaceAll("_", " ")}: ${value}`);
  return `Rules of this game's own. As nobody skips, but ${words.join(", ")}.`;
}
