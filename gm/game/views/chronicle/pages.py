"""The chronicle as a page: of the public site, and as one HTML file that EXPORT attaches."""

from __future__ import annotations

from gm.game.model.map_attachment import AttachedMap
from gm.game.model.recipient import Recipient
from gm.game.views import notebooks
from gm.game.views.chronicle import sections
from gm.game.views.chronicle.chronicle import Chronicle, chronicle_of
from gm.game.views.turns.turn_events import TurnView
from gm.game.views.turns.turn_summary import ending_words
from gm.language.rendering.site_pages import ChroniclePage
from gm.language.rendering.views import SectionView


def chronicle_file_page(reader: Recipient, chart: AttachedMap | None, board: AttachedMap | None) -> ChroniclePage:
    """Everything that the reader's chronicle holds, in full. The pictures are put in when the letter is handed over."""
    chronicle = chronicle_of(reader)
    return _page(
        reader,
        chronicle,
        chart=f"cid:picture-{chart.picture}" if chart is not None else "",
        board=f"cid:picture-{board.picture}" if board is not None else "",
        more=(*notebooks.sections_by_power(reader, chronicle.notebooks), *sections.press_sections(reader, chronicle)),
    )


def public_chronicle_page(witness: Recipient) -> ChroniclePage:
    """For the site: no notebooks and no press, which were opened to the game alone; names only if the game allows it.

    Pictures are added by whoever writes the site.
    """
    return _page(witness, chronicle_of(witness, named=witness.settings.site_names))


def _page(
    reader: Recipient,
    chronicle: Chronicle,
    chart: str = "",
    board: str = "",
    more: sections.Sections = (),
) -> ChroniclePage:
    scene = TurnView.of(reader, reader.store.turns.snapshot(reader.game.snapshot))
    return ChroniclePage(
        name=reader.game.name,
        title=reader.say("chronicle.title", game=reader.game.name),
        variant=reader.variant.title,
        lead=ending_words(scene),
        first=sections.tables(reader, chronicle),
        chart=chart,
        chart_alt=reader.say("map.alt-chart", phase=reader.game.name),
        map=board,
        map_alt=reader.say("map.alt-board", phase=reader.game.name),
        more=(
            *sections.turning_point_sections(reader, chronicle),
            *sections.secret_sections(reader, chronicle, full=True),
            *_statements(reader, chronicle),
            *more,
        ),
        language=reader.catalogue.language,
    )


def _statements(reader: Recipient, chronicle: Chronicle) -> sections.Sections:
    """The statements below a heading, which a letter with nothing else does not need."""
    spoken = sections.statement_sections(reader, chronicle)
    return (SectionView(reader.say("statements.title"), ()), *spoken) if spoken else ()
