"""What the tests of our promises do and look at in a game that has begun."""

from __future__ import annotations

from datetime import UTC, datetime

from support.dialogue import DeskStage, Player, read

DUE = datetime(2026, 3, 8, 20, 0, tzinfo=UTC)

ORDERS = {
    "anna": "A Vie - Gal\nF Tri - Alb\nA Bud - Ser",
    "hannah": "F Edi - NTH\nF Lon - ENG\nA Lvp - Yor",
    "luc": "A Par - Bur\nA Mar - Spa\nF Bre - MAO",
    "tom": "A Mun - Ruh\nA Ber - Kie\nF Kie - Den",
    "chiara": "A Ven - Pie\nA Rom - Apu\nF Nap - ION",
    "irina": "F Sev - BLA\nA Mos - Ukr\nA War - Sil\nF StP/sc - BOT",
    "deniz": "F Ank - Arm\nA Con - Bul\nA Smy - Con",
}


def say(player: Player, who: str, words: str, more: str = "") -> None:
    _, blocks = read(f">> {who} <{who}@example.org>\nReply: ostend\n{more}\n{words}\n")
    player.play(blocks)


def seats_of(stage: DeskStage) -> dict[str, str]:
    """Address -> power."""
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        return {
            store.people.get(seat.person).addresses[0]: seat.power
            for seat in store.games.seats(game.id)
            if seat.person is not None
        }


def snapshots(stage: DeskStage) -> int:
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        return len(store.turns.snapshots(game.id))


def sheet_lines(stage: DeskStage, power: str) -> tuple[str, ...]:
    with stage.transaction() as store:
        game = store.games.by_name("ostend")
        assert game
        sheet = store.turns.sheet(game.id, game.snapshot, power, power)
        return tuple(line.text for line in sheet.lines) if sheet else ()
