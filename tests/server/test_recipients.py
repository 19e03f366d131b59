"""Which recipients are ours: by the address alone where that settles it, else by the games there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from support.stores.migrated_database import migrate

from gm.config import Config, Secret
from gm.server.wiring import Application, assemble

TOKEN = "k7f3qm2xw9hd4tzp5sanb8vcye"  # a secret's form; it opens nothing


def app(folder: Path, addresses: Literal["plus", "domain"]) -> Iterator[Application]:
    made = assemble(
        Config(
            address="gm@gm.example",
            addresses=addresses,
            database=str(folder / "gm.sqlite"),
            secret=Secret("a secret that is only good for testing"),
        )
    )
    migrate(made)
    yield made
    made.database.close()


@pytest.fixture
def plus(tmp_path: Path) -> Iterator[Application]:
    yield from app(tmp_path, "plus")


@pytest.fixture
def domain(tmp_path: Path) -> Iterator[Application]:
    yield from app(tmp_path, "domain")


@pytest.mark.parametrize(
    ("address", "ours"),
    [
        ("gm@gm.example", True),
        (f"gm+ostend.{TOKEN}@gm.example", True),
        ("GM@GM.example", True),
        ("nobody@gm.example", False),
        ("gm@elsewhere.example", False),
    ],
)
def test_one_mailbox_is_known_by_the_address_alone(plus: Application, address: str, ours: bool) -> None:
    assert plus.recognises(address) is ours
    assert plus.is_known(address) is ours


@pytest.mark.parametrize(
    ("address", "recognised", "known"),
    [
        ("gm@gm.example", True, True),
        ("gm+bounce.abc@gm.example", True, True),
        ("gm@elsewhere.example", False, False),
        ("ostend@gm.example", None, False),
        (f"ostend+france.{TOKEN}@gm.example", None, False),
    ],
)
def test_of_a_whole_domain_a_game_has_to_be_looked_for(
    domain: Application, address: str, recognised: bool | None, known: bool
) -> None:
    assert domain.recognises(address) is recognised
    assert domain.is_known(address) is known
