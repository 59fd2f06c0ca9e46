"""The page of Hamiltonian problems in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import needs_browser
from uno_csp.verifier.graphs import verify

pytestmark = needs_browser


@pytest.fixture
def graphs(blank: Page, server: str) -> Page:
    blank.goto(f"{server}graph")
    return blank


def test_an_example_is_answered_and_drawn(graphs: Page) -> None:
    graphs.get_by_role("button", name="Dodecahedron").click()
    expect(graphs.locator("#verdict")).to_have_text("Yes: there is a Hamiltonian cycle.")
    expect(graphs.locator("#drawing circle")).to_have_count(20)
    expect(graphs.locator("#drawing line")).to_have_count(30)
    points = graphs.locator("#drawing polygon").get_attribute("points") or ""
    assert len(points.split()) == 20
    names = graphs.locator("#paths li").inner_text().split()
    assert sorted(map(int, names)) == list(range(20))


def test_a_graph_without_a_cycle_has_a_path_between_ends(graphs: Page, tmp_path: Path) -> None:
    graphs.get_by_role("button", name="Petersen graph").click()
    expect(graphs.locator("#verdict")).to_have_text("No: there is no Hamiltonian cycle.")
    expect(graphs.locator("#drawing polygon")).to_have_count(0)
    with graphs.expect_download(lambda got: got.suggested_filename == "certificate.zip") as saved:
        graphs.get_by_role("button", name="Download the certificate").click()
    packed = tmp_path / "certificate.zip"
    saved.value.save_as(packed)
    assert verify(packed)[0].startswith("proved: the graph has no Hamiltonian cycle")
    expect(graphs.locator("#verdict")).to_have_text("No: there is no Hamiltonian cycle.")
    expect(graphs.get_by_label("from")).to_be_hidden()
    graphs.locator("#goal").select_option("path")
    graphs.get_by_label("from").fill("0")
    graphs.get_by_role("button", name="Find", exact=True).click()
    expect(graphs.locator("#verdict")).to_have_text("Yes: there is a Hamiltonian path.")
    expect(graphs.locator("#paths li")).to_have_text(re.compile("^0 "))
    graphs.locator("#goal").select_option("longest")
    graphs.get_by_role("button", name="Find", exact=True).click()
    expect(graphs.locator("#verdict")).to_have_text("A longest path visits 10 of the vertices.")


def test_a_server_that_is_away_is_waited_for_no_longer_than_wanted(
    graphs: Page, watched: tuple[Page, list[str]]
) -> None:
    expect(graphs.locator("#verdict")).to_contain_text("Yes")
    graphs.route("**/api/**", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    graphs.get_by_role("button", name="Petersen graph").click()
    expect(graphs.locator("#away")).to_contain_text("trying again in")
    graphs.get_by_role("button", name="Cancel").click()
    expect(graphs.locator("#away")).to_have_count(0)
    expect(graphs.locator("#verdict")).to_have_text("Cancelled.")
    assert all("status of 502" in said for said in watched[1])
    watched[1].clear()


def test_a_small_graph_is_answered_with_its_own_names(graphs: Page) -> None:
    graphs.get_by_label("The graph as text").fill("a b\nb c\nc d\nd b")
    graphs.get_by_role("button", name="Find", exact=True).click()
    expect(graphs.locator("#verdict")).to_have_text("No: there is no Hamiltonian cycle.")
    expect(graphs.locator("#reason")).to_have_text(re.compile(r"^The reason: a has .*\.$"))
    expect(graphs.locator("#how")).to_contain_text(re.compile(r", \d\.\d\d s"))


def test_a_file_is_read_and_errors_name_the_line(graphs: Page) -> None:
    square = b"p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n"
    graphs.locator("#file").set_input_files({"name": "a.col", "mimeType": "", "buffer": square})
    expect(graphs.locator("#verdict")).to_have_text("Yes: there is a Hamiltonian cycle.")
    graphs.get_by_label("The graph as text").fill("a b\nb b")
    graphs.get_by_role("button", name="Find", exact=True).click()
    expect(graphs.locator("#verdict")).to_have_text("line 2: a loop at b; a path uses none")
    expect(graphs.locator("#drawing svg")).to_have_count(0)


def test_a_large_graph_is_kept_beside_the_box(graphs: Page) -> None:
    """Only its path is drawn, and its address and box hold nothing of it."""
    text = "".join(f"vertex{number} vertex{(number + 1) % 6000}\n" for number in range(6000))
    graphs.locator("#file").set_input_files(
        {"name": "ring.txt", "mimeType": "", "buffer": text.encode()}
    )
    expect(graphs.locator("#big-name")).to_contain_text("ring.txt, 0.1 MB")
    expect(graphs.locator("#verdict")).to_have_text("Yes: there is a Hamiltonian cycle.")
    expect(graphs.locator("#drawing")).to_contain_text("only the path is drawn")
    expect(graphs.locator("#drawing line")).to_have_count(0)
    assert graphs.url.endswith("/graph")
    graphs.get_by_role("button", name="Share").click()
    expect(graphs.locator("#shared")).to_contain_text("too large for a link")


def test_a_graph_is_drawn_by_tapping_and_one_that_was_answered_is_edited(graphs: Page) -> None:
    def tap(*places: tuple[int, int]) -> None:
        for x, y in places:
            sketch.click(position={"x": x, "y": y})

    expect(graphs.locator("#verdict")).to_contain_text("Yes")
    graphs.get_by_text("Draw it").click()
    sketch, text = graphs.locator("#sketch"), graphs.locator("#text")
    tap((60, 60), (160, 60), (110, 140), (60, 60), (160, 60), (160, 60), (110, 140))
    expect(text).to_have_value("1 2\n2 3")
    expect(graphs.get_by_role("button", name="Take the graph above")).to_be_hidden()
    tap((110, 140), (60, 60))
    graphs.get_by_role("button", name="Find", exact=True).click()
    expect(graphs.locator("#verdict")).to_have_text("Yes: there is a Hamiltonian cycle.")
    graphs.get_by_role("button", name="Petersen graph").click()
    expect(graphs.locator("#verdict")).to_have_text("No: there is no Hamiltonian cycle.")
    graphs.get_by_role("button", name="Take the graph above").click()
    expect(sketch.locator("text")).to_have_count(10)
    expect(sketch.locator("line")).to_have_count(15)
    tap((5, 5))
    expect(text).to_have_value(re.compile(r"^0 1\n0 5\n(\d \d\n){13}11$"))
    graphs.get_by_role("button", name="Undo").click()
    graphs.get_by_role("button", name="Undo").click()
    expect(text).to_have_value("1 2\n2 3\n1 3")
