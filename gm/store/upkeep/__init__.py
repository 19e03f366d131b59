"""What operators do with all rows: backups, and erasing a person. `gm.store.maintenance` calls it."""
