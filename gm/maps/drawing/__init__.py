"""Maps: a position and what happened in it -> SVG -> PNG. Reads the judge's values and nothing else of the project.

    scene = Scene(geometry, variant, position, palette(variant, pinned), results, title="Fall 1901", words=words)
    svg = draw(scene)
    png = paint(svg)

Where players move borders, `shifted` gives the geometry that the picture is drawn on, or raises Unfollowed: then the
picture is drawn on the board as it was, with `notes` that say in words what has changed.

Read in this order: geometry (the drawn board), palette, scene, drawing (the layers), then the layers themselves.
"""
