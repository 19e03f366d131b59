"""`gm demo` as a newcomer runs it: twice in the same folder, and never over other files."""

from __future__ import annotations

import mailbox
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from support.paths import ROOT


def _run(words: list[str], folder: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Python in a folder; `path` comes first on its path."""
    env = os.environ | ({"PYTHONPATH": path} if path else {})
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False
    )


def demo(folder: Path) -> subprocess.CompletedProcess[str]:
    return _run(["-m", "gm", "demo", "--folder", str(folder)], folder.parent)


def build_wheel(folder: Path) -> Path:
    """What people install: one wheel that holds the data folders inside the package. Returns where it is unpacked."""
    built = _run(["-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"gm"}
    return folder / "site"


def test_demo_plays_a_year_twice(tmp_path: Path) -> None:
    """First from the wheel, which works without the checkout; then from the checkout in the same folder."""
    site, folder = str(build_wheel(tmp_path)), tmp_path / "demo-mail"
    run = _run(["-c", "import gm, gm.__main__ as m; print(gm.__file__); m.main(['demo'])"], tmp_path, site)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith(site)
    _check_letters(folder, run.stdout.partition("\n")[2])
    (folder / "maildirs" / "luc@marchand.example" / "new" / "left-over").write_text("Subject: an old letter\n\n")
    run = demo(folder)
    assert run.returncode == 0, run.stdout + run.stderr
    _check_letters(folder, run.stdout)


def _check_letters(folder: Path, shown_lines: str) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "Spring 1902" in shown_lines or "S1902M" in page
    assert str(folder / "index.html") in shown_lines
    boxes = {path.name: mailbox.Maildir(path) for path in (folder / "maildirs").iterdir()}
    assert len(boxes) == 8
    subjects = [str(message["Subject"]) for message in boxes["luc@marchand.example"]]
    for expected in ("You are France", "Spring 1901 results", "Fall 1901 results", "must retreat"):
        assert any(expected in subject for subject in subjects), subjects
    assert "an old letter" not in subjects
    shown = [part.get_filename() for message in boxes["luc@marchand.example"] for part in message.walk()]
    assert any(name and name.endswith("-F1901M.png") for name in shown), shown
    _check_page(folder, page)
    steps = [line for line in shown_lines.splitlines() if re.match(r" ?\d+/\d+ ", line)]
    assert len(steps) == int(steps[0].split()[0].partition("/")[2]), "one line for each step"
    assert len(shown_lines.splitlines()) <= len(steps) + 5, shown_lines
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
