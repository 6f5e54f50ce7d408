"""What is known of words: senses, synonyms, numbers."""
