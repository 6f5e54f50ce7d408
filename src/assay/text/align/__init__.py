"""Word alignment: of a bitext, and of two texts in one language."""
