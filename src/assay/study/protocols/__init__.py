"""Protocols: what raters are asked. One file each; the folder is the list of them."""

from __future__ import annotations

from ...component import Folder
from ._protocol import Protocol

PROTOCOLS = Folder(__name__, Protocol, kind="protocol", example="rate(reveal=true)")
__all__ = ["PROTOCOLS", "Protocol"]
