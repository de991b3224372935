"""A project comes back as it was saved, byte for byte, and shows everything without its files."""

import json
import os
import shutil
import zipfile
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.core.document.samples import KEY, SCORES, rewritten, rich_project
from tests.core.samples import HOSTILE, small_entry
from zebra_core.document import container, project_file
from zebra_core.document.project_file import open_project, restore_inputs, save_project
from zebra_core.errors import InputError, OutputError
from zebra_core.evidence.audit import InputState
from zebra_core.evidence.speaker_names import SessionRule, Sessions
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.arranging import with_attack
from zebra_core.project.items import Entry, Item, SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import check, with_findings
from zebra_core.project.reading.reading import trials_of
from zebra_core.project.requirements.requirement import Requirement

SHARED = ("id", "name", "dataset", "run", "notes", "colour", "is_ticked", "choices", "full_name", "files")


def shared(item: Item) -> list[object]:
    return [getattr(item, name) for name in SHARED]


def test_everything_comes_back(tmp_path: Path) -> None:
    project = rich_project(tmp_path).at_prior(250)
    view = {"prior": 250, "layout": "AAEC", "deep": {"list": [1, 2.5, None, True]}}
    save_project(project, tmp_path / "case.zebra", view)
    opened = open_project(tmp_path / "case.zebra")
    found = opened.project

    assert opened.view == view
    assert [found.title, found.notes] == [project.title, project.notes]
    assert (found.tag_scale, found.verbal_scale) == (project.tag_scale, project.verbal_scale)
    assert found.answers == project.answers
    assert found.report == project.report
    assert found.published == project.published
    assert found.utilities == project.utilities
    assert list(map(shared, found.items)) == list(map(shared, project.items))
    for new, old in zip(found.entries, project.entries, strict=True):
        assert new.trials is None
        assert (new.condition, new.attacker, new.audit) == (old.condition, old.attacker, old.audit)
        assert new.assessment.settings == old.assessment.settings
        assert [str(r) for r in new.assessment.remarks] == [str(r) for r in old.assessment.remarks]
        for name in ("d_ece_bits", "worst_case_log10_lr", "tag", "eer", "cllr_bits", "misleading", "hits_at"):
            assert getattr(new.assessment, name) == getattr(old.assessment, name), name
        assert (new.assessment.profile.actual_bits == old.assessment.profile.actual_bits).all()
    [matrices], [original] = found.similarities, project.similarities
    assert matrices.similarity.as_json() == original.similarity.as_json()
    assert matrices.similarity.pp is None
    assert (matrices.similarity.sex, matrices.allowed) == ({"s0": "f"}, original.allowed)
    assert matrices.similarity.remarks == original.similarity.remarks


def test_no_field_is_forgotten() -> None:
    """Whoever gives a project another field decides here whether it is saved."""
    assert {field.name for field in fields(Project)} == {
        *("title", "items", "answers", "tag_scale", "verbal_scale", "notes"),
        *("report", "published", "utilities", "differences", "requirements", "robustness"),
        *("studies", "review", "since"),
    }
    of_items = {field.name for kind in (Entry, SimilarityEntry) for field in fields(kind)}
    made_of_the_trust = {"given", "normalisation"}
    assert of_items - {"trials"} - made_of_the_trust == {
        *("name", "dataset", "run", "notes", "colour", "is_ticked", "choices", "id"),
        *(
            "assessment",
            "condition",
            "attacker",
            "recogniser",
            "back_end",
            "measured",
            "similarity",
            "allowed",
        ),
    }
    assert {field.name for field in fields(VoiceSimilarity)} == {
        *("speakers", "oo", "op", "pp", "mean", "remarks_on_files", "files", "sex"),
    }


def test_recogniser_and_back_end_come_back(tmp_path: Path) -> None:
    project = rich_project(tmp_path)
    ids = [entry.id for entry in project.entries]
    project = with_attack(with_attack(project, ids[:1], recogniser="ECAPA"), ids, back_end="PLDA")
    save_project(project, tmp_path / "case.zebra")
    found = open_project(tmp_path / "case.zebra").project.entries
    assert [one.recogniser for one in found] == ["ECAPA"] + [""] * (len(ids) - 1)
    assert {one.back_end for one in found} == {"PLDA"}


def test_the_audit_keeps_its_findings_decisions_and_examples(tmp_path: Path) -> None:
    save_project(rich_project(tmp_path), tmp_path / "case.zebra")
    audit = open_project(tmp_path / "case.zebra").project.entries[0].audit
    assert audit is not None
    assert [decision.value for decision in audit.decisions] == ["infinite-scores"]
    [finding] = [one for one in audit.findings if one.examples]
    assert finding.examples[0].text == "m1 u3 inf"


