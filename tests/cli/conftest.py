"""An installation as `gm init` has left it, for tests of commands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.processes.warm_process import GM, run_cold


@pytest.fixture(scope="session")
def first_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    done = run_cold(GM, "init", "--address", "gm@example.org", "--master", "ruth@example.org", folder=folder)
    assert done.returncode == 0, done.stderr.decode()
    return folder


@pytest.fixture
def home(first_home: Path, tmp_path: Path) -> Path:
    """A folder of its own, as `gm init` has left it."""
    shutil.copytree(first_home, tmp_path, dirs_exist_ok=True)
    settings = (tmp_path / "gm.toml").read_text(encoding="utf-8").replace(str(first_home), str(tmp_path))
    (tmp_path / "gm.toml").write_text(settings, encoding="utf-8")
    return tmp_path
