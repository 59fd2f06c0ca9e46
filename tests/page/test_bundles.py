"""The bundles of the pages have all that the pages load, and load nothing more."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from uno_csp.service.api.bundles import FOLDER, STYLES, bundles, script


def test_each_page_has_its_bundles() -> None:
    pages = {path.stem for path in FOLDER.glob("*.html")} - {"frame"}
    assert pages == STYLES.keys()
    used = {name for names in STYLES.values() for name in names}
    assert used == {path.stem for path in FOLDER.glob("*.css")}
    scripts = "".join(text for name, text in bundles().items() if name.endswith(".js"))
    assert {path.stem for path in FOLDER.glob("js/*.js")} == {
        *re.findall(r"^const \$(\w+) =", scripts, re.M)
    }


@pytest.mark.parametrize("page", sorted(STYLES.keys() - {"missing"}))
def test_a_bundle_has_each_module_once_after_those_it_imports(page: str) -> None:
    text = script(page)
    assert not re.search(r"^(import|export)\b", text, re.M)
    made: set[str] = set()
    for line in text.splitlines():
        if made_now := re.match(r"const \$(\w+) = ", line):
            assert made_now[1] not in made
            made.add(made_now[1])
        if used := re.search(r"^const \{.*\} = \$(\w+);", line):
            assert used[1] in made


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
def test_bundles_are_modules(tmp_path: Path) -> None:
    for page in STYLES.keys() - {"missing"}:
        path = tmp_path / f"{page}.mjs"
        path.write_text(script(page))
        subprocess.run(["node", "--check", path], check=True)
