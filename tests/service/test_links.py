"""Links to a question: what other sites show of them, and what a bad one does."""

import json
import re
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from tests.support.serving import client_of, packed
from tests.support.tables import table
from uno_csp import InstanceError, generate, parse
from uno_csp.service.handlers import links
from uno_csp.service.handlers.declaring import PREVIEW
from uno_csp.service.handlers.links import MOST_CARDS, SIZE, picture_of, title_of
from uno_csp.service.jobs.recording import Running
from uno_csp.service.problems import Problem

HAND = {"question": "uno-1", "cards": ["R5", "R7", "B7"]}
LINK = packed(json.dumps(HAND))
NOTHING = "Can you get rid of all of it?"
"""The title of a page without a question."""


@pytest.mark.parametrize("question", ["uno-1", "longest", "fill-in"])
@pytest.mark.parametrize("decks", [1, 2, 3])
def test_a_link_holds_any_hand_that_a_person_plays_with(question: str, decks: int) -> None:
    for seed in range(3):
        hand = generate("deck", cards=107, seed=seed).cards * decks
        cards = [list(card) for card in hand]
        asked = {"question": question, "name": "a hand of cards", "cards": cards}
        assert links.asked_by({"q": packed(json.dumps(asked))}) == parse(asked)


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("", "cut off"),
        ("%%%", "damaged"),
        ("AAAA", "cut off"),
        ("é", "damaged"),
        (LINK[:-6], "cut off"),
        (packed("x" * (links.MOST_BYTES + 1)), "more than"),
        (packed(b"\xff"), "UTF-8"),
        (packed('{"question": "chess"}'), "chess"),
        ("A" * (links.MOST_CHARACTERS + 1), "at most 8000 characters"),
        (packed("R5 R7"), "not JSON"),
        (packed("[1]"), "holds no question"),
        (packed(json.dumps({**HAND, "cards": ["R5"] * (links.MOST_SIZE + 1)})), "401 cards"),
        (packed(json.dumps({"question": "cooperative", "hands": [["R5"] * 200] * 3})), "600 cards"),
    ],
)
def test_a_bad_link_is_refused(link: str, said: str) -> None:
    with pytest.raises((InstanceError, Problem), match=said):
        links.asked_by({"q": link})


def shown(client: TestClient, path: str, **params: str) -> Any:
    """The answer at a path of the server."""
    found = client.get(f"http://localhost/{path}", params=params or None)
    assert found.status_code == 200
    return found


def tags_of(page: str) -> dict[str, str]:
    """The metadata of a page for other sites."""
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page))


