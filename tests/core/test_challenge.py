"""The names of the reference toolkit."""

import pytest

from core.challenge import challenge_names
from core.comparison import Group
from core.project import Condition


@pytest.mark.parametrize(
    ("dataset", "condition", "name"),
    [
        ("libri_f", Condition.OO, "libri-o-o-f"),
        ("libri_test_trials_m", Condition.OP, "libri-o-a-m"),
        ("vctk_f_common", Condition.PP, "vctk_common-a-a-f"),
        ("vctk_test_trials_m_common", Condition.PP, "vctk_common-a-a-m"),
        ("libri_dev_f", Condition.PP, "libri_dev-a-a-f"),
        ("mixed", Condition.PP, "mixed-a-a"),
        ("", Condition.OP, "o-a"),
        ("", None, ""),
    ],
)
def test_a_group_is_called_as_in_the_toolkits_figures(
    dataset: str, condition: Condition | None, name: str
) -> None:
    assert str(challenge_names(Group(dataset, condition, "ignorant"))) == name
