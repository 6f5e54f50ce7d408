"""Models and lexicons of Assay that are too large for its base install; `assay.extras.find_model` looks here."""
