"""Networks that label or write words: the tagger, seq2seq and namas, in NumPy."""