def test_the_same_project_makes_the_same_bytes(tmp_path: Path) -> None:
    project = rich_project(tmp_path)
    first, second = tmp_path / "one.zebra", tmp_path / "two.zebra"
    save_project(project, first)
    save_project(open_project(first).project, second)
    assert first.read_bytes() == second.read_bytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=())), min_size=5, max_size=5))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    # Two surrogates that make a pair are the character they stand for, as in the texts of the window.
    texts = [text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for text in texts]
    title, notes, name, dataset, attacker = texts
    entry = replace(small_entry(), name=name, dataset=dataset, attacker=attacker, notes=notes)
    project = Project(title, (entry,), notes=notes)
    path = tmp_path_factory.mktemp("texts") / "case.zebra"
    save_project(project, path)
    found = open_project(path).project
    assert [found.title, found.notes] == [title, notes]
    assert shared(found.items[0]) == shared(entry)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_come_back_as_they_are(tmp_path: Path, name: str) -> None:
    save_project(Project(items=(replace(small_entry(), name=name),)), tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").project.entries[0].name == name


def test_it_is_a_zip_that_people_and_tools_can_read(tmp_path: Path) -> None:
    project = rich_project(tmp_path)
    save_project(project, tmp_path / "case.zebra")
    with zipfile.ZipFile(tmp_path / "case.zebra") as archive:
        assert archive.namelist() == [
            "project.json",
            "counts/1.npy",
            "similarity/2-oo.npy",
            "similarity/2-op.npy",
            "counts/3.npy",
            "counts/4.npy",
            *(f"trust/4-{part}.npy" for part in ("draws", "left-out", "band", "null", "null-band")),
            *(
                member
                for by in "zts"
                for member in (
                    f"counts/4-{by}.npy",
                    *(
                        f"trust/4-{by}-{part}.npy"
                        for part in ("draws", "left-out", "band", "null", "null-band")
                    ),
                )
            ),
        ]
        document = json.loads(archive.read("project.json"))
        with archive.open("counts/1.npy") as member:
            counts = np.load(member, allow_pickle=False)
    assert (document["format"], document["version"]) == ("zebra-project", 1)
    assert document["items"][0]["figures"]["tag"] == project.entries[0].assessment.tag
    assert document["items"][0]["files"][0]["relative"] == "exp/scores"
    assert counts.dtype.names == ("score", "n_target", "n_nontarget")
    assert counts["score"].tolist() == project.entries[0].assessment.counts.score.tolist()


def test_requirements_with_names_of_before_are_read_and_that_is_said(tmp_path: Path) -> None:
    project = Project(requirements=(Requirement("least", "d_ece_bits", 0.3),))
    save_project(project, tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").remarks == ()
    path = rewritten(tmp_path / "case.zebra", lambda made: made["requirements"][0].update(figure="d_ece"))

    opened = open_project(path)
    assert opened.project.requirements == project.requirements
    said = "d_ece is called d_ece_bits now, as in tables and in JSON. It is read all the same."
    assert opened.remarks == (said,)


def test_an_empty_project_can_be_saved(tmp_path: Path) -> None:
    save_project(Project("nothing yet"), tmp_path / "case.zebra")
    assert open_project(tmp_path / "case.zebra").project.title == "nothing yet"


def test_figures_that_come_out_otherwise_are_told(tmp_path: Path) -> None:
    path = tmp_path / "case.zebra"
    save_project(rich_project(tmp_path), path)
    rewritten(path, lambda document: document["items"][0]["figures"].update(eer=0.25, d_ece_bits=None))
    entry, other, _ = open_project(path).project.entries
    assert "figures-differ" not in [remark.code for remark in other.assessment.remarks]
    assert str(entry.assessment.remarks_on_files[-1]).endswith(
        "differ from those saved with them: d_ece_bits, eer."
    )


# With the scores inside, and on another path


def test_a_case_that_was_moved_as_a_whole_finds_its_files(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "here")
    save_project(project, tmp_path / "here/case.zebra")
    (tmp_path / "here").rename(tmp_path / "there")
    opened = open_project(tmp_path / "there/case.zebra")

    entry = opened.project.entries[0]
    assert [file.path for file in entry.files] == [tmp_path / "there/exp/scores", tmp_path / "there/trials"]
    assert entry.is_as_read
    scores, key = map(str, (tmp_path / "there/exp/scores", tmp_path / "there/trials"))
    assert entry.choices == {f"reading:{scores}": "kaldi-scores", f"key:{scores}": key}
    assert scores in opened.project.answers.allowed
    assert trials_of(entry).score.tolist() == trials_of(project.entries[0]).score.tolist()


@pytest.mark.parametrize(
    "sessions", [SessionRule.FOLDER, {'a\\1"': "am Morgen", "a2": "1"}], ids=["rule", "list"]
)
def test_sessions_are_kept(tmp_path: Path, sessions: Sessions) -> None:
    project = rich_project(tmp_path)
    save_project(project.in_sessions(sessions), tmp_path / "case.zebra")
    opened = open_project(tmp_path / "case.zebra").project
    assert [entry.sessions for entry in opened.entries] == [sessions] * len(project.entries)


def test_sessions_that_are_none_are_refused(tmp_path: Path) -> None:
    save_project(rich_project(tmp_path).in_sessions(SessionRule.FOLDER), tmp_path / "case.zebra")

    def spoilt(document: Any) -> None:
        for item in document["items"]:
            item["choices"] = dict.fromkeys(item["choices"], "no rule")

    rewritten(tmp_path / "case.zebra", spoilt)
    with pytest.raises(InputError) as refused:
        open_project(tmp_path / "case.zebra")
    assert refused.value.code == "sessions-not-known"


@pytest.mark.skipif(os.name == "nt", reason="Windows takes its paths apart itself")
def test_a_case_that_was_saved_on_windows_finds_its_files_here(tmp_path: Path) -> None:
    save_project(rich_project(tmp_path / "here"), tmp_path / "here/case.zebra")

    def as_on_windows(value: Any) -> Any:
        if isinstance(value, dict):
            return {as_on_windows(name): as_on_windows(one) for name, one in value.items()}
        if isinstance(value, list):
            return [as_on_windows(one) for one in value]
        place = f"{tmp_path}/here"
        if not isinstance(value, str) or place not in value:
            return value
        before, _, rest = value.partition(place)
        return before + r"C:\Users\Anna\case" + rest.replace("/", "\\")

    rewritten(tmp_path / "here/case.zebra", lambda document: document.update(as_on_windows(document)))
    entry = (opened := open_project(tmp_path / "here/case.zebra")).project.entries[0]
    assert [file.path for file in entry.files] == [tmp_path / "here/exp/scores", tmp_path / "here/trials"]
    assert entry.is_as_read
    assert entry.choices == {
        f"reading:{tmp_path}/here/exp/scores": "kaldi-scores",
        f"key:{tmp_path}/here/exp/scores": f"{tmp_path}/here/trials",
    }
    assert str(tmp_path / "here/exp/scores") in opened.project.answers.allowed
    (tmp_path / "here/exp/scores").unlink()
    missing = open_project(tmp_path / "here/case.zebra").project.entries[0].files[0]
    assert (missing.path.name, missing.state) == ("scores", InputState.MISSING)


def test_a_case_far_below_the_longest_path_of_old_windows_is_read_saved_and_opened(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a folder with a long name, as archives of cases have them"] * 6)
    assert len(str(deep)) > 260 + 60
    save_project(rich_project(deep), deep / "case.zebra")
    opened = open_project(deep / "case.zebra").project.entries[0]
    assert opened.files[0].path == deep / "exp/scores"
    assert opened.is_as_read


def test_a_copy_of_a_case_rests_on_its_own_copy(tmp_path: Path) -> None:
    save_project(rich_project(tmp_path / "here"), tmp_path / "here/case.zebra")
    shutil.copytree(tmp_path / "here", tmp_path / "copy")
    entry = open_project(tmp_path / "copy/case.zebra").project.entries[0]
    assert entry.files[0].path == tmp_path / "copy/exp/scores"


def test_no_server_is_called_because_a_project_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, server = tmp_path / "case.zebra", "//server.example/share"
    save_project(rich_project(tmp_path / "here"), path)

    def name_the_server(document: dict[str, Any]) -> None:
        for file in document["items"][0]["files"]:
            file.update(path=f"{server}/{Path(file['path']).name}", relative=f"{server}/{file['relative']}")

    rewritten(path, name_the_server)
    looked_at: list[Path] = []
    real = project_file.look_at
    monkeypatch.setattr(
        project_file, "look_at", lambda place, size: looked_at.append(place) or real(place, size)
    )
    monkeypatch.setattr(project_file, "_CALLS_SERVERS", True)  # as on Windows

    entry = open_project(path).project.entries[0]
    assert [file.path for file in entry.files] == [tmp_path / "scores", tmp_path / "trials"]
    assert {file.state for file in entry.files} == {InputState.MISSING}
    assert len(looked_at) > 2
    assert not [place for place in looked_at if server in str(place)]


def test_without_its_files_it_shows_everything_and_says_that_they_are_missing(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "here")
    save_project(project, tmp_path / "case.zebra")
    shutil.rmtree(tmp_path / "here")
    entry = open_project(tmp_path / "case.zebra").project.entries[0]

    assert entry.assessment.tag == project.entries[0].assessment.tag
    assert not entry.is_as_read
    told = str(entry.assessment.remarks[0])
    assert told.startswith(f"scores is no longer in {tmp_path.anchor}")
    assert told.endswith("The figures are those of the file as it was read.")
    with pytest.raises(InputError):
        trials_of(entry)


def test_with_the_scores_inside_a_case_is_one_file(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "here")
    saved = save_project(project, tmp_path / "case.zebra", with_inputs=True)
    assert saved.left_out == (tmp_path / "here/trials",)  # by its hash, which is that of no file
    shutil.rmtree(tmp_path / "here")
    opened = open_project(tmp_path / "case.zebra")
    assert opened.has_inputs

    moves = restore_inputs(tmp_path / "case.zebra", opened.project, tmp_path / "kept")
    assert {path.name: path.read_text() for path in moves.values()} == {"scores": SCORES, "trials": KEY}


def test_what_was_inside_can_be_read_again_and_saved_again(tmp_path: Path) -> None:
    whole = rich_project(tmp_path / "here")
    project = whole.without([item.id for item in whole.similarities])
    assert save_project(project, tmp_path / "case.zebra", with_inputs=True).left_out == ()
    shutil.rmtree(tmp_path / "here")
    found = open_project(tmp_path / "case.zebra").project
    kept_at = restore_inputs(tmp_path / "case.zebra", found, tmp_path / "kept")
    assert sorted(path.read_text() for path in kept_at.values()) == sorted([SCORES, KEY])

    again = save_project(found, tmp_path / "again.zebra", with_inputs=True, kept_at=kept_at)
    assert again.left_out == ()
    assert (tmp_path / "again.zebra").read_bytes() == (tmp_path / "case.zebra").read_bytes()
    findings = check(found, [tmp_path / "kept"])
    readable = with_findings(found, findings).entries[0]
    assert trials_of(readable).n_target == 3


def test_what_changed_since_it_was_read_is_not_put_inside(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "here")
    (tmp_path / "here/exp/scores").write_text(SCORES.replace("2.5", "3.5"))
    saved = save_project(project, tmp_path / "case.zebra", with_inputs=True)
    assert tmp_path / "here/exp/scores" in saved.left_out


# How it is written


def test_a_link_goes_on_being_one(tmp_path: Path) -> None:
    save_project(Project("old"), tmp_path / "real.zebra")
    (tmp_path / "link.zebra").symlink_to(tmp_path / "real.zebra")
    save_project(Project("new"), tmp_path / "link.zebra")
    assert (tmp_path / "link.zebra").is_symlink()
    assert open_project(tmp_path / "real.zebra").project.title == "new"


def test_what_is_there_stays_where_it_may_not_be_overwritten(tmp_path: Path) -> None:
    save_project(Project("old"), tmp_path / "case.zebra")
    with pytest.raises(OutputError) as raised:
        save_project(Project("new"), tmp_path / "case.zebra", overwrite=False)
    assert raised.value.code == "exists"
    assert open_project(tmp_path / "case.zebra").project.title == "old"


def test_what_packs_like_a_bomb_is_stored_as_it_is() -> None:
    content = bytes(65 << 20)
    packed = container.pack({"inputs/" + "0" * 64: content})
    assert len(packed) > len(content)


def test_more_than_is_ever_read_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MOST_BYTES", 100)
    with pytest.raises(OutputError, match="Save it without the scores inside"):
        container.pack({"project.json": bytes(101)})


def test_the_state_of_files_is_not_saved_but_looked_at(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "here")
    hidden = tmp_path / "here/exp/hidden"
    (tmp_path / "here/exp/scores").rename(hidden)
    save_project(project, tmp_path / "case.zebra")
    missing = open_project(tmp_path / "case.zebra").project
    assert missing.entries[0].files[0].state is InputState.MISSING
    save_project(missing, tmp_path / "case.zebra")
    hidden.rename(tmp_path / "here/exp/scores")
    assert open_project(tmp_path / "case.zebra").project.entries[0].is_as_read


@pytest.mark.parametrize("field", ["name", "title", "notes"])
def test_a_text_too_long_to_be_opened_again_is_not_saved(tmp_path: Path, field: str) -> None:
    project, text = rich_project(tmp_path / "files"), "W" * (1_000_001 if field == "notes" else 1001)
    if field == "name":
        project = project.replacing(replace(project.items[0], name=text))
    else:
        project = replace(project, **{field: text})
    with pytest.raises(OutputError, match=r"WW…” is longer than 1.*000 characters, and could not be opened"):
        save_project(project, tmp_path / "case.zebra")
    assert not (tmp_path / "case.zebra").exists()
