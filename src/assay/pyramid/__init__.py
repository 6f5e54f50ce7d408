"""Content units: which text contains which, and the scores made of them."""
