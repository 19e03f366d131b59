"""Draws a position and its orders: MapScene -> SVG (`draw_map`) -> PNG (`svg_to_png`)."""
