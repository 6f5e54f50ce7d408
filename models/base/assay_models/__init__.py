"""Models and lexicons of Assay; `assay.extras.find_model` looks here."""

__version__ = "0.2.0"
