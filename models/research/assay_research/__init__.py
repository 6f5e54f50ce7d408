"""Models of Assay for research only; `assay.extras.find_model` looks here when one of them is named."""

__version__ = "0.2.0"
