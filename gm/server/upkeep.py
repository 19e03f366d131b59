"""Keeps the database in order: releases what a killed server held, deletes what is too old."""

from __future__ import annotations

from gm.server.short_lived import EVENT_DAYS
from gm.server.wiring import Application
from gm.store.maintenance import StoreMaintenance
from gm.store.upkeep import retention


def release_leases(app: Application) -> None:
    """Releases letters and maps that a killed server had leased: they go again at once, same Message-ID."""
    if app.database.sole:
        with app.database.transaction() as store:
            store.outbox.end_leases()
            store.pictures.end_leases()


def delete_old(app: Application) -> None:
    maintenance, settings = StoreMaintenance(app.database), app.settings
    maintenance.delete_old(retention.empty_letters, settings.keep_letters_days)
    maintenance.delete_old(retention.empty_sent_letters, settings.keep_letters_days)
    maintenance.delete_old(retention.remove_pictures, settings.keep_maps_days)
    maintenance.delete_old(retention.remove_events, EVENT_DAYS)
