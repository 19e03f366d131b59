"""Prepares a copy of the sources for a package registry: absolute links in the README, URLs in pyproject.toml.

    python release_links.py FOLDER https://github.com/you/gm-by-mail

A registry shows the README without the files beside it, so relative links and pictures would be broken there. Links
lead to the tag of the version.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?://|#|mailto:)([^)\s]+)\)")
REPOSITORY = re.compile(r"https://[\w.-]+/[\w./-]*\w")
URLS = """
[project.urls]
Homepage = "{repository}"
Source = "{repository}"
Issues = "{repository}/issues"
Documentation = "{repository}/blob/{tag}/deploy/README.md"
Changelog = "{repository}/blob/{tag}/CHANGELOG.md"
"""


def prepare_release(folder: Path, repository: str) -> None:
    """Rewrites README.md and pyproject.toml in the folder. Raises ValueError for an address that is no repository's."""
    if not REPOSITORY.fullmatch(repository):
        raise ValueError(f"{repository!r} is not the address of a repository like https://github.com/you/gm-by-mail")
    project = folder / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    tag = f"v{tomllib.loads(text)['project']['version']}"
    project.write_text(text + URLS.format(repository=repository, tag=tag), encoding="utf-8")
    readme = folder / "README.md"
    readme.write_text(_make_absolute(readme.read_text(encoding="utf-8"), repository, tag), encoding="utf-8")


def _make_absolute(text: str, repository: str, tag: str) -> str:
    def absolute(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        return f"{picture}{words}({repository}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return LINK.sub(absolute, text)


if __name__ == "__main__":
    try:
        prepare_release(Path(sys.argv[1]), sys.argv[2])
    except ValueError as error:
        sys.exit(str(error))
