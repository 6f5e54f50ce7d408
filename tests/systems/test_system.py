"""System: patterns are refused by systems that do not obey them, and where they are not regular expressions."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.systems.compress import COMPRESSORS
from assay.systems.system import check_patterns


def test_a_system_that_obeys_patterns_takes_them():
    check_patterns(COMPRESSORS.build("ilp"), ["cat"], COMPRESSORS)
    check_patterns(COMPRESSORS.build("lead"), [], COMPRESSORS)


def test_others_name_the_systems_that_do():
    with pytest.raises(InputError, match="lead does not keep or drop words by pattern; these do: edit, ilp"):
        check_patterns(COMPRESSORS.build("lead"), ["cat"], COMPRESSORS)
    with pytest.raises(InputError, match="is not a regular expression"):
        check_patterns(COMPRESSORS.build("ilp"), ["("], COMPRESSORS)
