"""Draws the borders that players have moved (Seismic): from the opening board and the changes to the present board."""
