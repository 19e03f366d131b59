"""The kill test by hand: hundreds of `kill -9` of serving nodes, then everything is counted.

python -m kill --kills 300 --nodes 1                      SQLite: one process, killed and started again
python -m kill --kills 300 --nodes 4 --postgresql         nodes on a PostgreSQL of our own
python -m kill --kills 300 --nodes 4 --database URL       nodes on this one; it must be empty
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from kill.field import Field
from kill.reckoning import Tally, reckon


def run(folder: Path, database: str, nodes: int, kills: int, seed: int, minutes: float = 180) -> Tally:
    field = Field(folder, database, nodes, seed)
    field.open()
    try:
        field.found_games()
        field.play(kills, minutes)
        field.settle()
    finally:
        field.close()
    return reckon(field)


def main() -> None:
    parser = argparse.ArgumentParser(prog="kill", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=180, help="no more kills after so many")
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--database", default="")
    parser.add_argument("--keep", type=Path, help="an empty folder where database and logs stay afterwards")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gm-kill-") as made:
        folder = wanted.keep or Path(made)
        folder.mkdir(exist_ok=True)
        database = wanted.database or str(folder / "gm.sqlite")
        if wanted.postgresql:
            from support.stores.postgresql import needs_postgresql

            database = needs_postgresql()
        print(run(folder, database, wanted.nodes, wanted.kills, wanted.seed, wanted.minutes))


if __name__ == "__main__":
    main()
