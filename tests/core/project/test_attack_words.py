"""What is said of the attack on several assessments at once, where nobody has said it before."""

from dataclasses import replace

import pytest

from tests.core.samples import demo_assessments
from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.project.attack_words import LONGEST, AttackWords, lacking


def test_it_is_said_of_protected_speech_alone_and_replaces_nothing() -> None:
    project = demo_assessments()
    project = project.replacing(replace(project.entries[1], attacker="ignorant", back_end="cosine"))
    found = AttackWords(attacker="semi-informed", recogniser="ECAPA", back_end="PLDA").said_in(project)
    assert [entry.attacker for entry in found.entries] == ["", "ignorant", "semi-informed", "semi-informed"]
    assert [entry.back_end for entry in found.entries] == ["PLDA", "cosine", "PLDA", "PLDA"]
    assert {entry.recogniser for entry in found.entries} == {"ECAPA"}
    assert lacking(project.items) == {"attacker": 2, "recogniser": 4, "back_end": 3}
    assert lacking(found.items) == dict.fromkeys(ATTACK, 0)


def test_where_nothing_is_said_the_project_is_the_same() -> None:
    project = demo_assessments()
    assert AttackWords().said_in(project) is project
    item = project.entries[0]
    assert AttackWords(attacker="ignorant").said_of(item) is item


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Lazy informed", "lazy-informed"),
        (" fully-informed ", "fully informed"),
        ("SEMI_INFORMED", "semi-informed"),
        ("knows the pitch", "knows the pitch"),
        ("", ""),
    ],
)
def test_words_of_the_evaluations_are_known_however_they_are_typed(typed: str, meant: str) -> None:
    assert AttackWords.typed(attacker=typed).attacker == meant


def test_what_is_too_long_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="The back end is longer than 200 characters"):
        AttackWords.typed(back_end="x" * (LONGEST + 1))
