"""What is told of attributes of an assessment: read of its files, kept with them, printed, verified."""

import datetime as dt
import re
import shutil
from pathlib import Path

import pytest

from tests.core.attribute_cases import SEX, write_drop
from tests.core.report.test_opinion import page, words
from zebra_core.document.evidence import evidence_type
from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault
from zebra_core.intake.sorting.plan import plan
from zebra_core.project.attributes import AttributeInference, as_json, in_words
from zebra_core.project.comparison.inference import Labels, inference_of, inferred
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import read_again, try_planned
from zebra_core.report.document import TableBlock
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("drop") / "data"
    write_drop(made)
    return made


@pytest.fixture(scope="module")
def entry(folder: Path) -> Entry:
    [planned] = plan([folder]).assessments
    found = try_planned(planned).entry
    assert isinstance(found, Entry)
    return found


@pytest.fixture(scope="module")
def found(entry: Entry) -> dict[str, AttributeInference]:
    names = ("accent", "sex")
    return dict(zip(names, inference_of(entry, BootstrapSettings(40)), strict=True))


def test_the_files_are_recorded_with_what_they_are(entry: Entry) -> None:
    assert {file.path.name: file.role for file in entry.files} == {
        "scores": "scores",
        "trials": "key",
        "who": "speakers",
        "accent": "attributes",
        "sex": "attributes",
        "heard": "predictions",
    }
    again = read_again(entry, ())
    assert [file.role for file in again.files] == [file.role for file in entry.files]


def test_scores_that_are_more_alike_within_a_sex_tell_it_and_not_the_accent(
    found: dict[str, AttributeInference],
) -> None:
    sex, accent = found["sex"].similarity, found["accent"].similarity
    assert sex is not None
    assert accent is not None
    assert sex.value > 0.3  # of 0.72; two of the 70 ways to deal eight people say as much as the true one
    assert accent.undisclosed[0] <= accent.value <= accent.undisclosed[1]
    assert sex.interval is not None
    assert sex.value in sex.interval


def test_predictions_belong_to_the_attribute_whose_words_they_use(
    found: dict[str, AttributeInference],
) -> None:
    told = found["sex"].recogniser
    assert found["accent"].recogniser is None
    assert told is not None
    assert (told.n_speakers, told.n_recordings) == (8, 16)
    assert told.accuracy.value == 15 / 16
    assert told.unweighted_average_recall.value == (7 / 8 + 1) / 2
    assert told.unweighted_average_recall.chance == 1 / 2


def test_json_has_each_attribute_with_its_words(entry: Entry, found: dict[str, AttributeInference]) -> None:
    accent, sex = as_json(entry, tuple(found.values())) or []
    assert (accent["attribute"], accent["values"], accent["speakers"]) == ("accent", ["Irish", "Scottish"], 8)
    assert (accent["recogniser"], sex["remarks"]) == (None, [])
    similarity = sex["similarity_bits"]
    assert isinstance(similarity, dict)
    keys = ["value", "low", "high", "chance", "undisclosed_low", "undisclosed_high", "above_guessing"]
    assert list(similarity) == keys
    assert similarity["above_guessing"] is None  # nobody guesses bits
    recall = sex["recogniser"]["unweighted_average_recall"]  # type: ignore[index]
    assert recall["above_guessing"] == pytest.approx(2.0 * recall["value"] - 1.0)
    assert as_json(entry, ()) is None  # as where a file has changed


def test_sentences_say_the_figure_and_what_is_reached_without_listening(
    entry: Entry, found: dict[str, AttributeInference]
) -> None:
    _, said = in_words(entry, tuple(found.values()))
    assert said.startswith("sex: scores disclose whether two different speakers share it by 0.")
    assert "sex: a recogniser gets it right in 94 of 100 recordings of each value (" in said
    assert re.search(
        r"guessing in 50\. Adjusted for chance, what it says carries 0\.\d\d bit "
        r"\(0\.\d\d bit as computed\)\. "
        r"Where attributes are dealt out by chance, that is 0 to 0\.\d\d bit\.",
        said,
    )


def test_speakers_without_attribute_and_values_of_few_are_told(entry: Entry) -> None:
    attribute = {name: "m" if name == "s1" else "f" for name in SEX if name != "s7"}
    assert entry.trials is not None
    [told] = inferred(entry.trials, [Labels(attribute)], [Labels({"s0-0": "f", "stranger": "m"})])
    assert told.n_speakers == 7
    assert [remark.split(".")[0] for remark in told.remarks] == [
        "stranger has no attribute",
        "s7, one of 8 enrolled speakers, has no attribute here and is left out of inference",
        "Fewer than three speakers have one of the values (m)",
    ]


def test_a_file_that_has_changed_is_not_read(entry: Entry, folder: Path) -> None:
    before = (folder / "sex").read_bytes()
    (folder / "sex").write_text("s0 m\ns1 f\n")
    with pytest.raises(InputError) as caught:
        inference_of(entry)
    (folder / "sex").write_bytes(before)
    assert caught.value.code == "changed"


def test_evidence_has_it_follows_its_schema_and_is_verified(
    entry: Entry, folder: Path, tmp_path: Path
) -> None:
    made = evidence(gather(Project(items=(entry,))), dt.date(2026, 11, 22), {"zebra": "1"})
    assert fault(made, evidence_type()) is None
    (tmp_path / "evidence.json").write_bytes(as_bytes(made))
    (folder / "sex").rename(folder / "renamed")
    checked = verify(tmp_path / "evidence.json", [folder]).checked
    (folder / "renamed").rename(folder / "sex")
    told = {one.what: one for one in checked if one.what.startswith("inference")}
    assert set(told) == {"inference[0]", "inference[1]"}
    assert all(one.status.value == "verified" for one in told.values()), told


def test_the_page_against_the_opinion_has_the_figures(entry: Entry) -> None:
    blocks = page(gather(Project(items=(entry,))))
    tables = [block for block in blocks if isinstance(block, TableBlock)]
    told = next(table for table in tables if table.columns[1].head == "Attribute")
    assert [[cell.text for cell in row[1:4]] for row in told.rows] == [
        ["accent", "8", "scores alone (bit)"],
        ["sex", "8", "scores alone (bit)"],
        ["", "", "recogniser, average recall"],
        ["", "", "recogniser, accuracy"],
        ["", "", "recogniser, mutual information (bit)"],
    ]
    assert [cell.text for cell in told.rows[2][4:6]] == ["94 %", "50 %"]
    assert "Not measured" not in words(blocks)
    assert "Nothing is said of people who are not in these files." in words(blocks)


def test_predictions_in_other_letters_than_the_attribute_are_told_not_counted_wrong(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    heard = tmp_path / "heard"
    heard.write_text(re.sub(r" (.)$", lambda m: m[0].upper(), heard.read_text(), flags=re.MULTILINE))
    [planned] = plan([tmp_path]).assessments
    assert [file.source.name for file in planned.predictions] == ["heard"]
    tried = try_planned(planned).entry
    assert isinstance(tried, Entry)
    accent, sex = inference_of(tried)
    assert (accent.remarks, sex.recogniser) == ((), None)
    [told] = sex.remarks
    assert told.startswith("Predictions say “F” where the attribute says “f”. The two differ only in")
