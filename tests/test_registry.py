"""Registry: every service has a provider with what its users call."""

from __future__ import annotations

import subprocess
import sys

from assay.registry import PROVIDERS, provider


def test_the_display_shows_results():
    assert set(PROVIDERS) == {"display"}
    for name in ("make_view", "draw_text", "draw_html", "draw_html_table", "draw_chart_page"):
        assert callable(getattr(provider("display"), name))


def test_a_provider_is_imported_when_it_is_asked_for():
    code = "import sys, assay.data.result; print('assay.views' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
