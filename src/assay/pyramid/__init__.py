"""Content units: which text holds which, and the scores made of them."""
