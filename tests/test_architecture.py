"""The table of the README, enforced: who may import whom, what the rules may not touch, house measures."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "gm").rglob("*.py"))
RULES = sorted((ROOT / "variants").rglob("*.py"))
VARIANTS = {p.parent.name for p in (ROOT / "variants").glob("*/variant.toml")}

VALUES = {"msgspec"}
"""What values are made with, everywhere."""

# A room may import from itself, from the standard library, what values are made with, and from these.
MAY_IMPORT = {
    "judge": set(),
    "text": {"judge", "resources", "lark", "jinja2", "markupsafe", "rapidfuzz"},
    "desk": {"judge", "text", "structlog"},
    "store": {"judge", "text", "desk", "resources", "sqlalchemy", "alembic", "structlog"},
    "mail": {"desk", "settings", "imapclient", "aiosmtpd", "selectolax", "structlog"},
    "library": {"judge", "text", "desk", "resources"},
    "survey": {"judge", "desk", "library", "resources", "numpy", "scipy", "shapely", "yaml", "PIL"},
    "chart": {"judge", "numpy", "PIL", "resvg_py", "shapely"},
    "charting": {"judge", "text", "desk", "library", "adjudicating", "chart", "quakes", "resources"},
    "quakes": {"judge", "text", "chart"},
    "painting": {"desk", "library", "charting", "structlog"},
    "publishing": {"desk", "text", "charting"},
    "checking": {"judge", "desk", "library", "chart", "survey"},
    "settings": {"desk", "pydantic", "pydantic_settings"},
    "resources": set(),
    "crew": set(),
    "adjudicating": {"judge", "text", "library", "desk", "resources"},
}
NOT_IN_JUDGE = {"time", "datetime", "random", "secrets", "os", "pathlib", "io", "logging", "socket", "subprocess"}
ANYTHING_GOES = {"__init__", "__main__", "wiring", "serving", "setup", "reading", "logs", "demo", "operating"}


def room(path: Path) -> str:
    return path.relative_to(ROOT / "gm").parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The top-level names a module imports: a package, or the room of gm it reaches into."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names = [f"gm.{a.name}" for a in node.names] if module == "gm" else [module]
        for name in names:
            parts = name.split(".")
            found.add(parts[1] if parts[0] == "gm" and len(parts) > 1 else parts[0])
    return found - {"__future__"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    here = room(path)
    if here in ANYTHING_GOES:
        return
    outside = {name for name in imported(path) if name not in sys.stdlib_module_names | VALUES | {here}}
    assert outside <= MAY_IMPORT[here], f"{here} may not import {sorted(outside - MAY_IMPORT[here])}"
    if here == "judge":
        assert not imported(path) & NOT_IN_JUDGE
    if here not in ("mail",):
        assert not imported(path) & {"socket", "email", "smtplib", "imaplib"}, f"{here} is no place for mail"


def test_a_variants_rules_import_the_judge_only() -> None:
    for path in RULES:
        assert {n for n in imported(path) if n not in sys.stdlib_module_names} <= {"judge"} | VALUES, path


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_module_names_a_variant_or_opens_files_in_the_judge(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert node.value not in VARIANTS, f"{path}:{node.lineno} names the variant {node.value}"
        if room(path) == "judge" and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "open", f"{path}:{node.lineno} opens a file"


@pytest.mark.parametrize("path", FILES + RULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_house_measures(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 500
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{path} does not say what it is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= 60, f"{path}:{node.lineno} {node.name} has {length} lines"


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {d.split(">")[0].split("[")[0].replace("-", "_") for d in project["dependencies"]} - {"tzdata"}
    named = {"PIL" if name == "pillow" else name for name in named}
    used = set().union(*(imported(path) for path in FILES))
    assert named <= used, f"unused: {sorted(named - used)}"
