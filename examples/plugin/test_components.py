"""The tests of the package: the checks that Assay runs on its own components."""

from assay_example.equal import Equal
from assay_example.every_second import EverySecond
from assay_example.same_start import SameStart
from assay_example.tab_pairs import TabPairs

from assay.testing import check_format, check_learner, check_metric, check_system


def test_components():
    check_metric(SameStart)
    check_format(TabPairs)
    check_system(EverySecond)
    check_learner(Equal)


def test_the_share_of_the_reference():
    assert SameStart()("the cat sat", ["the cat slept on"]) == 2 / 4
