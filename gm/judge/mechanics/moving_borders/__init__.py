"""Players who move borders (Seismic)."""
