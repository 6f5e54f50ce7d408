"""Helpers of these tests are found next to them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
