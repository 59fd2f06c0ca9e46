"""The page's hands: typed, clicked, opened, undone, shared, kept, and reached on a phone."""

import json
import random
import re
from typing import Any

from playwright.sync_api import Page, expect

import uno_csp
from tests.support import ROOT
from tests.support.browsing import (
    hold_back,
    let_go,
    needs_browser,
    on_a_phone,
    open_text,
    put,
    solve,
)
from uno_csp import parse
from uno_csp.formats.answer_files import parse_answer_object
from uno_csp.formats.questions import parse_file, parse_lines
from uno_csp.questions.codes import rest_of_deck

pytestmark = needs_browser

EXAMPLE = ROOT / "uno_csp/service/page/example.json"
EXAMPLES = ROOT / "examples"


def typed(page: Page, place: str = "hand") -> Any:
    return page.get_by_label(f"Cards: {place}", exact=True)


def test_the_answer_to_the_first_hand_needs_no_server(page: Page) -> None:
    stored = json.loads(EXAMPLE.read_text())
    question, answer = parse(stored["question"]), parse_answer_object(stored["answer"])
    assert not uno_csp.check(question, answer)
    now = uno_csp.solve(question)
    assert (answer.status, stored["answer"]["meaning"]) == (now.status, now.meaning)
    posted: list[str] = []
    page.on("request", lambda asked: posted.append(asked.url))
    expect(page.locator(".verdict")).to_have_count(0)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
    expect(page.locator(".luck")).to_contain_text("Lucky: of hands of 7 cards")
    expect(page.get_by_label("The sequence").locator("li")).to_have_count(7)
    assert [url for url in posted if not url.endswith("/odds.json")] == []
    put(page, "green 1")
    expect(typed(page)).to_have_value("B7 R5 W GS R7 G+2 BS G1")
    page.get_by_role("button", name="Undo").click()
    expect(typed(page)).to_have_value("B7 R5 W GS R7 G+2 BS")
    expect(page.locator(".verdict")).to_be_visible()


def test_cards_are_typed(page: Page) -> None:
    typed(page).fill("R5 red 7 b7")
    expect(page.locator("#hands")).to_contain_text("Hand: 3")
    expect(page.get_by_role("button", name="blue 7, 1 there")).to_be_visible()
    put(page, "blue skip")
    expect(typed(page)).to_have_value("R5 R7 B7 BS")
    typed(page).fill("R5 R7 R10")
    expected = page.locator("#typed-hand-0-problem")
    expect(expected).to_have_text('line 1, column 7: "R10" is no card; did you mean R1 or R0?')
    expect(typed(page)).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#hands")).to_contain_text("Hand: 4")
    page.get_by_role("button", name="Solve").click()
    expect(typed(page)).to_be_focused()  # what is no card is not passed over
    page.keyboard.press("Control+z")
    expect(typed(page)).to_have_value("R5 R7 B7 BS")
    expect(expected).to_have_text("")
    typed(page).fill("[1")
    expect(expected).to_have_text(re.compile("^This is no list of cards in JSON, such as"))
    typed(page).fill("pink,5 red,7 pink,7")
    expect(page.get_by_role("button", name="pink 7, 1 there")).to_be_visible()
    typed(page).blur()
    expect(typed(page)).to_have_value("pink,5; red,7; pink,7")
    typed(page, "pile").fill("R5 R7")
    expect(page.locator("#typed-after-problem")).to_have_text("The pile shows one card.")
    typed(page, "pile").fill("Y7")
    expect(page.locator("#hands")).to_contain_text("Pile: 1")
    typed(page).press("Enter")
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")


def test_a_button_does_not_move_while_it_is_pressed(page: Page) -> None:
    """The cards are read when their box loses the focus, which is while a click is under way."""
    held = hold_back(page, "**/parse")
    typed(page).fill("R5 B7")
    button = page.get_by_role("button", name="Solve")
    box = button.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with page.expect_request("**/parse"):
        page.mouse.down()
    page.wait_for_timeout(300)
    assert held
    page.unroute("**/parse")  # which lets what was held continue
    page.wait_for_timeout(300)
    assert button.bounding_box() == box
    page.mouse.up()
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")


def test_boxes_may_be_read_in_any_order(page: Page) -> None:
    """The first hand is read last, when the second has already begun a question of one's own."""
    page.get_by_label("Ask").select_option("cooperative")
    held = hold_back(page, "**/parse", first=lambda sent: "R1" in (sent.post_data or ""))
    typed(page, "player 1").fill("R1")
    typed(page, "player 2").fill("R2")
    expect(page.locator("#hands")).to_contain_text("Player 2: 1")
    expect(typed(page, "player 1")).to_have_value("R1")
    let_go(page, held)
    expect(page.locator("#hands")).to_contain_text("Player 1: 1")


