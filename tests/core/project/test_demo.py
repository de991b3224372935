"""The demo has assessments, and the similarity matrices of two of its safeguards."""

import pytest

from zebra_core.project.demo import demo_project


def test_matrices_have_the_colours_of_their_safeguards_and_known_figures() -> None:
    project = demo_project()
    assert [entry.name for entry in project.entries] == ["unprotected", "B1w", "B2", "B2r"]
    assert [(one.name, one.colour) for one in project.similarities] == [("B1w", 0), ("B2", 1)]
    voices = [one.similarity for one in project.similarities]
    # DeID by an independent implementation, published with the data in four decimals.
    assert [one.de_id for one in voices] == pytest.approx([0.9183, 0.6348], abs=5.1e-5)
    assert [len(one.speakers) for one in voices] == [63, 63]
    assert set(voices[0].sex.values()) == {"f"}
