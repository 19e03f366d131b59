"""Wings: units of the air, on a second board above the first.

`AirMoves` is the movement phase with them, `AirRetreats` the retreats, `BaseCheck` the step after a census in which
wings lose their bases; `with_air` lays the second board over the first. The adjudicator knows nothing of them: layers,
borders, weights in half units, backings, spoiled supports and barred moves are all it is told.
"""

from gm.judge.wings.doctrine import Doctrine
from gm.judge.wings.orders import Bomb, Intercept
from gm.judge.wings.phase import AirMoves
from gm.judge.wings.retreats import AirRetreats, BaseCheck
from gm.judge.wings.sky import with_air

__all__ = ["AirMoves", "AirRetreats", "BaseCheck", "Bomb", "Doctrine", "Intercept", "with_air"]
