"""Files of listening tests are no scores: they are told what to do with, or lie beside what was dropped."""

import pytest

from zebra_core.intake.sorting.plan import plan


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("L01.zebra-listening", "L01.zebra-listening is a listening test. To take it, open it on its own"),
        (
            "L01.zebra-answers",
            "L01.zebra-answers holds the answers of a listener. Drop it on the window with the plan",
        ),
    ],
)
def test_what_to_do_with_them_is_told_and_beside_others_nothing(tmp_path, name, sentence):
    path = tmp_path / name
    path.write_bytes(b"PK\x03\x04")
    [problem] = plan([path]).problems
    assert str(problem.error).startswith(sentence)
    assert plan([tmp_path]).problems == ()
