"""What a release needs: metadata, links that work on a registry's page, and both names of the command."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from support.paths import ROOT

from gm import __version__

REPOSITORY = "https://github.com/example/gm-by-mail"


def prepare(folder: Path, repository: str = REPOSITORY) -> None:
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    spec = importlib.util.spec_from_file_location("release_links", ROOT / "deploy" / "release_links.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.prepare_release(folder, repository)


def test_a_registry_shows_no_broken_link(tmp_path: Path) -> None:
    prepare(tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert f"]({REPOSITORY}/raw/v{__version__}/variants/pictures/standard.png)" in text
    for path in re.findall(rf"{REPOSITORY}/(?:blob|raw)/v{re.escape(__version__)}/([^)#]+)", text):
        assert (ROOT / path).exists(), path


def test_the_project_describes_itself(tmp_path: Path) -> None:
    prepare(tmp_path)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
    assert project["authors"]
    assert project["urls"]["Source"] == REPOSITORY
    assert set(project["scripts"]) == {"gm", "gm-by-mail"}
    assert len(set(project["scripts"].values())) == 1


@pytest.mark.parametrize("wrong", ["", "gm-by-mail", "http://github.com/x/y", 'https://x.org/"y'])
def test_an_address_that_is_no_repository_is_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a repository"):
        prepare(tmp_path, wrong)


def test_drawing_needs_nothing_that_only_map_making_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = {re.split(r"[^\w-]", name)[0] for name in project["dependencies"]}
    folders = [folder for folder in (ROOT / "gm").iterdir() if folder.is_dir() and folder.name != "maps"]
    drawing = [ROOT / "gm" / "maps" / "drawing", ROOT / "gm" / "maps" / "redrawing", *folders]
    text = "".join(path.read_text(encoding="utf-8") for folder in drawing for path in folder.rglob("*.py"))
    imports = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
    assert not {"scipy", "yaml"} & (imports | base)
    assert {"numpy", "shapely", "PIL"} <= imports, "then they can move to the extra"
