"""Compound splitting with a lexicon, a model and a guesser."""
