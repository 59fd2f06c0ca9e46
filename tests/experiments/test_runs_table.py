"""The table of runs in a report, in a browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import chromium, needs_browser
from tests.support.serving import free_port, served
from tests.support.suites import record, results
from uno_csp.experiments.reports import runs_table, write_report

pytestmark = [needs_browser, pytest.mark.slow]

EVIL = "</script><b>unruly</b>"
MANY = 10_000


def run_of(number: int) -> dict[str, Any]:
    """A run; every third one solved nothing."""
    solved = number % 3 > 0
    made = record(
        EVIL if number == 7 else f"hand {number}",
        ("hub-trail + cadical195", "successor + cp-sat")[number % 2],
        "SATISFIABLE" if solved else "UNKNOWN",
        (number * 7919 % MANY) / 1000,
        run=str(number),
        asked={"seed": number},
        reason="" if solved else "time limit of 10 s reached",
    )
    made["instance"]["family"] = ("random", "cubic")[number % 2]
    return made


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    return write_report(results(folder, *map(run_of, range(MANY)))).page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def table(browser: Browser, report: Path) -> Any:
    opened = browser.new_page(viewport={"width": 390, "height": 800})
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(report.as_uri())
    yield opened
    opened.close()
    assert not complaints


def column(page: Page, name: str) -> list[str]:
    return page.locator(f"#runs-body td[data-label='{name}']").all_inner_texts()


def test_ten_thousand_runs_are_sorted_and_filtered(table: Page) -> None:
    expect(table.locator("#home")).to_be_hidden()  # no server shows it
    expect(table.locator("#runs-count")).to_have_text(f"{MANY} runs")
    assert len(column(table, "seed")) == 100
    seed = table.get_by_role("button", name="seed")
    seed.focus()
    table.keyboard.press("Enter")
    table.keyboard.press("Enter")
    assert column(table, "seed")[:3] == ["9999", "9998", "9997"]
    expect(table.locator("#runs-head th[aria-sort='descending']")).to_have_text("seed")
    table.get_by_role("button", name="wall s").click()
    seconds = [float(text) for text in column(table, "wall s")]
    assert seconds == sorted(seconds)
    table.get_by_label("words").fill("cubic TIME")
    table.locator("select[name='status']").select_option("UNKNOWN")
    expect(table.locator("#runs-count")).to_have_text(f"1667 of {MANY} runs")
    assert {*column(table, "family")} == {"cubic"}
    table.get_by_role("button", name="Show 100 more of 1567").click()
    assert len(column(table, "seed")) == 200
    table.get_by_label("words").fill("unruly")
    table.locator("select[name='status']").select_option("")
    assert column(table, "instance") == [EVIL]


def test_a_phone_shows_every_column_without_scrolling_aside(table: Page) -> None:
    cells = table.locator("#runs-body tr").first.locator("td").all()
    boxes = [cell.bounding_box() for cell in cells]
    assert len(boxes) == len(runs_table.COLUMNS)
    assert all(box is not None and box["x"] + box["width"] <= 390 for box in boxes)


def test_the_table_works_where_the_service_shows_it(
    browser: Browser, report: Path, tmp_path: Path
) -> None:
    shutil.copy(report, tmp_path / "index.html")
    port = free_port()
    with served(tmp_path / "data", port, "--results", str(tmp_path)):
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/results/")
        expect(page.locator("#runs-count")).to_have_text(f"{MANY} runs")
        page.get_by_role("link", name="the pages of this server").click()
        expect(page).to_have_title("uno-csp")
        page.close()
