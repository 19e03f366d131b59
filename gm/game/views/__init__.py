"""What a reader may know, as values for templates."""
