"""The page opens every file of a question: by its button, dropped, or one line of many."""

import json

from playwright.sync_api import Page, expect

from tests.support import ROOT
from tests.support.browsing import needs_browser, open_text, solve
from tests.support.serving import packed
from uno_csp.formats.questions import parse_file, parse_lines

pytestmark = needs_browser

EXAMPLES = ROOT / "examples"


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


def test_a_long_question_is_compressed_behind_the_hash(page: Page, server: str) -> None:
    cards = [[f"value {number * 7919 % 10007}", number * 104729 % 99991] for number in range(1500)]
    link = packed(json.dumps({"question": "longest", "cards": cards}))
    assert len(link) > 8000
    page.goto(f"{server}#z={link}")
    page.reload()
    expect(page.locator("#hands")).to_contain_text("Hand: 1500")


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
