"""The order of floors and folders, enforced: who may import whom, what the judge may not touch, sizes and names."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from support.paths import ROOT

GM = ROOT / "gm"
FILES = sorted(GM.rglob("*.py"))
VARIANT_RULES = sorted((ROOT / "variants").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
VARIANTS = {path.parent.name for path in (ROOT / "variants").glob("*/variant.toml")}

# The house from top to bottom. A place imports only places that stand below it; places on one line do not know each
# other. A place is a folder or a file directly under gm/.
HOUSE = """
    __main__
    demo
    server
    cli
    mail store maps
    config
    variant_files
    game
    language
    judge
    errors findings kept_property rare_lines resources setting_errors
"""

# The folders of each floor, the same way. "." is what stands directly in the floor's folder.
FLOORS = {
    "judge": "gm_changes > mechanics > steps > movement > model > board",
    "language": "letter formats > prose > commands > orders > orders/sheets > orders/parsing > rendering > "
    "dates lines > i18n",
    "game": "clock > intake > commands > players votes > turns > press deadlines orders > proposals > session > letters"
    " > identity > views > phase > model",
}

PACKAGES = {
    "__main__": {"click", "structlog"},
    "demo": {"aiosmtpd", "click", "jinja2"},
    "server": {"apscheduler", "structlog", "prometheus_client", "sqlalchemy", "click"},
    "cli": {"jinja2", "click"},
    "mail": {"imapclient", "aiosmtpd", "dkim", "dns", "publicsuffixlist", "selectolax", "structlog"},
    "store": {"sqlalchemy", "alembic", "structlog", "psycopg"},
    "maps": {"numpy", "scipy", "shapely", "yaml", "PIL", "resvg_py", "click"},
    "game": {"structlog"},
    "language": {"lark", "jinja2", "markupsafe", "rapidfuzz"},
}
"""Packages from outside that a place may import, besides the standard library and msgspec."""

NOT_IN_JUDGE = {"time", "datetime", "random", "secrets", "os", "pathlib", "io", "logging", "socket", "subprocess"}
MAIL_MODULES = {"socket", "email", "smtplib", "imaplib"}
MAY_SPEAK_MAIL = {"mail", "demo", "server"}
MOST_FILES, MOST_LINES, MOST_FUNCTION_LINES = 25, 500, 60


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in FILES}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


@cache
def imported(path: Path) -> frozenset[str]:
    """Dotted names of all that a file imports, imports for type checkers and in functions included."""
    names: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                names.add(full if full in MODULES else str(node.module))
    return frozenset(names - {"__future__"})


def place_of(module: str) -> str:
    return module.split(".")[1] if module.count(".") else "gm"


def ranks(order: str, between: str) -> dict[str, int]:
    """Name -> how high it stands."""
    rows = [row.split() for row in order.strip().split(between) if row.strip()]
    return {name: len(rows) - index for index, row in enumerate(rows) for name in row}


HOUSE_RANKS = ranks(HOUSE, "\n")
FLOOR_RANKS = {floor: ranks(order, ">") for floor, order in FLOORS.items()}


def folder_on(floor: str, module: str) -> str:
    """The folder of FLOORS in which a module stands, the longest that fits; "" for what stands in the floor itself."""
    inner = MODULES[module].parent.relative_to(GM / floor).as_posix()
    fits = [name for name in FLOOR_RANKS[floor] if inner == name or inner.startswith(f"{name}/")]
    return max(fits, key=len, default="")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_the_house(path: Path) -> None:
    here = place_of(module_name(path))
    for name in imported(path):
        there = place_of(name)
        if name.split(".")[0] != "gm" or there in (here, "gm") or here == "gm":
            continue
        assert HOUSE_RANKS[there] < HOUSE_RANKS[here], f"{here} may not import {name}"


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_go_down_the_folders_of_a_floor(floor: str) -> None:
    order, wrong = FLOOR_RANKS[floor], []
    for module, path in MODULES.items():
        if not module.startswith(f"gm.{floor}."):
            continue
        here = folder_on(floor, module)
        for name in imported(path):
            if name.startswith(f"gm.{floor}.") and name in MODULES:
                there = folder_on(floor, name)
                if there != here and order[there] >= order[here]:
                    wrong.append(f"{module} may not import {name}")
    assert wrong == []


def test_no_imports_go_in_a_circle() -> None:
    after: dict[str, set[str]] = {m: {n for n in imported(p) if n in MODULES and n != m} for m, p in MODULES.items()}
    while free := {module for module, needs in after.items() if not needs & after.keys()}:
        for module in free:
            del after[module]
    assert after == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_packages_from_outside_stay_in_their_place(path: Path) -> None:
    here = place_of(module_name(path))
    top = {name.split(".")[0] for name in imported(path)} - {"gm", "msgspec"}
    assert top - sys.stdlib_module_names <= PACKAGES.get(here, set())
    if here == "judge":
        assert not top & NOT_IN_JUDGE
    if here not in MAY_SPEAK_MAIL:
        assert not top & MAIL_MODULES


def test_rules_of_a_variant_import_the_judge_alone() -> None:
    for path in VARIANT_RULES:
        names = {name for name in imported(path) if name.split(".")[0] not in sys.stdlib_module_names | {"msgspec"}}
        assert {place_of(name) for name in names} <= {"judge"}, path


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_names_a_variant_and_the_judge_opens_no_file(path: Path) -> None:
    for node in nodes_of(path):
        if isinstance(node, ast.Constant):
            assert node.value not in VARIANTS, f"{path}:{node.lineno} names the variant {node.value}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and "judge" in path.parts:
            assert node.func.id != "open", f"{path}:{node.lineno} opens a file"


@pytest.mark.parametrize("path", FILES + VARIANT_RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sizes_of_files_and_functions(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= MOST_LINES
    assert ast.get_docstring(tree_of(path)), f"{path} does not say what it is for"
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MOST_FUNCTION_LINES, f"{path}:{node.lineno} {node.name} has {length} lines"


def test_sizes_of_tests() -> None:
    long = [str(path.relative_to(ROOT)) for path in TESTS if path.read_text(encoding="utf-8").count("\n") > MOST_LINES]
    assert long == []


def test_sizes_of_folders() -> None:
    counts: dict[Path, int] = defaultdict(int)
    for path in FILES + TESTS:
        counts[path.parent.relative_to(ROOT)] += 1
    assert {str(folder): count for folder, count in counts.items() if count > MOST_FILES} == {}


def test_nothing_but_this_and_conftest_stands_at_the_root_of_tests() -> None:
    files = {path.name for path in (ROOT / "tests").iterdir() if path.is_file()}
    assert files == {"README.md", "conftest.py", "test_architecture.py"}


def test_a_public_class_name_is_there_once() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for module, path in MODULES.items():
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


EMPTY_NAMES = {"one", "found", "told", "said"}
HE = re.compile(r"\b(he|his|him|himself)\b", re.IGNORECASE)


@pytest.mark.parametrize("path", FILES + VARIANT_RULES + TESTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_locals_parameters_and_functions_say_what_they_are(path: Path) -> None:
    """Fields of classes may be stored under their name and are left out."""
    fields: set[int] = set()
    wrong = []
    for node in nodes_of(path):  # a class comes before its fields
        if isinstance(node, ast.ClassDef):
            fields |= {id(statement.target) for statement in node.body if isinstance(statement, ast.AnnAssign)}
        name = ""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            name = node.id
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ExceptHandler | ast.MatchAs):
            name = node.name or ""
        if name in EMPTY_NAMES:
            wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
    assert wrong == []


def test_a_player_is_called_they() -> None:
    """In code and in English letters. Two files hold words that people write into letters."""
    texts = {*FILES, *VARIANT_RULES, *ROOT.glob("*.md"), *(ROOT / "variants").rglob("*.md")}
    texts |= {*(ROOT / "templates/sentences/en").glob("*.toml"), *(ROOT / "templates/help/en").glob("*.j2")}
    texts -= {GM / "language/commands/deadlines.py", GM / "language/commands/players.py"}
    wrong = []
    for path in sorted(texts):
        lines = path.read_text(encoding="utf-8").split("\n")
        wrong += [f"{path.relative_to(ROOT)}:{number}" for number, line in enumerate(lines, 1) if HE.search(line)]
    assert wrong == []


def test_migrations_are_one_chain_in_the_order_of_their_files() -> None:
    """Two that were written side by side have the same number: the later one gets the next."""
    files = sorted((ROOT / "migrations" / "versions").glob("*.py"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    revisions = [re.findall(r'^(?:down_)?revision = "?(\w+)"?$', text, re.MULTILINE) for text in texts]
    numbers = [file.name.partition("_")[0] for file in files]
    assert revisions == [[own, before] for own, before in zip(numbers, ["None", *numbers], strict=False)]


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {line.split(">")[0].split("[")[0].replace("-", "_") for line in project["dependencies"]} - {"tzdata"}
    named = {{"pillow": "PIL", "dkimpy": "dkim", "dnspython": "dns"}.get(name, name) for name in named}
    used = {name.split(".")[0] for path in FILES for name in imported(path)}
    assert named <= used, f"unused: {sorted(named - used)}"
