"""Foreign programs that a test wants on this machine."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

ELSEWHERE = "/usr/sbin:/usr/local/sbin"


def program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=ELSEWHERE)


def needs(name: str, package: str) -> str:
    """Where the program is; without it the test is skipped, or fails where that is forbidden (as in CI)."""
    path = program(name)
    if path is None:
        unavailable(f"there is no {name} here (apt-get install {package})")
    return path


def unavailable(why: str) -> NoReturn:
    if os.environ.get("GM_NO_SKIPS") == "1":
        pytest.fail(f"{why}, and GM_NO_SKIPS=1 forbids skipping")
    pytest.skip(why)
