"""`gm demo` as a newcomer runs it: twice in the same folder, and never over other files."""

from __future__ import annotations

import mailbox
import os
import subprocess
import sys
from pathlib import Path


def demo(folder: Path, *words: str, maps: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gm", "demo", "--folder", str(folder), *words],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **({} if maps else {"GM_MAP_WAIT_SECONDS": "0"})},
        check=False,
    )


def test_demo_plays_a_year_twice(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    for maps in (False, True):
        run = demo(folder, maps=maps)
        assert run.returncode == 0, run.stdout + run.stderr
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Spring 1902" in run.stdout or "S1902M" in page
    assert str(folder / "index.html") in run.stdout
    boxes = {path.name: mailbox.Maildir(path) for path in (folder / "maildirs").iterdir()}
    assert len(boxes) == 8
    subjects = [str(message["Subject"]) for message in boxes["luc@marchand.example"]]
    for expected in ("You are France", "Spring 1901 results", "Fall 1901 results", "must retreat"):
        assert any(expected in subject for subject in subjects), subjects
    shown = [part.get_filename() for message in boxes["luc@marchand.example"] for part in message.walk()]
    assert any(name and name.endswith("-F1901M.png") for name in shown), shown
    for name in page.split('href="')[1:]:
        assert (folder / name.split('"')[0]).is_file()


def test_demo_refuses_a_folder_with_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work", encoding="utf-8")
    run = demo(folder, "--quiet")
    assert run.returncode == 1
    assert "--folder" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert (folder / "thesis.txt").exists()
