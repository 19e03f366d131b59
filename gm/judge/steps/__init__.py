"""The steps of a calendar besides movement."""
