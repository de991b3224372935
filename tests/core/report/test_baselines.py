"""A project held against an earlier one: who is compared, by what, and what of then is believed."""

import datetime as dt
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.project.comparison.difference_tests import with_certainty
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.since import changes
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.report.attachment import read_evidence
from zebra_core.report.baselines import held_against
from zebra_core.report.content.comparing import lines
from zebra_core.report.export import save_report
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.wording.texts import speaking

EARLIER = Path(__file__).parents[2] / "data" / "earlier"
REQUIRED = Requirement("Little on average", "d_ece_bits", 0.5)


def written(top, shift, seed, who, safeguards=("B2",)):
    """Scores of a key in the layout of the evaluations: a mean of 3 for originals, of `shift` under each."""
    rng = np.random.default_rng(seed)
    people = [f"p{n:02}" for n in who]
    pairs = [(one, f"{who}-{k}", one == who) for one in people for who in people for k in range(3)]
    names = {"libri_enrolls-libri_trials": 3.0}
    names |= {f"libri_enrolls_{one}-libri_trials_{one}": shift for one in safeguards}
    for name, mean in names.items():
        folder = top / "exp" / "asv_orig" / "cosine" / name
        folder.mkdir(parents=True)
        rows = (f"{a} {b} {rng.normal(mean * same, 1.0):.4f}\n" for a, b, same in pairs)
        (folder / "scores").write_text("".join(rows))
    data = top / "data" / "libri_trials"
    data.mkdir(parents=True)
    labels = (f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in pairs)
    (data / "trials").write_text("".join(labels))
    (data / "utt2spk").write_text("".join(f"{b} {b[:3]}\n" for b in dict.fromkeys(b for _, b, _ in pairs)))
    return top


def measured(top):
    found = project_of_folder(top).project.requiring(REQUIRED)
    return with_certainty(found, BootstrapSettings(200))[0]


@pytest.fixture(scope="module")
def now(tmp_path_factory):
    return measured(written(tmp_path_factory.mktemp("now") / "now", 4.0, 7, range(14)))


@pytest.fixture(scope="module")
def then(tmp_path_factory):
    """A project of the same people, under a safeguard that gave away less."""
    top = tmp_path_factory.mktemp("then")
    project = measured(written(top / "then", 0.5, 8, range(14)))
    return save_project(project, top / "then.zebra", with_inputs=True).path


def since(project, path, **how):
    held = held_against(project, path, **how)
    return held, changes(held, verdicts(held))


def test_a_change_that_is_more_than_chance_is_told_with_both_figures(now, then):
    held, found = since(now, then)

    assert {one.entry.own_name: one.code for one in found.attacks}["unprotected"] == "same"
    assert {one.code for one in found.attacks if one.entry.own_name != "unprotected"} == {"more"}
    assert "than chance explains" in found.front
    assert "Nobody has said that the same names are the same people" in lines(found)
    assert held.since.looks == 1


def test_people_are_drawn_for_both_only_where_the_user_says_so(now, then, tmp_path):
    other = measured(written(tmp_path / "partly", 4.0, 9, range(10, 24)))

    apart, together = since(now, then)[1], since(now, then, is_same_people=True)[1]
    partly = since(other, then, is_same_people=True)[1]

    assert all(one.then.paired is None for one in apart.attacks)
    assert {one.then.paired.shared for one in together.attacks} == {14}
    assert {one.then.paired.shared for one in partly.attacks} == {4}


def test_an_attacker_more_stands_apart(now, then, tmp_path):
    top = written(tmp_path / "more", 4.0, 7, range(14))
    shutil.copytree(top / "exp" / "asv_orig" / "cosine", top / "exp" / "asv_orig" / "plda")
    found = since(measured(top), then)[1]

    assert len(found.attacks) == 2
    assert [one.name for one in found.new] == ["plda"]
    assert not {one.id for one in found.new} & {one.entry.id for one in found.attacks}
    assert "New attacks" in lines(found)


def test_who_does_not_say_the_recogniser_made_the_same_attack(now, then):
    stated = now.replacing(*(one.attacked_as({"recogniser": "CAM++"}) for one in now.entries))
    _, found = since(stated, then, is_same_people=True)

    assert (found.new, found.gone, len(found.attacks)) == ((), (), len(now.entries))
    assert all(one.then.paired for one in found.attacks)


@pytest.mark.parametrize("has_scores", [True, False])
def test_a_report_of_an_earlier_version_is_quoted_or_computed_anew(now, tmp_path, has_scores):
    top = tmp_path / "earlier"
    top.mkdir()
    shutil.copy(EARLIER / "report.pdf", top)
    if has_scores:
        for name in ("exp", "data"):
            shutil.copytree(EARLIER / name, top / name)
    with pytest.raises(InputError):
        read_evidence(top / "report.pdf")  # it does not say what this version's evidence says
    project = measured(EARLIER)

    held, found = since(project, top / "report.pdf")

    assert {one.code for one in found.attacks} == {"same"}
    assert {one.then.is_computed for one in found.attacks} == {has_scores}
    assert [(then.figure, then.verdict) for then, _ in found.verdicts] == [("d_ece_bits", "not-decided")]
    assert ("not at hand" in lines(found)) is not has_scores
    assert held.since.version == "0.1.0"


def test_evidence_that_its_pdf_was_not_made_with_is_no_baseline(now, tmp_path):
    content = (EARLIER / "report.pdf").read_bytes()
    seal = read_evidence(EARLIER / "report.pdf", is_earlier=True).seal
    assert seal is not None
    forged = tmp_path / "report.pdf"
    forged.write_bytes(content.replace(seal.encode(), seal[::-1].encode()))
    with pytest.raises(InputError):
        held_against(now, forged)


def test_how_often_was_looked_is_counted_along_a_line_of_projects(now, then, tmp_path):
    second = save_project(held_against(now, then), tmp_path / "second.zebra", with_inputs=True).path
    held, found = since(now, second)

    assert held.since.looks == 2
    assert "comparison number 2 in a row" in lines(found)
    assert open_project(second).project.since == held_against(now, then).since


def test_its_date_is_written_as_the_language_writes_dates(now, then):
    dated = replace(held_against(now, then).since, title="March", date="2026-05-01")
    assert dated.in_words == "“March” of 2026-05-01"
    with speaking("de"):
        assert dated.in_words == "„March“ vom 01.05.2026"


def test_a_report_says_it_and_verifies(now, then, tmp_path):
    held = replace(held_against(now, then), title="April")
    made = save_report(
        gather(held), now.entries[0].files[0].path.parents[5] / "new.pdf", date=dt.date(2026, 5, 1)
    )

    values = read_evidence(made).values
    assert values["since"]["file"] == "then.zebra"
    assert verify(made).is_verified
    assert values["since"]["looks"] == 1
