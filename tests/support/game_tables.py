"""The table of the real game in a browser: games laid on it, and cards played."""

import base64
import json
import re
from typing import Any

from playwright.sync_api import Page, expect

PRINTED = {
    "question": "open-game",
    "hands": [["R5", "W", "B3", "+4"], ["R2", "B7"]],
    "after": "R1",
    "draw": ["R9", "G4", "Y1", "Y2", "Y3", "Y4"],
    "rules": "printed-2003",
}
READY = "button.card:not([aria-disabled])"  # a card that can be played


def link_to(asked: Any) -> str:
    """The address that holds a game."""
    return "game#q=" + base64.urlsafe_b64encode(json.dumps(asked).encode()).decode()


def hidden_game(asked: Any, *computers: bool) -> dict[str, Any]:
    """A game with hidden cards, by default against a computer."""
    seats = list(computers) or [False, True]
    return {"game": asked, "plays": [], "hidden": True, "computers": seats}


def follow(page: Page, server: str, asked: Any) -> None:
    """Open a link that holds a game."""
    page.goto(server + link_to(asked))


def unfold(page: Page) -> None:
    """Open the settings."""
    page.locator("#settings").evaluate("each => { each.open = true; }")


def deal(page: Page, cards: int, seed: int, players: int = 2) -> None:
    unfold(page)
    page.get_by_label("Players").select_option(str(players))
    page.get_by_label("Cards each").fill(str(cards))
    page.get_by_label("Deal no.").fill(str(seed))
    page.get_by_role("button", name="Deal", exact=True).click()
    has_cards(page, cards)


def has_cards(page: Page, count: int, player: int = 1) -> None:
    expect(page.locator(f"[data-player='{player}'] h3")).to_contain_text(f"{count} cards")


def may_play(page: Page) -> None:
    """Wait until a card of one's own can be played, for which the server must know the turn."""
    page.locator(f"#mine .mover {READY}").first.wait_for()


def lay_out(page: Page, hands: str, after: str, draw: str = "", colour: str = "") -> None:
    unfold(page)
    layout = page.locator("#layout")
    if layout.get_attribute("open") is None:
        layout.locator("summary").click()
    page.get_by_label("Hands", exact=True).fill(hands)
    page.get_by_label("Pile", exact=True).fill(after)
    page.get_by_label("Colour of a wild pile").select_option(colour)
    page.get_by_label("Draw pile, the next card first").fill(draw)
    page.get_by_role("button", name="Use these").click()


def card(page: Page, name: str) -> None:
    page.locator(".seat.mover").get_by_role("button", name=re.compile(rf"^{name}\b")).first.click()


def hidden(page: Page, server: str, asked: Any, *computers: bool) -> None:
    """Open a game with hidden cards."""
    follow(page, server, hidden_game(asked, *computers))
