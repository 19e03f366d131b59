"""`gm demo` as a newcomer runs it: twice in the same folder, and never over other files."""

from __future__ import annotations

import mailbox
import os
import re
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
    _check_page(folder, page)
    steps = [line for line in run.stdout.splitlines() if re.match(r" ?\d+/\d+ ", line)]
    assert len(steps) == int(steps[0].split()[0].partition("/")[2]), "one line for each step"
    assert len(run.stdout.splitlines()) <= len(steps) + 5, run.stdout
    assert all(len(line) <= 80 for line in steps)


def _check_page(folder: Path, page: str) -> None:
    """Every letter is there with its pictures and the caption of its step; the page opens with results."""
    names = re.findall(r'href="([^"]+)"', page)
    letters = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    assert not [name for name, letter in letters.items() if "cid:" in letter or "src=&quot;http" in letter]
    assert sum("data:image/png;base64," in letter for letter in letters.values()) >= 40
    for step in re.findall(r"<section>.*?</section>", page, re.DOTALL):
        caption = re.search(r"<h2>.*?</h2>", step)
        assert caption is not None
        assert all(caption[0] in letters[name] for name in re.findall(r'href="([^"]+)"', step))
    (opening,) = re.findall(r'href="([^"]+)" aria-current="page"', page)
    assert f'src="{opening}"' in page
    assert "Fall 1901 results" in letters[opening]
    assert "data:image/png" in letters[opening]


def test_demo_refuses_a_folder_with_other_files(tmp_path: Path) -> None:
    folder = tmp_path / "precious"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work", encoding="utf-8")
    run = demo(folder)
    assert run.returncode == 1
    assert "--folder" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert (folder / "thesis.txt").exists()