def test_a_link_is_described_to_other_sites(client: TestClient) -> None:
    link = packed(json.dumps({**HAND, "name": '"><script>'}))
    page = shown(client, f"?q={link}").text
    tags = tags_of(page)
    assert tags["og:title"] == "Can you get rid of these 3 cards?"
    assert tags["og:image"].endswith(f"/preview.png?q={link}")
    assert "<script>" not in page.split("</head>")[0].replace('<script type="module"', "")
    picture = client.get(tags["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).size == SIZE
    plain = shown(client, "preview.png").content
    assert plain != picture.content
    for bad in ("%%%", packed('{"question": "chess"}')):
        assert shown(client, "preview.png", q=bad).content == plain
        assert NOTHING in shown(client, "", q=bad).text


def test_a_deal_is_described_to_other_sites(client: TestClient) -> None:
    pictures = set()
    for query in ("deal=3", "deal=4", "deal=3&players=3&cards=5&rules=classic&play=AbC"):
        tags = tags_of(shown(client, f"game?{query}").text)
        assert tags["og:title"] == "Can you win with this hand?"
        pictures.add(client.get(unescape(tags["og:image"])).content)
    assert len(pictures) == 3
    plain = shown(client, "preview.png").content
    for bad in ("deal=x", "deal=1&players=99", "deal=1&cards=-1", f"deal={'9' * 5000}", ""):
        title = tags_of(shown(client, f"game?{bad}").text)["og:title"]
        assert title == "Can you beat the computer at UNO?"
        assert shown(client, f"preview.png?{bad}").content == plain


@pytest.mark.parametrize(("asked", "title"), table("service", "titles"))
def test_every_question_has_a_title_and_a_picture(asked: dict[str, object], title: str) -> None:
    question = parse(asked)
    assert title_of(question).startswith(title)
    assert Image.open(BytesIO(picture_of(question))).size == SIZE


@pytest.mark.parametrize(
    "value",
    ["a\nb\tc", "x" * 200, "", "\u202e⊘", -3, 10**3999, 0],
    ids=lambda value: repr(value)[:9],
)
def test_odd_values_are_drawn(value: str | int) -> None:
    for cards in ([["red", value]], [[value] * 50]):
        question = parse({"question": "uno-1", "cards": cards})
        assert Image.open(BytesIO(picture_of(question))).size == SIZE


def test_links_take_no_place_of_others(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """While as many wait as may, a further one shows what a page without a question shows."""
    plain = shown(client, "preview.png").content
    assert shown(client, "preview.png", q=LINK).content != plain
    app: Any = client.app
    many = {Running() for _ in range(100)}
    monkeypatch.setitem(app.state.scheduler.requests, PREVIEW.name, many)
    assert shown(client, "preview.png", q=LINK).content == plain
    assert NOTHING in shown(client, "", q=LINK).text
    assert client.post("/solve", json={"instance": HAND}).status_code == 200


def test_links_count_against_the_rate(tmp_path: Path) -> None:
    with client_of(tmp_path, requests_per_minute=3) as client:
        titles = [tags_of(shown(client, "", q=LINK).text)["og:title"] for _ in range(5)]
        assert [title == NOTHING for title in titles] == [False] * 3 + [True] * 2
        shown(client, "")  # without a question it is free
        assert client.post("/solve", json={"instance": HAND}).status_code == 429


def test_no_question_of_a_link_is_read_in_the_server(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "asked_by", None)
    assert "rid of these 3 cards" in shown(client, "", q=LINK).text


@pytest.mark.parametrize("text", ["[" * 150_000, '{"a":' * 30_000, "9" * 150_000, "R5 " * 60_000])
def test_a_hostile_link_is_a_bad_link_or_a_question(client: TestClient, text: str) -> None:
    for path in ("", "preview.png"):
        shown(client, path, q=packed(text))


def test_a_picture_shows_each_card() -> None:
    """Each hand of one card has another picture, and so has each card up to the most."""
    many = [["R5"] * (MOST_CARDS - 1) + [last] for last in ("B1", "B2")]
    hands = [["R5"], ["B5"], ["BS"], *many]
    shown = {picture_of(parse({"question": "uno-1", "cards": hand})) for hand in hands}
    assert len(shown) == len(hands)


@pytest.mark.parametrize("path", ["", "game", "puzzle", "graph", "docs"])
def test_pages_link_to_the_guide_and_the_results_that_a_server_has(
    client: TestClient, path: str, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<script>document.title = 'read'</script>")
    links = ('href="guide/"', 'href="results/"')
    text = shown(client, path).text
    assert not [link for link in links if link in text]
    assert client.get("http://localhost/guide/").status_code == 404
    with client_of(tmp_path, guide=tmp_path, results=tmp_path) as full:
        text = shown(full, path).text
        assert [link for link in links if link in text] == [*links]


def test_only_pages_of_the_guide_may_have_scripts_inside(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<script>document.title = 'read'</script>")
    with client_of(tmp_path / "data", guide=tmp_path, results=tmp_path) as client:
        paths = {"guide/": True, "results/": False, "game": False, "": False, "guidebook/": False}
        for path, allowed in paths.items():
            policy = client.get(f"http://localhost/{path}").headers["content-security-policy"]
            (scripts,) = re.findall("script-src ([^;]*);", policy)
            assert ("'unsafe-inline'" in scripts) == allowed
            assert "default-src 'self'" in policy
