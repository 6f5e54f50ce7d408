"""What people see: tables, and later figures and the page."""

from .table import Column, table

__all__ = ["Column", "table"]
