"""What the manual's pages about a variant's peculiarities are filled in with; asked of its board and its calendar."""

from __future__ import annotations

from gm.desk.reader import Reader
from gm.judge.foretold import Afterwards
from gm.judge.pledges import Pledge
from gm.judge.setup import TASK
from gm.judge.windows import TURN


def help_fields(reader: Reader) -> dict[str, object]:
    """`dips`, `setup`: whether there are any; `foretold`: events are written with the moves; `oceans`: provinces that
    any number of units share, `ocean` the first.
    """
    variant = reader.variant
    shared = [code for code, province in variant.start.board.provinces.items() if province.shared]
    dips = any(Pledge.family in step.also for step in variant.calendar if step.letter == TURN)
    found: dict[str, object] = {
        "dips": dips,
        "foretold": any(isinstance(step, Afterwards) for step in variant.calendar),
        "setup": any(step.grammar == TASK for step in variant.calendar),
        "oceans": reader.every(f"{variant.start.board.provinces[code].name} ({code})" for code in shared),
        "ocean": shared[0] if shared else "",
        "ocean_other": shared[-1] if shared else "",
        "majors": reader.every(one.name for one in variant.powers if one.major),
    }
    return found | ({"points": 0} if dips else {})
