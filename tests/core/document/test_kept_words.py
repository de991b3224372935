"""What ZEBRA itself calls things and says of them is kept in no language, and said in that of the reader."""

import json
from pathlib import Path

import pytest

from zebra_core.document.parts import SavedValue, audit_as_json, audit_of, remark_as_json, remark_of
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Audit, Finding, Remark, Severity, and_more
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile, PlannedAssessment
from zebra_core.intake.sorting.naming import named_by_folders
from zebra_core.project.items import SafeguardLabels
from zebra_core.wording.texts import speaking

SCORES = "exp/asv_orig/libri_test_enrolls-libri_test_trials_f{}/scores"


def planned(suffix=""):
    file = FoundFile(Source(Path(SCORES.format(suffix))), (), None)
    return named_by_folders([PlannedAssessment("file", file, None)], [])[0]


def saved_and_opened(finding):
    values = json.loads(json.dumps(audit_as_json(Audit(findings=(finding,)))))
    [opened] = audit_of(SavedValue(values, "audit", "a.zebra"), ()).findings
    return opened


@pytest.mark.parametrize("suffix", ["", "_mcadams"])
def test_rules_that_named_an_assessment_in_a_german_window_are_english_in_an_english_report(suffix):
    with speaking("de"):
        german = planned(suffix)
        values = audit_as_json(Audit(findings=german.findings))
        assert str(german.findings[0]).startswith("Aus den Ordnern übernommene Namen: ")
    english = planned(suffix)
    assert (german.name, german.dataset, german.attacker) == (english.name, "libri_f", english.attacker)
    [opened] = audit_of(SavedValue(values, "audit", "a.zebra"), ()).findings
    assert str(opened) == str(english.findings[0])
    assert opened == english.findings[0]


def test_unprotected_speech_is_called_so_in_the_language_of_the_reader():
    with speaking("es"):
        name = planned().name
    assert name == "unprotected"
    with speaking("de"):
        assert SafeguardLabels(name, run="2").full_name == "ungeschützt 2"
        assert SafeguardLabels("B2", run="2").full_name == "B2 2"


def test_names_beyond_the_first_are_counted_in_the_language_of_the_reader():
    with speaking("fr"):
        remark = Remark("utterances-missing", {"count": 4, "names": and_more(["a", "b", "c", "d"], 3)})
        values = json.loads(json.dumps(remark_as_json(remark)))
    opened = remark_of(SavedValue(values, "remark", "a.zebra"))
    assert "a, b, c and 1 more" in str(opened)
    with speaking("de"):
        assert "a, b, c und 1 weitere" in str(opened)
    assert and_more(["a", "b"], 3) == "a, b"


def test_a_project_that_kept_the_rules_in_words_is_opened_with_these():
    kept = Finding("by-folders", Severity.NOTE, {"rules": "ungeschützt, weil nichts geschützt wurde"})
    assert "ungeschützt, weil nichts geschützt wurde" in str(saved_and_opened(kept))


@pytest.mark.parametrize(
    "fact",
    [
        {"section": "layout", "code": "nowhere", "facts": {}},
        {"section": "layout", "code": "dataset", "facts": {}},
        {"section": "layout", "code": "condition-oo"},
        [{"section": ["layout"], "code": "condition-oo", "facts": {}}],
        ["OO"],
    ],
)
def test_what_cannot_be_said_is_refused(fact):
    values = audit_as_json(Audit(findings=(planned().findings[0],)))
    values["findings"][0]["facts"]["rules"] = fact
    with pytest.raises(InputError, match=r"a\.zebra"):
        audit_of(SavedValue(values, "audit", "a.zebra"), ())
