"""The page's JavaScript agrees with the package: run by Node, without a browser."""

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import uno_csp
from tests.support import ROOT
from tests.support.serving import client_of
from uno_csp import Uncooperative, parse
from uno_csp.algorithms.strategies import next_card
from uno_csp.odds import missing, odds_of
from uno_csp.odds.table import TABLE
from uno_csp.open_game.rules import PRESETS
from uno_csp.questions.answers import Play, Status
from uno_csp.questions.cards import Card, matches
from uno_csp.questions.codes import rest_of_deck

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None and "CI" not in os.environ, reason="there is no Node here"
)

DUEL = {
    "question": "uncooperative",
    "hands": [["R5", "B7", "Y1", "R2", "G2"], ["R1", "B5", "R7"]],
    "after": "B1",
    "convention": "empty-hand-wins",
}
LAST = {"question": "uncooperative", "convention": "last-mover"}
GAMES: list[dict[str, Any]] = [
    DUEL,
    {**DUEL, "hands": [["R5", "B7"], ["R1", "B5", "B5"]]},
    {**LAST, "hands": [["R5", "R6", "B7"], ["R1", "G5"]]},
    {**LAST, "hands": [["R5", "R6", "B7"], ["R1", "G5", "B2"]]},
    {**LAST, "hands": [["R5", "R6", "B7"], ["R1", "G5"], ["B1", "R2"]], "after": "B9"},
]
ALL_LINES = """
    const { Duel } = await page("strategy");
    const lines = ([asked, answer]) => {
        const duel = new Duel(asked, answer);
        const found = [];
        const walk = (game, plays) => {
            for (const { plays: more, game: next } of duel.lines(game)) {
                const all = [...plays, ...more];
                if (duel.over(next)) found.push(all.map(({ player, card }) => [player + 1, card]));
                else walk(next, all);
            }
        };
        walk(duel.start(), []);
        return found;
    };
    return given.map(lines);
"""


def from_page(body: str, given: Any) -> Any:
    """Return what a function of the page's modules returns for a value."""
    modules = (ROOT / "uno_csp/service/page/js").as_uri()
    program = f"""
        const page = (name) => import(`{modules}/${{name}}.js`);
        const told = async (given) => {{ {body} }};
        let text = "";
        for await (const chunk of process.stdin) text += chunk;
        console.log(JSON.stringify(await told(JSON.parse(text))));
    """
    command = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def games(
    game: Uncooperative, strategy: dict[str, Any], wins: bool, plays: tuple[Play, ...] = ()
) -> Iterator[tuple[Play, ...]]:
    """Every game in which the strategy is followed."""
    left = [list(hand) for hand in game.hands]
    for play in plays:
        left[play.player - 1].remove(play.card)
    player = plays[-1].player % len(left) + 1 if plays else 1
    last = plays[-1].card if plays else game.after
    options = {card for card in left[player - 1] if last is None or matches(last, card)}
    won = game.convention == "empty-hand-wins" and not all(left)
    if won or not options:
        yield plays
        return
    if (player == 1) == wins:
        card: Card | None = next_card(game, strategy, plays)
        assert card is not None
        options = {card}
    for card in options:
        yield from games(game, strategy, wins, (*plays, Play(player, card)))


def test_the_page_plays_as_the_strategy_does() -> None:
    asked, expected = [], []
    for each in GAMES:
        game = parse(each)
        assert isinstance(game, Uncooperative)
        answer = uno_csp.solve(game)
        plain = {**each, "hands": game.hands, "after": game.after}
        asked.append([plain, answer.to_dict()])
        expected.append(
            {
                tuple((play.player, play.card) for play in plays)
                for plays in games(
                    game, dict(answer.strategy or {}), answer.status is Status.SATISFIABLE
                )
            }
        )
    found = from_page(ALL_LINES, asked)
    for lines, every in zip(found, expected, strict=True):
        assert {tuple((player, tuple(card)) for player, card in line) for line in lines} == every


