"""Files of suites that are found under odd names, hold nothing, or cannot be read."""

from pathlib import Path

import pytest

from tests.support.suites import suite_of
from uno_csp import InstanceError

HAND = '{"question": "uno-1", "cards": ["R5", "R7"]}\n'


def suite(*patterns: str) -> str:
    return f'name = "x"\n[[instances]]\nfiles = {[*patterns]}\n[[combinations]]'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one hand, and links to it, to the folder and to nothing."""
    (tmp_path / "a.json").write_text(HAND)
    (tmp_path / "b.json").symlink_to("a.json")
    (tmp_path / "c.json").symlink_to("c.json")
    (tmp_path / "again").symlink_to(".")
    return tmp_path


@pytest.mark.parametrize(
    "patterns", [["*.json"], ["**/*.json"], ["a.json", "./a.json"], ["again/a.json", "b.json"]]
)
def test_a_file_of_several_names_is_one_instance(patterns: list[str], folder: Path) -> None:
    assert len(suite_of(suite(*patterns), folder).runs) == 1


@pytest.mark.parametrize(
    ("content", "said"), [("", "no question"), ("\n\n", "no question"), ("[]\n", "line 1")]
)
def test_a_file_of_no_question_is_an_error(content: str, said: str, folder: Path) -> None:
    (folder / "none.jsonl").write_text(content)
    with pytest.raises(InstanceError, match=rf"instances\[0\]: .*none.jsonl: .*{said}"):
        suite_of(suite("a.json", "none.jsonl"), folder)


@pytest.mark.parametrize("name", ["x" * 5000, "c.json", "again", "/dev/null"])
def test_what_is_no_file_matches_nothing(name: str, folder: Path) -> None:
    with pytest.raises(InstanceError, match="no file matches"):
        suite_of(suite(name), folder)


def test_a_suite_that_is_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InstanceError, match="nested too deeply"):
        suite_of(f"a = {'[' * 9999}{']' * 9999}", tmp_path)
