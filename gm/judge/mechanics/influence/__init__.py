"""Influence Points, bids and control of minor powers (Europe 1933)."""
