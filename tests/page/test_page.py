"""The page in a real browser: build a hand, solve, watch, cancel, come back."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import hold_back, let_go, needs_browser, open_text, put, solve
from tests.support.serving import LONG, free_port, served
from uno_csp import parse
from uno_csp.verifier.hands import verify

pytestmark = needs_browser


def test_a_hand_is_built_solved_and_played(page: Page) -> None:
    put(page, "red 5", "red 7", "blue 7")
    expect(page.locator("#hands")).to_contain_text("Hand: 3")
    expect(page.get_by_role("button", name="red 5, 1 there")).to_have_attribute(
        "aria-pressed", "true"
    )
    solve(page)
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
    row = page.get_by_label("The sequence").locator("li")
    expect(row).to_have_count(3)
    page.get_by_label("Step").fill("0")
    expect(row.nth(0)).to_have_class(re.compile("here"))
    expect(row.nth(2)).to_have_class(re.compile("later"))
    page.get_by_label("Step").fill("2")
    walk = page.locator(".walk polyline").get_attribute("points") or ""
    points = [tuple(map(float, point.split(","))) for point in walk.split()]
    assert len(points) == 3
    for (x, y), (u, v) in pairwise(points):
        assert abs(x - u) < 2 or abs(y - v) < 2  # as a rook goes
    badge = page.locator(".badge")
    expect(badge.locator("summary")).to_have_text("✓ checked")
    expect(badge.locator("p")).to_be_hidden()
    badge.locator("summary").click()
    expect(badge.locator("p")).to_have_text(
        re.compile(r" in \d+\.\d\d s.*\. The independent checker has followed this play")
    )


def test_it_says_which_rules_there_are(page: Page) -> None:
    expect(page.locator("#how-played")).to_contain_text("symbols without effect, nobody draws")
    page.get_by_role("link", name="The real game is played here.").click()
    expect(page).to_have_url(re.compile(r"/game"))


def test_a_sheet_has_hand_question_and_answer_alone(page: Page) -> None:
    put(page, "red 5", "blue 7")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    page.emulate_media(media="print")
    for shown in ("#kind", ".hand .card", ".verdict"):
        expect(page.locator(shown).first).to_be_visible()
    expect(page.locator("header")).to_be_hidden()
    expect(page.locator("#answer")).to_contain_text("The reason: the cards fall into 2 groups")
    expect(page.locator("button:visible, textarea:visible, nav:visible")).to_have_count(2)
    hand, verdict = (page.locator(each).first.bounding_box() for each in (".hand", ".verdict"))
    assert hand and verdict and hand["y"] < verdict["y"]


def test_past_questions_are_chips_of_cards(page: Page) -> None:
    put(page, "red 5", "blue 7")
    solve(page)
    chip = page.locator("#jobs button")
    expect(chip.locator(".card")).to_have_text(["5", "7"])
    expect(chip.locator(".result")).to_have_text("✗ no")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".verdict")).to_have_count(0)
    chip.click()
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    page.get_by_role("button", name=re.compile("^What is missing")).click()
    expect(page.locator("#jobs .result").first).to_have_text("3 missing")


def test_the_proof_of_a_no_is_downloaded(page: Page, tmp_path: Path) -> None:
    put(page, "red 5", "blue 7")
    solve(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download the proof").click()
    waiting.value.save_as(tmp_path / "certificate.zip")
    assert verify(tmp_path / "certificate.zip")[0].startswith("proved")
    expect(page.locator("#answer")).to_contain_text("proved: the cards fall into 2")
    expect(page.locator("#answer pre")).to_contain_text("uno-csp verify certificate.zip")
    with page.expect_download():  # once more, without another job
        page.get_by_role("button", name="Download the proof").click()
    expect(page.locator("#jobs li")).to_have_count(2)


def test_added_cards_glow(page: Page) -> None:
    page.get_by_label("Ask").select_option("fill-in")
    put(page, "red 5", "blue 7")
    solve(page)
    expect(page.locator(".verdict")).to_have_text(re.compile(r"^Add (red 7|blue 5)\.$"))
    expect(page.get_by_label("The sequence").locator("li.added")).to_have_count(1)
    page.get_by_label("Step").fill("2")
    expect(page.locator("#board .cell.added")).to_have_count(1)


def test_play_for_two_shows_both_hands_and_skips(page: Page) -> None:
    page.get_by_label("Ask").select_option("cooperative")
    put(page, "red 1", "red 2", "red 3")
    page.get_by_label("Player 2").first.check()
    put(page, "red 4", "blue 9")
    solve(page)
    expect(page.locator(".verdict")).to_have_text(re.compile("^Yes: all together"))
    expect(page.get_by_label("Player 1").locator("li.card")).to_have_count(3)
    expect(page.locator(".skip").first).to_have_text("skipped")
    expect(page.locator("#board .cell.dealt:not(.held)")).to_have_count(3)
    expect(page.locator("#board .owners")).to_have_text(["1", "1", "1", "2", "2"])


@pytest.mark.slow
def test_a_long_job_is_watched_cancelled_and_found_again(page: Page, server: str) -> None:
    open_text(page, json.dumps(LONG))
    expect(page.locator("#hands")).to_contain_text("Hand: 360")
    solve(page)
    expect(page.locator("#status")).to_have_text(re.compile(r"Looking: .* The best so far: \d+"))
    page.reload()
    expect(page.locator("#status")).to_have_text(re.compile(r"^Looking: "))
    page.goto(server)  # as if the page had been closed and opened again
    expect(page.locator("#status")).to_have_text(re.compile(r"^Looking: "))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_have_text("Cancelled.")
    expect(page.locator("#answer")).to_contain_text("and no more than")
    page.goto(server)
    expect(page.locator("#status")).to_have_text("Cancelled.")
    expect(page.locator("#answer")).to_contain_text("and no more than")
    expect(page.locator("#jobs li")).to_have_count(1)


@pytest.mark.slow
def test_a_job_is_followed_through_a_restart_of_the_server(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    context = browser.new_context()
    page = context.new_page()
    with served(tmp_path, port) as server:
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_text("Options and files").click()
        page.get_by_label("Seconds").fill("8")
        open_text(page, json.dumps(LONG))
        solve(page)
        expect(page.locator("#status")).to_have_text(re.compile(r"^Looking: "))
        server.kill()
        server.wait()
    expect(page.locator("#away")).to_contain_text("The server cannot be reached")
    with served(tmp_path, port):
        expect(page.locator(".verdict")).to_have_text(
            re.compile(r"\d+ cards can be discarded .*, and no more than \d+")
        )
    context.close()


@pytest.mark.slow
def test_the_examples_and_the_link(page: Page) -> None:
    page.get_by_text("For the mathematician").click()
    page.get_by_role("button", name=re.compile("^The paper's Example 1")).click()
    expect(page.locator("#hands")).to_contain_text("Hand: 9")
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
    assert "#q=" in page.url
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#status")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "?q=" in copied
    for link in (page.url, copied):
        other = page.context.new_page()
        other.goto(link)
        expect(other.locator("#hands")).to_contain_text("Hand: 9")
        expect(other.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
        put(other, "wild")
        assert "?q=" not in other.url
        other.reload()
        expect(other.locator("#hands")).to_contain_text("Hand: 10")
        other.close()
    for name, verdict in (
        ("Three arms", "No: the whole hand cannot be discarded."),
        ("A cubic graph", "Yes: the whole hand can be discarded."),
        ("Vertices and edges", re.compile("^Yes: all together")),
        ("As many as possible", re.compile(r"^\d of 7 cards can be discarded in one sequence,")),
        ("Together, with a skip", re.compile("^Yes: all together")),
        ("Against each other", re.compile("^Player 2 wins")),
    ):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
        expect(page.locator(".verdict")).to_have_text(verdict)


def test_the_keyboard_is_enough(page: Page) -> None:
    page.get_by_role("button", name="red 0, 0 there").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="yellow 1, 1 there")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator("#hands")).to_contain_text("Hand: 2")


def test_files_go_out(page: Page) -> None:
    put(page, "red 5", "red 7")
    page.get_by_text("Options and files").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save question").click()
    asked = json.loads(Path(saved.value.path()).read_text())
    assert asked == {"question": "uno-1", "cards": [["red", 5], ["red", 7]]}
    with page.expect_download() as exported:
        page.get_by_role("button", name="Save DIMACS").click()
    assert Path(exported.value.path()).read_text().startswith("c uno-csp dimacs")


def sent_for(page: Page, text: str) -> str:
    """Open a file, ask it as it is, and return the body the page sends."""
    with page.expect_response(lambda expected: expected.url.endswith("/parse")):
        open_text(page, text)
    expect(page.locator("#status")).to_have_text("Loaded. Solve it when you like.")
    with page.expect_request(lambda asked: asked.url.endswith("/jobs")) as asked:
        page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict")).to_be_visible()
    return asked.value.post_data or ""


def test_the_page_asks_what_the_file_asks(page: Page) -> None:
    text = '{"question": "uno-1", "cards": [[9007199254740993, 1], [9007199254740992, 2]]}'
    assert parse(json.loads(sent_for(page, text))["instance"]) == parse(text)
    expect(page.locator(".verdict")).to_contain_text("No")


def test_the_first_example_gives_way_to_a_file(page: Page, server: str) -> None:
    held = hold_back(page, "**/example.json")
    with page.expect_request("**/example.json"):
        page.goto(server)
    open_text(page, "{", "q.txt")
    expect(page.locator("#status.problem")).to_be_visible()
    expected = page.locator("#status").inner_text()
    with page.expect_response("**/example.json"):
        let_go(page, held)  # the one before is of the page that was left
    page.wait_for_timeout(300)  # nothing to wait for: nothing must happen
    assert page.locator("#status").inner_text() == expected
    expect(page.locator(".verdict")).to_have_count(0)


def test_a_damaged_link_says_so(page: Page, server: str) -> None:
    page.goto(f"{server}#q=%%%")
    page.reload()
    expect(page.locator("#status.problem")).to_contain_text("The link is damaged")
    page.goto(f"{server}?q=%%%")
    expect(page.locator("#status.problem")).to_contain_text("The link is damaged")
    page.goto(f"{server}#q=eyJxdWVzdGlvbiI6ImNoZXNzIn0=")
    page.reload()
    expect(page.locator("#status.problem")).to_contain_text('"chess" is not a question')


def test_an_expectation_does_not_outlive_the_hand_it_is_of(page: Page) -> None:
    known = '"expected": {"status": "SATISFIABLE", "why": "a theorem"}'
    body = sent_for(page, f'{{"question": "uno-1", "cards": ["R5"], {known}}}')
    assert json.loads(body)["instance"]["expected"]["why"] == "a theorem"
    put(page, "blue 7")
    with page.expect_request(lambda asked: asked.url.endswith("/jobs")) as asked:
        page.get_by_role("button", name="Solve").click()
    instance = json.loads(asked.value.post_data or "")["instance"]
    assert instance == {"question": "uno-1", "cards": [["red", 5], ["blue", 7]]}