def test_ten_hands_and_the_way_back(page: Page) -> None:
    page.get_by_label("Ask").select_option("cooperative")
    page.get_by_label("Players").fill("10")
    page.get_by_label("Players").press("Enter")
    for player in range(1, 11):
        box = typed(page, f"player {player}")
        box.fill(f"R{player % 10}")
        expect(box).to_be_visible()
    expect(page.locator("#hands")).to_contain_text("Player 10: 1")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".verdict")).to_have_text(re.compile("^Yes: all together"))
    page.get_by_label("take red 1 away").click()
    expect(page.locator(".verdict")).to_have_count(0)
    expect(typed(page, "player 1")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator(".verdict")).to_have_text(re.compile("^Yes: all together"))
    expect(typed(page, "player 1")).to_have_value("R1")
    page.keyboard.press("Control+Shift+z")
    expect(typed(page, "player 1")).to_have_value("")


def test_the_rest_of_the_deck_may_be_added(page: Page) -> None:
    page.get_by_label("Ask").select_option("fill-in")
    page.get_by_label("May be added").select_option("rest")
    typed(page).fill("R5 B7 R5")
    expect(page.locator("#hands")).to_contain_text("Hand: 3")
    with page.expect_request(lambda asked: asked.url.endswith("/jobs")) as asked:
        solve(page)
    sent = parse(json.loads(asked.value.post_data or "")["instance"])
    assert sorted(map(str, sent.supply or ())) == sorted(map(str, rest_of_deck(sent.cards)))
    expect(page.locator(".verdict")).to_have_text(re.compile("^Add "))
    page.reload()
    expect(page.get_by_label("May be added")).to_have_value("rest")
    typed(page).fill("R5 R5 R5")
    expect(page.locator("#hands")).to_contain_text("Hand: 3")
    solve(page)
    expect(page.locator("#status.problem")).to_contain_text("by red 5")


def test_the_walk_is_numbered_behind_the_signs(page: Page) -> None:
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#board .steps")).to_have_count(7)
    for name, step in (("red 5", "1"), ("blue 7", "3"), ("wild", "7")):
        cell = page.locator(".cell", has=page.get_by_role("button", name=f"{name}, 1 there"))
        expect(cell.locator(".steps")).to_have_text(step)
    behind = page.evaluate(
        "['.walk', '.cell button'].map(each => Number("
        "getComputedStyle(document.querySelector(each)).zIndex))"
    )
    assert behind[0] < behind[1]
    lines = page.locator("#board .line")
    expect(lines.last.get_by_role("button")).to_have_count(2)  # the wild cards, alone


def test_a_draw_four_stays_one(page: Page) -> None:
    """On the board, in the answer, in a link, and among the questions asked before."""
    typed(page).fill("R5 wild +4 B7 W")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("Yes: the whole hand can be discarded.")
    for name in ("wild", "wild +4"):
        cell = page.locator(".cell", has=page.get_by_role("button", name=f"{name}, 1 there"))
        expect(cell.locator(".steps")).to_have_count(1)
    expect(page.locator("#row [title='wild +4']")).to_have_text("+4")
    page.reload()
    expect(typed(page)).to_have_value("R5 +4 B7 W")
    page.get_by_role("button", name=re.compile("^wild [+]4, 1")).press("Delete")
    expect(typed(page)).to_have_value("R5 B7 W")
    page.locator("#jobs button").first.click()
    expect(typed(page)).to_have_value("R5 +4 B7 W")
    expect(page.locator("#jobs button").first.locator("[title='wild +4']")).to_have_count(1)


def test_a_reload_keeps_the_answer(page: Page) -> None:
    typed(page).fill("R5 B7")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    posted: list[str] = []
    page.on("request", lambda asked: posted.append(asked.url) if asked.method == "POST" else None)
    page.reload()
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    expect(typed(page)).to_have_value("R5 B7")
    assert not [url for url in posted if url.endswith(("/jobs", "/solve"))]
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_only_what_was_copied_is_called_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#status")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{re.escape(page.url)}\?q=[-\w]{{50,120}}", link)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error()) }")
    page.get_by_role("button", name="Share").click()
    field = page.get_by_role("textbox", name="Copy this")
    expect(field).to_be_focused()
    expect(field).to_have_value(link)
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_phone_reaches_everything(blank: Page, server: str) -> None:
    page = on_a_phone(blank, server)
    rng = random.Random(2)
    typed(page).fill(" ".join(f"{rng.choice('RYGB')}{rng.randrange(10)}" for _ in range(300)))
    expect(page.locator("#hands")).to_contain_text("Hand: 300")
    button = page.get_by_role("button", name="Solve")
    for share in (0, 0.3):
        page.evaluate("share => scrollTo(0, share * document.body.scrollHeight)", share)
        expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    button.press("Enter")
    expect(page.locator(".verdict")).to_be_in_viewport()
    expect(button).to_be_focused()


