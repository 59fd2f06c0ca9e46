"""Backup, restoration and versions of the job store."""

import re
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.running import answered
from tests.support.serving import PAIR, client_of, done, finished, made
from tests.support.tables import table
from uno_csp import NotAccepted
from uno_csp.service.stores.backups import back_up, restore
from uno_csp.service.stores.sqlite_store import DATABASE, SqliteStore
from uno_csp.service.stores.tables import VERSION

NO = {"question": "uno-1", "cards": ["R5", "B7"]}

OLDEST = (ROOT / "tests/data/oldest_jobs.sql").read_text()
"""Tables of the first releases, which called a method an encoding, and did not number tables."""

UNNUMBERED = OLDEST.replace('"encoding"', '"method"')
"""Those of later releases, which did not number them either."""

NUMBERED = (
    f"{UNNUMBERED} CREATE INDEX jobs_by_state ON jobs (state, number); PRAGMA user_version=1;"
)
"""Those of the releases that kept two sets of queries."""


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A backup, taken while the server runs, of a job with a certificate and one without."""
    place = tmp_path_factory.mktemp("backup")
    with client_of(place / "data") as client:
        made(client, PAIR)
        job = done(client, NO, proof=True)
        assert job["answer"]["certificate"]["certified"]
        assert back_up(place / "data", place / "jobs.tar") == 2
    return place / "jobs.tar", job["id"]


def test_a_backup_is_restored_by_commands_that_say_how_many_jobs(
    backed_up: tuple[Path, str], tmp_path: Path
) -> None:
    archive, name = backed_up
    data, again = str(tmp_path / "data"), str(tmp_path / "again.tar")
    restored = answered(0, "jobs", "restore", str(archive), "--data", data)
    assert restored == f"2 jobs in {data}\n"
    assert answered(0, "jobs", "backup", again, "--data", data) == f"2 jobs in {again}\n"
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["certificates", DATABASE]
    with client_of(tmp_path / "data") as client:
        assert finished(client, name)["answer"]["status"] == "UNSATISFIABLE"
        assert client.get(f"/jobs/{name}/certificate").content[:2] == b"PK"


def test_nothing_is_overwritten(backed_up: tuple[Path, str], tmp_path: Path) -> None:
    restore(backed_up[0], tmp_path)
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(NotAccepted, match="there is a job store already"):
        restore(backed_up[0], tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_what_is_no_backup_is_refused(backed_up: tuple[Path, str], tmp_path: Path) -> None:
    text = tmp_path / "text.tar"
    text.write_text("no archive")
    with tarfile.open(tmp_path / "other.tar", "w") as tar:
        tar.add(text, "text")
    (tmp_path / "cut.tar").write_bytes(backed_up[0].read_bytes()[:9000])
    for name, said in (("text", "text.tar"), ("other", "no backup"), ("cut", "cut.tar|damaged")):
        with pytest.raises(NotAccepted, match=said):
            restore(tmp_path / f"{name}.tar", tmp_path / "data")
        assert not list((tmp_path / "data").iterdir())
    with pytest.raises(NotAccepted, match="there is no job store"):
        back_up(tmp_path / "data", tmp_path / "new.tar")
    assert not (tmp_path / "new.tar").exists()


@pytest.mark.parametrize(("name", "kind", "target"), table("service", "archives"))
def test_an_archive_with_anything_else_is_refused_before_it_is_unpacked(
    backed_up: tuple[Path, str], tmp_path: Path, name: str, kind: str, target: str
) -> None:
    odd = tmp_path / "odd.tar"
    shutil.copy(backed_up[0], odd)
    member = tarfile.TarInfo(name)
    member.type, member.linkname = getattr(tarfile, kind), target
    with tarfile.open(odd, "a") as tar:
        tar.addfile(member)
    with pytest.raises(NotAccepted, match=f'no backup of a job store: "{re.escape(name)}"'):
        restore(odd, tmp_path / "data")
    assert not list((tmp_path / "data").iterdir())


def test_certificates_that_are_links_are_backed_up_as_files(
    backed_up: tuple[Path, str], tmp_path: Path
) -> None:
    archive, name = backed_up
    restore(archive, tmp_path / "data")
    kept = tmp_path / "data/certificates" / f"{name}.zip"
    (kept.parent / "same.zip").hardlink_to(kept)
    (kept.parent / "linked.zip").symlink_to(kept)
    back_up(tmp_path / "data", tmp_path / "again.tar")
    assert restore(tmp_path / "again.tar", tmp_path / "new") == 2
    restored = [path.read_bytes() for path in (tmp_path / "new/certificates").iterdir()]
    assert restored == [kept.read_bytes()] * 3


def test_an_archive_that_was_packed_again_is_restored(
    backed_up: tuple[Path, str], tmp_path: Path
) -> None:
    restore(backed_up[0], tmp_path / "data")
    with tarfile.open(tmp_path / "again.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "data", ".")
    assert restore(tmp_path / "again.tar.gz", tmp_path / "new") == 2


@pytest.mark.parametrize("tables", [OLDEST, UNNUMBERED, NUMBERED])
def test_the_tables_of_every_release_are_brought_up_to_date(tmp_path: Path, tables: str) -> None:
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        connection.executescript(tables)
    with client_of(tmp_path) as client:
        store = client.app.state.store  # type: ignore[attr-defined]
        again = client.post(
            "/jobs",
            json={"instance": PAIR, "method": "position", "presolve": False},
            headers={"Idempotency-Key": "k"},
        )
        assert again.json()["id"] == f"{1:032}"
        assert finished(client, f"{1:032}")["answer"]["method"] == "position"
        assert client.get(f"/jobs/{2:032}").json()["answer"]["method"] == "position"
        assert store.recall("h") == {"method": "hub-trail"}
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        indices = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        assert ("jobs_by_state",) in indices.fetchall()
    SqliteStore(tmp_path).close()


def test_the_tables_of_a_newer_release_are_left_alone(
    backed_up: tuple[Path, str], tmp_path: Path
) -> None:
    restore(backed_up[0], tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        connection.commit()
    before = (tmp_path / "data" / DATABASE).read_bytes()
    said = f"a newer release wrote this job store: its tables have version {VERSION + 1}"
    with pytest.raises(NotAccepted, match=said):
        SqliteStore(tmp_path / "data")
    with pytest.raises(NotAccepted, match=said):
        back_up(tmp_path / "data", tmp_path / "new.tar")
    assert (tmp_path / "data" / DATABASE).read_bytes() == before
    shutil.rmtree(tmp_path / "data")  # no lock is left
