"""Backup and restoration of a job store in a data folder, as one archive.

The archive is a tar file with ``jobs.sqlite3``, a consistent copy of the database, and
``certificates/``. It is taken while a server runs.
"""

import os
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from uno_csp.errors import NotAccepted
from uno_csp.questions.wording import shown
from uno_csp.service.stores.sqlite_store import DATABASE, SqliteStore
from uno_csp.service.stores.tables import require_known

CERTIFICATES = "certificates"
_FILE = re.compile(rf"(?:\./)?(?:{re.escape(DATABASE)}|{CERTIFICATES}/[^/\0]+\.zip)")
_FOLDERS = (".", CERTIFICATES, f"./{CERTIFICATES}")


def back_up(folder: Path, archive: Path) -> int:
    """Write jobs and certificates of a data folder into an archive; return the number of jobs.

    An older archive is replaced once it is complete. Raises NotAccepted without a sound job store.
    """
    if not (folder / DATABASE).exists():
        raise NotAccepted(f"{folder}: there is no job store; {DATABASE} is missing")
    with TemporaryDirectory(dir=archive.absolute().parent) as place:
        copy, packed = Path(place, DATABASE), Path(place, "archive")
        try:
            with (
                closing(sqlite3.connect(folder / DATABASE)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
        except sqlite3.Error as error:
            raise NotAccepted(f"{folder / DATABASE}: {error}") from None
        jobs = _check(copy)
        with tarfile.open(packed, "w", dereference=True) as tar:  # no links, which restore refuses
            tar.add(copy, DATABASE)
            # Copied after the database, so that no job of it lacks its certificate.
            for path in sorted((folder / CERTIFICATES).glob("*.zip")):
                tar.add(path, f"{CERTIFICATES}/{path.name}")
        packed.replace(archive)
    return jobs


def restore(archive: Path, folder: Path) -> int:
    """Unpack an archive into a data folder without a job store; return the number of jobs.

    Files get the owner of the folder, if the user may give them away. Raises NotAccepted if the
    folder is in use, or the archive is not a backup, is damaged, or of a newer release.
    """
    if (folder / DATABASE).exists():
        raise NotAccepted(f"{folder}: there is a job store already; move {DATABASE} away first")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as place:
        _unpack(archive, place)
        if not Path(place, DATABASE).exists():
            raise NotAccepted(f"{archive}: it is no backup of a job store; {DATABASE} is missing")
        jobs = _check(Path(place, DATABASE))
        SqliteStore(Path(place)).close()  # brings the tables up to date
        for path in sorted(Path(place, CERTIFICATES).glob("*.zip")):
            _place(path, folder / CERTIFICATES / path.name, folder)
        _place(Path(place, DATABASE), folder / DATABASE, folder)
    return jobs


def _unpack(archive: Path, place: str) -> None:
    """Unpack an archive into an empty folder, if it has nothing but what a backup has."""
    try:
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                file = member.isreg() and _FILE.fullmatch(member.name)
                if not file and not (member.isdir() and member.name in _FOLDERS):
                    name = f"{shown(member.name)}{' is a link' if member.linkname else ''}"
                    raise NotAccepted(
                        f"{archive}: it is no backup of a job store: {name}; allowed are the files "
                        f"{DATABASE} and {CERTIFICATES}/NAME.zip"
                    )
            tar.extractall(place, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise NotAccepted(f"{archive}: {error}") from None


def _check(database: Path) -> int:
    """Check that a database is whole and can be read by this release; return its number of jobs."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            require_known(version)
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise NotAccepted(f"the database is damaged: {found}")
            (jobs,) = connection.execute("SELECT COUNT(*) FROM jobs").fetchone()
    except sqlite3.Error as error:
        raise NotAccepted(f"the database is damaged: {error}") from None
    return int(jobs)


def _place(path: Path, target: Path, folder: Path) -> None:
    """Move a file to its place, and give it and a new folder the owner of the data folder."""
    made = not target.parent.exists()
    target.parent.mkdir(exist_ok=True)
    shutil.move(path, target)
    if os.geteuid() == 0:
        owner = folder.stat()
        for each in (target, *((target.parent,) if made else ())):
            os.chown(each, owner.st_uid, owner.st_gid)
