"""Views of mechanics that some variants have."""
