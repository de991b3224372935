"""The validation dossier: one line that fails makes it fail, and everything in it can be traced."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest

import zebra_resources
from zebra_core.errors import Cancelled, OutputError
from zebra_core.installation import dossier, examined, laws
from zebra_core.installation.examined import DossierSection, ExaminedRequirement
from zebra_core.installation.selftest import KnownAnswer
from zebra_core.metrics.assessment import assess

ROOT = Path(__file__).parents[3]
KNOWN = json.loads(zebra_resources.read_text("validation.json"))


@pytest.fixture(scope="module")
def made():
    """A dossier of all sections, with one known answer and one simulated set for the many."""
    answers = [KnownAnswer("by hand, eer", "0.5", "0.5", passed=True)]
    chosen = {"chance 12 x 3, 0.3": KNOWN["simulated"]["chance 12 x 3, 0.3"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dossier, "selftest", lambda _progress: type("Done", (), {"checks": answers}))
        patch.setattr(dossier, "answers_now", lambda _progress: {
            "chance 12 x 3, 0.3": dossier.chance_found(dossier.CASES[0])
        })  # fmt: skip
        patch.setattr(laws, "SETS", 6)
        return dossier.validate(values={**KNOWN, "simulated": chosen})


def test_everything_passes_here(made):
    assert [line for line in made.lines if line.passed is False] == []
    assert made.passed
    assert [part.name for part in made.parts] == [
        *("installation", "answers", "laws", "agreement", "simulated", "broken", "performance")
    ]


def test_every_line_leads_to_a_source_and_to_a_test_that_is_there(made):
    assert all(line.source and (ROOT / line.test).exists() for line in made.lines)


def test_a_law_that_does_not_hold_makes_the_dossier_fail(made):
    law = laws.Law("order", lambda _of: 1e-3, 0.0, laws.LAWS[0].test)
    part = DossierSection("laws", tuple(laws.tried([law])))
    failed = replace(made, parts=(*made.parts[:2], part, *made.parts[3:]))

    assert not failed.passed
    assert "1 of" in failed.verdict
    assert failed.as_json()["passed"] is False


def test_a_law_that_gives_no_number_does_not_hold():
    law = laws.Law("order", lambda _of: float("nan"), 1.0, laws.LAWS[0].test)
    assert laws.tried([law])[0].passed is False


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.name)
def test_a_wrong_figure_breaks_its_law(law, monkeypatch):
    """Figures that are wrong by a little, as a thousandth of the first score says, are noticed."""

    def wrong(trials):
        known = assess(trials)
        off = 1e-3 * (1.0 + float(trials.score[0]) + len(trials))
        figures = ("d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "min_cllr_bits")
        moved = replace(known.plain, n_target=known.plain.n_target + 1)
        return replace(known, plain=moved, **{name: getattr(known, name) + off for name in figures})

    monkeypatch.setattr(laws, "assess", wrong)
    assert max(law.departure(one) for one in list(laws.random_sets(4))) > law.at_most


def test_a_section_without_lines_has_not_passed():
    assert not DossierSection("laws", ()).passed
    assert DossierSection("laws", (ExaminedRequirement("", "", "", None, "", ""),)).passed


def test_a_figure_of_the_reference_that_differs_is_named():
    name, figures = next(iter(KNOWN["reference"].items()))
    (line,) = examined.with_reference({name: {**figures, "eer": 0.4, "tag": "D"}})

    assert line.passed is False
    assert "expected D, found C" in line.result


def test_the_reference_is_that_of_the_tests():
    expected = json.loads((ROOT / "tests/data/reference/expected.json").read_text("utf-8"))
    assert expected["demo"] == KNOWN["reference"]


def test_what_the_paper_prints_is_found_and_anything_else_is_named():
    tags, full = examined.with_papers(KNOWN["published"])
    assert (tags.passed, tags.result, full.passed, full.result) == (True, "All have it.", True, "0.721 bit")

    other = {"tags": [[3.98, "C"], [2.0, "B"]], "full_disclosure_bits": "0.722"}
    tags, full = examined.with_papers(other)
    assert (tags.passed, tags.result, full.passed) == (False, "Not so at 2.", False)


def test_the_other_package_may_be_missing(monkeypatch):
    monkeypatch.setattr(examined, "LEGAL_EVAL", "nobody-has-this")
    line = examined.with_legal_eval()

    assert line.passed is None
    assert line.result == "nobody-has-this is not installed: not compared."


def test_values_of_another_release_are_noticed(monkeypatch):
    monkeypatch.setattr(dossier, "answers_now", lambda _progress: {"coverage": {"sets": 20.0, "held": 18.0}})
    lost, fewer = dossier.compared(
        {"chance 2 x 1, 0": {"p_value": 0.1}, "coverage": KNOWN["simulated"]["coverage"]}
    )

    assert lost.passed is False
    assert fewer.passed is False
    assert fewer.result.startswith("18 of 20 sets")


def test_a_broken_file_that_is_read_fails(monkeypatch):
    sound = examined.BrokenInput("word", "score-not-a-number")
    monkeypatch.setattr(examined, "BROKEN", (sound,))
    first, *_ = examined.refused()

    assert (first.passed, first.result) == (False, "It was read as if it were in order.")


def test_parts_under_a_lesser_gpl_and_the_advisories_are_listed(made, monkeypatch):
    (lesser,) = [line for line in made.parts[0].lines if "Lesser GPL" in line.requirement]
    assert "libsndfile (soundfile " in lesser.result
    (audited,) = [line for line in made.parts[0].lines if "known advisory" in line.requirement]
    record = {"pins": 158, "advisories": 9000, "newest": "2026-11-02", "file_sha256": "ab12", "found": []}
    if audited.passed is None:
        assert "not examined" in audited.result
    for found, passed in (([], True), (["numpy 2.4.6: INVENTED-1"], False)):
        kept = json.dumps({**record, "found": found})
        monkeypatch.setattr(zebra_resources, "read_text", lambda _name, kept=kept: kept)
        line = dossier._audited()
        assert line.passed is passed
        assert (found[0] if found else "158 pinned versions and 9\N{NARROW NO-BREAK SPACE}000") in line.result


def test_a_known_answer_that_is_not_found_has_its_own_line():
    checks = [
        KnownAnswer("B2, eer", "0.1", "0.2", passed=False),
        KnownAnswer("B2, tag", "A", "A", passed=True),
    ]
    group, one = dossier._grouped(checks)

    assert (group.passed, group.result) == (False, "1 of 2 found.")
    assert one.result == "expected 0.1, found 0.2"


def test_the_plain_figures_by_hand():
    """Of scores 0, 1, 2, 3 with targets at 1 and 3: shares 0, 1/2, 1/2, 1."""
    target, nontarget = np.array([0.0, 1.0, 0.0, 1.0]), np.array([1.0, 0.0, 1.0, 0.0])
    assert laws.minimax_shares(target, nontarget).tolist() == [0.0, 0.5, 0.5, 1.0]
    assert laws.eer(np.arange(4.0), target > 0) == 0.5
    assert laws.rocch_eer(np.arange(4.0), target > 0) == 0.25


def test_the_pages_have_the_record_with_them(made, tmp_path):
    paths = dossier.save(made, tmp_path)
    record = (tmp_path / "validation.json").read_bytes()
    with pikepdf.open(tmp_path / "validation.pdf") as pdf:
        attached = pdf.attachments["validation.json"].get_file().read_bytes()
        assert b"pdfaid:part>3<" in pdf.Root.Metadata.read_bytes()

    assert [path.name for path in paths] == ["validation.pdf", "validation.json"]
    assert attached == record
    assert json.loads(record)["resources"]["validation.json"]
    assert not [name for name in made.resources if name.endswith((".py", ".pyc"))]


def test_nothing_is_overwritten_unasked(tmp_path):
    (tmp_path / "validation.json").write_text("mine")
    with pytest.raises(OutputError, match="already exists"), dossier.room_in(tmp_path):
        pytest.fail("the file was in the way")
    with dossier.room_in(tmp_path, overwrite=True):
        pass


def test_a_folder_that_was_made_for_a_dossier_that_is_stopped_goes_again(tmp_path):
    with pytest.raises(Cancelled), dossier.room_in(tmp_path / "new" / "of it"):
        raise Cancelled
    assert list(tmp_path.iterdir()) == []


def test_in_full_the_simulations_are_a_section_and_no_gap(made, monkeypatch):
    monkeypatch.setattr(dossier, "_installation", lambda _resources: iter(made.parts[0].lines))
    monkeypatch.setattr(
        dossier, "selftest", lambda _progress: type("Done", (), {"checks": made.known_answers})
    )
    for part in (laws, dossier):
        name = "tried" if part is laws else "compared"
        monkeypatch.setattr(part, name, lambda *_a, **_b: list(made.parts[2].lines))
    monkeypatch.setattr(dossier, "repeated", lambda _known, **_watched: [made.parts[2].lines[0]])
    whole = dossier.validate(values=KNOWN, in_full=True)

    assert whole.passed
    assert whole.parts[-1].heading == "8 The release’s simulations, repeated in full"
    assert "zebra validate --full" in " ".join(made.not_covered)
    assert "zebra validate --full" not in " ".join(whole.not_covered)
    assert len(whole.not_covered) == len(made.not_covered)
    assert whole.as_json()["in_full"] is True


def test_it_is_said_how_long_all_of_it_takes():
    words = dossier.how_long()
    assert words.startswith("19\u202f800 sets")
    assert "minutes of one processor core" in words
