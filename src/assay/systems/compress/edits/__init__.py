"""Edits other than deletion: short forms, inflections, replacements, and the text they make."""