def test_control_enter_asks_once(page: Page) -> None:
    """In the box, and elsewhere; and a second stroke before the answer asks nothing more."""
    posted: list[str] = []
    page.on("request", lambda asked: posted.append(asked.method) if "/jobs" in asked.url else None)
    hold_back(page, "**/jobs")
    typed(page).fill("R5 B7")
    with page.expect_request("**/jobs"):
        page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")
    page.unroute("**/jobs")
    expect(page.locator(".verdict")).to_contain_text("No: ")
    assert posted.count("POST") == 1


def test_no_verdict_stays_beside_a_new_error(page: Page) -> None:
    problem = page.locator("#typed-hand-0-problem")
    typed(page).fill("R5 R7")
    expect(page.locator("#hands")).to_contain_text("Hand: 2")
    solve(page)
    expect(page.locator(".verdict")).to_be_visible()
    typed(page).fill("R5 R77")
    solve(page)
    expect(problem).to_contain_text('"R77" is no card')
    expect(page.locator(".verdict")).to_have_count(0)
    for colourless in ("R5 +2", "+2"):
        typed(page).fill(colourless)
        expect(problem).to_contain_text('"+2" needs a colour')
    expect(typed(page)).to_be_editable()
    typed(page).fill("2xR5; B7")
    expect(page.locator("#hands")).to_contain_text("Hand: 3")


def test_the_examples_of_the_project_open(page: Page) -> None:
    found = [*EXAMPLES.glob("*.json"), *EXAMPLES.glob("*.csv")]
    assert len(found) > 3
    for path in found:
        page.get_by_label("Open question").set_input_files(path)
        count = len(parse_file(str(path)).cards)
        expect(page.locator("#hands")).to_contain_text(f"Hand: {count}")
        expect(page.locator("#status")).to_have_text("Loaded. Solve it when you like.")


def test_one_line_of_many_is_chosen(page: Page) -> None:
    path = EXAMPLES / "batch.jsonl"
    questions = [found for _, found in parse_lines(path.read_text())]
    page.get_by_label("Open question").set_input_files(path)
    lines = page.get_by_label("Questions of the file").get_by_role("button")
    expect(lines).to_have_count(len(questions))
    expect(lines.first).to_be_focused()
    expect(lines.nth(1)).to_have_text("2: a no (2 cards)")
    lines.nth(1).press("Enter")
    expect(page.locator("#hands")).to_contain_text("Hand: 2")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    lines.nth(2).click()
    expect(page.locator("#board-note")).to_contain_text("type these below")
    expect(page.get_by_label("Cards: hand")).to_have_value("1,1,1; 1,1,2; 1,2,2; 2,2,2")
    broken = '{"question": "uno-1", "cards": ["R5"]}\n{"question": "uno-1"\n'
    open_text(page, broken, "broken.jsonl")
    expect(lines.nth(1)).to_contain_text("cannot be read")
    lines.nth(1).click()
    expect(page.locator("#status.problem")).to_be_visible()


def test_files_are_dropped(page: Page) -> None:
    for name, text, expected in (
        ("hand.txt", "R5 red 7, B7 # a comment", "Hand: 3"),
        ("cards.csv", "pink,5\npink,7", "Hand: 2"),
    ):
        carried = page.evaluate_handle(
            """([name, text]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([text], name));
                return carried;
            }""",
            [name, text],
        )
        page.dispatch_event("main", "dragover", {"dataTransfer": carried})
        expect(page.locator("body.dropping")).to_have_count(1)
        page.dispatch_event("main", "drop", {"dataTransfer": carried})
        expect(page.locator("#hands")).to_contain_text(expected)
        expect(page.locator("body.dropping")).to_have_count(0)


def test_a_question_is_pasted_into_the_box(page: Page) -> None:
    asked = {"question": "longest", "cards": ["R5", "G7"], "at_least": 1}
    page.get_by_label("Cards: hand").fill(json.dumps(asked))
    expect(page.get_by_label("Ask")).to_have_value("longest")
    expect(page.get_by_label("Cards: hand")).to_have_value("R5 G7")


def test_a_click_on_solve_waits_for_the_file(page: Page) -> None:
    page.evaluate(
        """() => {
            const read = File.prototype.arrayBuffer;
            File.prototype.arrayBuffer = async function () {
                await new Promise((done) => setTimeout(done, 500));
                return read.call(this);
            };
        }"""
    )
    open_text(page, "R5, B7", "slow.txt")
    solve(page)
    expect(page.locator(".verdict")).to_have_text("No: the whole hand cannot be discarded.")
    expect(page.locator("#hands")).to_contain_text("Hand: 2")
