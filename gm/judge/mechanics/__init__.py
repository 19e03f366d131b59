"""Rules that some variants have beyond movement, retreats and adjustments."""