ASKED = (
    '{"question": "fill-in", "cards": ["R5", "B7"], "supply": []}',
    '{"question": "uno-1", "cards": [[9007199254740993, 1], [9007199254740992, 2]]}',
    '{"question": "uno-1", "cards": ["R5", "W", "B+2"], "after": "g0"}',
    "R5\nR7 # a comment\n\nB7\n",
    '{"question": "cooperative", "hands": [["R5", "R7"]]}',
    '{"question": "cooperative", "hands": [["R5"], ["R7", "B5"], ["R7", "B5"]]}',
    '{"question": "longest", "cards": [[1, 2, 3]], "at_least": 2, "name": "a", "comment": "b"}',
)
REFUSED = {
    '{"question": "uno-1", "cards": [], "cards": []}': "Hand: duplicate key",
    '{"question": "uno-1", "cards": [[1.0, 2]]}': "Hand, card 1: 1.0 is not allowed",
    '{"question": "uno-1", "cards": ["Q5"]}': "Hand, card 1",
    "1,2\n3\n": "line 2, column 1",
    "": "empty",
    '{"question": "fill-in", "cards": [], "supply": ["B7"], "costs": [4000000000]}': "Costs",
    '{"question": "chess"}': 'question: "chess" is not a question',
}


def test_the_page_asks_what_a_file_asks_or_says_why_not(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        rows = client.get("/questions").json()
        read = [client.post("/parse", json={"text": text}).text for text in ASKED]
        said = [client.post("/parse", json={"text": text}).json()["detail"] for text in REFUSED]
    body = """
        const { fromJson, learn, toJson } = await page("question");
        const { parseExact, stringifyExact } = await page("exact");
        const { plainly } = await page("failing");
        learn(given.rows);
        const sent = given.read.map((text) => stringifyExact(toJson(fromJson(parseExact(text)))));
        return [sent, given.said.map(plainly)];"""
    sent, words = from_page(body, {"rows": rows, "read": read, "said": said})
    assert [parse(text) for text in sent] == [parse(text) for text in ASKED]
    for message, expected in zip(words, REFUSED.values(), strict=True):
        assert expected in message


def test_luck_is_counted_by_the_odds() -> None:
    seven, hand = odds_of(7), "R5 R7 B8 BS GR G+2 Y1"
    assert seven is not None
    lacks = missing(parse(hand).cards)
    assert lacks > 1
    fill = {"question": "fill-in", "cards": parse(hand).cards}
    best = {"status": "OPTIMAL", "objective": lacks}
    whole = {"question": "uno-1", "cards": parse("R5 R7 B7 BS GS G+2 W").cards}
    yes = {"status": "SATISFIABLE"}
    asked = [[whole, yes], [fill, best], [{**fill, "after": ["yellow", 7]}, best]]
    asked += [[{**whole, "at_least": 2}, yes], [whole, {"status": "UNKNOWN"}]]
    body = """
        globalThis.fetch = async () => ({ ok: true, json: async () => given.table });
        const { luckOf } = await page("luck");
        return Promise.all(given.asked.map((each) => luckOf(...each)));"""
    found = from_page(body, {"asked": asked, "table": json.loads(TABLE.read_text())})
    share = f"{seven.share:.0%} can be discarded whole.".replace("%", " %")
    assert found[0] == f"Lucky: of hands of 7 cards dealt from the deck, {share}"
    as_bad = f"{100 * (1 - seven.as_lucky(lacks - 1)):.0f} %"
    lack = f"{as_bad} lack {lacks} cards or more."
    assert found[1] == f"Unlucky: of hands of 7 cards dealt from the deck, {lack}"
    assert found[2:] == ["", "", ""]


def test_what_is_shown_is_read_as_the_same_cards() -> None:
    texts = ("red", "pink", "Pink", "rev", "r", "reds", "wild", "skip", "skipred", "*", "5")
    values = (*texts, "a,b", "x y", 5, -3)
    cards = [list(card) for card in product(values, repeat=2)] + [[1, "pink", 2], ["*", "*", "*"]]
    body = """const { canBeTyped, typedOf } = await page("cards");
        return given.map(card => canBeTyped([card]) ? typedOf([card, card]) : null);"""
    shown = from_page(body, cards)
    assert len(shown) - shown.count(None) > 30
    for card, text in zip(cards, shown, strict=True):
        if text is not None:
            assert parse(text.replace(";", "\n")).cards == (tuple(card),) * 2, text


def test_the_rest_of_the_deck_is_that_of_the_package() -> None:
    hand = random.Random(1).sample(list(rest_of_deck(())), 20)
    body = 'return (await page("fours")).restOfDeck(given);'
    rest = from_page(body, hand)
    assert sorted(map(str, map(tuple, rest))) == sorted(map(str, rest_of_deck(hand)))


def test_the_texts_of_the_rules_are_the_presets() -> None:
    body = """
        const { switchesOf, TEXTS } = await page("rules");
        return Object.keys(TEXTS).map((name) => [name, switchesOf(name)]);
    """
    assert dict(from_page(body, None)) == {name: asdict(rules) for name, rules in PRESETS.items()}
