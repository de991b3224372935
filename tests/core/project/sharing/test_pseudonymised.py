"""A project shared without names has the same figures, no name in any byte, and a key that leads back."""

import base64
import datetime as dt
import gzip
import io
import json
import re
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest
import soundfile as sf
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.core.recordings_records import write_scored
from tests.core.samples import pdf_text
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError, OutputError
from zebra_core.metrics.registry import METRICS
from zebra_core.project.comparison.inference import inference_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Condition, Item
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import assess_files, voice_trials_of
from zebra_core.project.report_settings import Logo, ReportSettings
from zebra_core.project.review import Review
from zebra_core.project.sharing.pseudonymised import Places, PseudonymisedProject, without_names
from zebra_core.project.sharing.pseudonymised_files import Codes, HiddenNames
from zebra_core.report.evidence import evidence
from zebra_core.report.export import report_set
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.no_disclosure import without_disclosure
from zebra_core.uncertainty.trust import trust_of, voices_trust_of
from zebra_core.wording.texts import say

PEOPLE = ("Anneliese", "Bertholdt", "Chrysanthe", "Dorothéa", "Ekkehard", "Žofie-Müller")
FORMS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252", "cp1250")


def named_in(folder: Path) -> Project:
    """Six speakers, of each four segments against all, in files that are called after one of them."""
    rng = np.random.default_rng(5)
    inside = folder / "case-of-Anneliese"
    inside.mkdir()
    scores, key = inside / "Anneliese-scores.txt", inside / "Anneliese-key.txt"
    pairs = [(one, f"{who}-{k}", one == who) for one in PEOPLE for who in PEOPLE for k in range(4)]
    rows = "".join(f"{a} {b} {rng.normal(2.0 * same, 1.0)!r}\n" for a, b, same in pairs)
    labels = "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in pairs)
    scores.write_text(rows, encoding="utf-8")
    key.write_text(labels, encoding="utf-8")
    entry = assess_files(scores, key, name="B1", condition=Condition.OP)
    words = ReportSettings(case="The case of Bertholdt", author="Somebody else", question="How much is left?")
    entry = replace(entry, dataset="set of ANNELIESE", notes="of Žofie-Müller")
    return Project("Anneliese's case", (entry,), notes="of Ekkehard", report=words)


def more_in(folder: Path) -> tuple[Item, ...]:
    """Matrices of the same people, PP within one run and across two, and scores with sex and accent."""
    rng = np.random.default_rng(7)
    alike, inferred = folder / "alike", folder / "inferred"
    segments = {f"{who}-{k}": who for who in PEOPLE for k in range(2)}
    sex = "".join(f"{who} {'mf'[number % 2]}\n" for number, who in enumerate(PEOPLE))
    maps = {"utt2spk": "".join(f"{one} {who}\n" for one, who in segments.items()), "spk2gender": sex}
    pairs = [(one, other) for one in segments for other in segments]
    lists = {
        f"B1_{name}.txt": "".join(
            f"{one} {other} {rng.normal(shift * (segments[one] == segments[other]), 1.0)!r}\n"
            for one, other in pairs
            if name != "oo" or one < other
        )
        for name, shift in (("oo", 3.0), ("op", 1.0), ("pp", 2.0), ("p0p1", 1.5))
    }
    write_into(alike, {**maps, **lists})
    trials = [(who, f"{one}-{k}", one == who) for one in PEOPLE for k in range(3) for who in PEOPLE]
    accents = "".join(f"{who}\t{('Northern Irish', 'Welsh')[who > 'C']}\n" for who in PEOPLE)
    guesses = "".join(f"{one}-{k} {rng.choice(['f', 'm'])}\n" for one in PEOPLE for k in range(3))
    files = {
        "scores": "".join(f"{a} {b} {rng.normal(2.0 * same, 1.0)!r}\n" for a, b, same in trials),
        "trials": "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in trials),
        "spk2gender": sex,
        "accents-of-Bertholdt": accents,
        "guesses": guesses,
    }
    write_into(inferred, files)
    return (*arrive([alike]).entries, *arrive([inferred]).entries)


def write_into(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Shared:
    """What is shared, beside what it was made of."""

    before: Project
    made: PseudonymisedProject
    folder: Path  # with everything that is shared
    key_file: Path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    where = tmp_path_factory.mktemp("nameless")
    (where / "out").mkdir()
    before = named_in(where)
    said = Review().commenting(
        "Who is Anneliese?", "report", "Ekkehard", dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    )
    sessions = {
        f"{who}-{k}": f"{who}'s {'monday' if k < 2 else 'friday'}" for who in PEOPLE for k in range(4)
    }
    before = replace(before.in_sessions(sessions), review=said)
    before = replace(before, items=(*before.items, *more_in(where)))
    made = without_names(before, Places(where / "out" / "scores", where / "codes.json"))
    save_project(made.project, where / "out" / "case.zebra", with_inputs=True, without_folders=True)
    report_set(gather(made.project), where / "out" / "report", date=dt.date(2026, 1, 2))
    return Shared(before, made, where / "out", where / "codes.json")


@pytest.fixture
def named(tmp_path: Path) -> Project:
    return named_in(tmp_path)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "shared", tmp_path / "codes.json")


def test_all_figures_are_the_same(shared: Shared) -> None:
    both = list(zip(shared.before.entries, shared.made.project.entries, strict=True))
    assert [after.condition for _, after in both] == [Condition.OP, None]
    for before, after in both:
        for metric in METRICS:
            found = metric.of(before.assessment)
            close = pytest.approx(found, rel=1e-12) if isinstance(found, float) else found
            assert metric.of(after.assessment) == close, metric.code


def test_so_are_those_of_matrices_with_their_intervals_and_what_no_disclosure_shows(shared: Shared) -> None:
    both = list(zip(shared.before.similarities, shared.made.project.similarities, strict=True))
    assert [sorted(after.similarity.matrices) for _, after in both] == [["oo", "op", "pp"], ["oo", "pp"]]
    assert [after.run for _, after in both] == ["", "0–1"]
    codes = [{remark.code for remark in after.similarity.remarks} for _, after in both]
    assert ["pp-across-runs" in found for found in codes] == [False, True]
    for before, after in both:
        ours, theirs = (
            voices_trust_of(each.similarity, voice_trials_of(each), BootstrapSettings(20), deals={"oo": 20})
            for each in (before, after)
        )
        assert ours.as_json().keys() == theirs.as_json().keys()
        for name, draws in ours.uncertainty.figures.items():
            np.testing.assert_allclose(theirs.uncertainty.figures[name].draws, draws.draws, rtol=1e-9)
        np.testing.assert_allclose(theirs.null.draws["d_diag_oo"], ours.null.draws["d_diag_oo"], rtol=1e-9)
        assert sorted(before.similarity.sex.values()) == sorted(after.similarity.sex.values())


def test_so_is_what_is_told_of_attributes(shared: Shared) -> None:
    both = shared.before.entries[1], shared.made.project.entries[1]
    ours, theirs = (inference_of(each, BootstrapSettings(20)) for each in both)
    assert [each.values for each in ours] == [("Northern Irish", "Welsh"), ("f", "m")]
    assert [each.recogniser is not None for each in ours] == [False, True]
    for one, other in zip(ours, theirs, strict=True):
        assert one.as_json("") == other.as_json("")


def test_so_are_intervals_and_what_no_disclosure_shows(shared: Shared) -> None:
    both = shared.before.entries[0], shared.made.project.entries[0]
    settings = BootstrapSettings(replicates=30)
    one, other = (trust_of(each.trials, each.assessment, settings, deals=0) for each in both)
    for figure, drawn in one.uncertainty.figures.items():
        again = other.uncertainty.figures[figure]
        np.testing.assert_allclose(again.draws, drawn.draws, rtol=1e-9, err_msg=figure)
    first, second = (without_disclosure(each.trials, each.assessment, replicates=25) for each in both)
    for figure, draws in first.draws.items():
        np.testing.assert_allclose(second.draws[figure], draws, rtol=1e-9, err_msg=figure)


def test_so_is_what_is_said_of_people_and_of_single_speakers(shared: Shared) -> None:
    before, after = gather(shared.before), gather(shared.made.project)
    for one, other in zip(before.people.values(), after.people.values(), strict=True):
        names, codes = one.as_evidence(), other.as_evidence()
        most, coded = (found["most_linked"] for found in (names, codes))
        assert isinstance(most, dict)
        assert isinstance(coded, dict)
        assert one.people.index(most["speaker"]) == other.people.index(coded["speaker"])
        worst, hidden = (found["worst_tenth"] for found in (names, codes))
        assert isinstance(worst, dict)
        assert isinstance(hidden, dict)
        places = [one.people.index(name) for name in worst["speakers"]]
        assert places == [other.people.index(code) for code in hidden["speakers"]]
        assert not {*worst["speakers"]} & {*hidden["speakers"]}
        assert names == {
            **codes,
            "most_linked": {**coded, "speaker": most["speaker"]},
            "worst_tenth": {**hidden, "speakers": worst["speakers"]},
        }
    for ours, theirs in zip(before.speakers.values(), after.speakers.values(), strict=True):
        bits = [[row.estimate_bits for row in found.disclosures.speakers] for found in (ours, theirs)]
        assert bits[0] == pytest.approx(bits[1], rel=1e-12)
        assert ours.disclosures.chance.p_value == theirs.disclosures.chance.p_value


def test_sessions_are_kept_under_codes_that_say_nothing(shared: Shared) -> None:
    ours, theirs = (each.entries[0] for each in (shared.before, shared.made.project))
    assert isinstance(ours.sessions, dict)
    assert isinstance(theirs.sessions, dict)
    named, coded = (sorted(Counter(one.sessions.values()).values()) for one in (ours, theirs))
    assert named == [2] * 12
    assert coded == [1] * 6 + named  # each enrolment is one by itself
    most = next(iter(gather(shared.made.project).people.values())).as_evidence()["most_linked"]
    assert most["sessions"] == 2


def test_the_report_verifies_against_the_files_under_codes(shared: Shared) -> None:
    found = verify(shared.folder / "report" / "report.pdf", [shared.folder / "scores"])
    assert {one.status for one in found.checked} == {VerificationStatus.VERIFIED}
    assert found.is_verified
    assert "Speakers, recordings and files are named by codes." in pdf_text(
        shared.folder / "report" / "report.pdf"
    ).replace("\n", " ")


def test_the_copy_finds_its_files_from_where_it_lies_and_says_nothing_of_folders_above(
    shared: Shared,
) -> None:
    opened = open_project(shared.folder / "case.zebra")
    assert all(file.path.parent == shared.folder / "scores" for file in opened.project.entries[0].files)
    with zipfile.ZipFile(shared.folder / "case.zebra") as packed:
        saved = json.loads(packed.read("project.json"))
    assert {Path(file["path"]).parent.as_posix() for file in saved["items"][0]["files"]} == {"scores"}


def test_no_name_is_in_any_byte_of_what_is_shared_in_any_encoding(shared: Shared) -> None:
    looked = list(_bytes_of(shared.folder))
    kinds = {name.rpartition(".")[2] for name, _ in looked}
    assert {"txt", "zebra", "pdf", "json", "csv", "md", "tex", "png", "svg", "npy"} <= kinds
    known = shared.made.project.entries[0].files[0].name.encode()
    assert any(known in content for name, content in looked if name.endswith(".pdf"))  # as it would be found
    everything = b"\n".join(name.encode() + b"\n" + content for name, content in looked)
    folded = everything.lower()
    for name in (*PEOPLE, "case-of-Anneliese", "Žofie"):
        for form in {form.lower() for form in _forms(name)}:  # many encodings of a name are the same
            assert form not in folded, (name, form)
        for form in set(_in_base64(name)):
            assert form not in everything, (name, form)


def test_a_name_in_every_encoding_would_be_found() -> None:
    for content in (
        b"xDoroth\xc3\xa9ax",
        "Dorothéa".encode("utf-16-be"),
        b"Doroth\xe9a",
        b"446f726f7468c3a961",
    ):
        assert any(form.lower() in content.lower() for form in _forms("Dorothéa"))
    for shift in range(3):
        packed = base64.b64encode(b"." * shift + "of Dorothéa and".encode())
        assert any(form in packed for form in _in_base64("Dorothéa"))


def test_what_a_user_says_is_kept_but_for_texts_with_names(shared: Shared) -> None:
    project = shared.made.project
    assert (project.title, project.notes, project.report.case) == ("", "", "")
    assert (project.report.author, project.report.question) == ("Somebody else", "How much is left?")
    assert shared.made.sentences == (
        "Texts about the report with a name in them were left out.",
        "The title was left out, since a name is in it.",
        "Notes were left out.",
        (
            "The review was left out: comments are free text that may name people, and so do those who made "
            "them."
        ),
        (
            "Names of safeguards, datasets or attackers that contain the name of a speaker, a recording or a "
            "file were replaced by codes."
        ),
        (
            "These names of safeguards, datasets or runs stay as they are: 0–1, B1. Check that they name "
            "nobody."
        ),
        say("recordings.biometric"),
    )


def test_the_key_leads_back_and_is_for_its_owner_alone(shared: Shared) -> None:
    kept = json.loads(shared.key_file.read_text())
    back, entry = kept["names"], shared.made.project.entries[0]
    assert {back[name] for name in entry.trials.enrol.names} == set(PEOPLE)
    assert {back[name] for name in entry.trials.test.names} == {
        f"{who}-{k}" for who in PEOPLE for k in range(4)
    }
    assert "Anneliese-scores.txt" in back.values()
    assert back[entry.dataset] == "set of ANNELIESE"
    assert kept["findings"][0]["assessment"] == "B1 OP"
    if sys.platform != "win32":
        assert stat.S_IMODE(shared.key_file.stat().st_mode) == 0o600


def test_codes_of_one_person_are_in_the_order_of_ids_and_those_of_people_are_not(shared: Shared) -> None:
    back = json.loads(shared.key_file.read_text())["names"]
    of_segment = {name: code for code, name in back.items()}
    for who in PEOPLE:
        codes = [of_segment[who], *(of_segment[f"{who}-{k}"] for k in range(4))]
        assert codes == sorted(codes)
    made = [Codes() for _ in range(12)]
    for each in made:
        each.of_people([[name] for name in PEOPLE])
    assert len({tuple(sorted(PEOPLE, key=each.of)) for each in made}) > 1


def test_a_key_that_is_there_is_left_alone_and_nothing_is_written(named: Project, places: Places) -> None:
    places.key_file.write_text("mine")
    with pytest.raises(OutputError):
        without_names(named, places)
    assert places.key_file.read_text() == "mine"
    assert not places.folder.exists()


def test_the_key_must_not_lie_among_what_is_shared(named: Project, places: Places) -> None:
    with pytest.raises(OutputError, match="Keep it elsewhere"):
        without_names(named, replace(places, key_file=places.folder / "codes.json"))
    assert not places.folder.exists()


def test_what_failed_afterwards_is_undone(named: Project, places: Places) -> None:
    without_names(named, places).undo()
    assert not places.folder.exists()
    assert not places.key_file.exists()


def test_codes_of_two_makings_have_nothing_in_common() -> None:
    names = [f"speaker-{number:03}" for number in range(300)]
    one, other = Codes(), Codes()
    first, second = [one.of(name) for name in names], [other.of(name) for name in names]
    assert not set(first) & set(second)
    assert len(set(first)) == 300
    assert {len(code) for code in first} == {12}
    assert first != sorted(first)


def test_trials_without_ids_cannot_be_shared_so(named: Project, places: Places) -> None:
    entry = named.entries[0]
    bare = replace(entry, trials=replace(entry.trials, enrol=None, test=None))
    with pytest.raises(InputError, match="B1"):
        without_names(Project("", (bare,)), places)
    assert not places.key_file.exists()


def test_names_of_one_character_are_codes_wherever_they_stand_for_somebody(tmp_path: Path) -> None:
    people = "UVWX"
    trials = [(who, f"{one}{k}", one == who) for one in people for k in range(3) for who in people]
    write_into(
        tmp_path / "in",
        {
            "scores": "".join(f"{a} {b} {k * (3 if same else 1)}\n" for k, (a, b, same) in enumerate(trials)),
            "trials": "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in trials),
        },
    )
    entry = assess_files(tmp_path / "in" / "scores", tmp_path / "in" / "trials", name="B1")
    words = ReportSettings(question="What does a recording of X say?")
    project = Project("Case 3", (replace(entry, dataset="U"),), report=words)
    made = without_names(project, Places(tmp_path / "out", tmp_path / "codes.json"))

    (after,) = made.project.entries
    assert {len(name) for ids in (after.trials.enrol, after.trials.test) for name in ids.names} == {12}
    assert made.project.report.question == words.question  # free text: not looked into
    assert (made.project.title, after.dataset) == ("Case 3", "U")
    told, stay, biometric = made.sentences
    assert biometric == say("recordings.biometric")
    assert "stay as they are: B1, U." in stay
    assert "a word of one character that is also the name of a speaker" in told
    said = json.dumps(evidence(gather(made.project), dt.date(2026, 1, 2), {}))
    strings = set(re.findall(r'"([^"\\]*)"', said))
    assert strings & {*people, "U0"} == {"U"}  # the dataset, of which the sentence warns
    quiet = replace(project, items=(entry,), report=ReportSettings(question="What do scores say?"))
    made = without_names(quiet, Places(tmp_path / "2", tmp_path / "2.json"))
    assert len(made.sentences) == 2  # what files are called everywhere names nobody
    assert made.project.report.question == "What do scores say?"


def test_values_of_attributes_stay_unless_a_name_is_in_one(tmp_path: Path) -> None:
    more_in(tmp_path)
    labels = {who: f"like {'Anneliese' if who < 'C' else 'nobody'}" for who in PEOPLE}
    (tmp_path / "inferred" / "accents-of-Bertholdt").write_text(
        "".join(f"{who}\t{value}\n" for who, value in labels.items()), encoding="utf-8"
    )
    made = without_names(
        Project("", arrive([tmp_path / "inferred"]).entries),
        Places(tmp_path / "out", tmp_path / "codes.json"),
    )
    assert made.sentences[1:] == (
        "The values of attributes were replaced by codes, because one of them contains a name.",
        say("recordings.biometric"),
    )
    back = json.loads((tmp_path / "codes.json").read_text())["names"]
    accents, sexes = inference_of(made.project.entries[0])
    assert [back[value] for value in accents.values] == ["like Anneliese", "like nobody"]
    assert [back[value] for value in sexes.values] == ["f", "m"]


def test_a_logo_with_a_name_in_its_file_stays_behind(named: Project, places: Places) -> None:
    kept = Logo(b'<svg xmlns="http://www.w3.org/2000/svg"><rect id="frame" width="9" height="9"/></svg>')
    named = replace(named, report=ReportSettings(logo=kept))
    assert without_names(named, places).project.report.logo == kept
    picture = io.BytesIO()
    words = PngInfo()
    words.add_itxt("Author", "drawn by Ekkehard", zip=True)
    Image.new("RGB", (3, 3)).save(picture, "png", pnginfo=words)
    for content in (kept.content.replace(b"frame", b"of-Ekkehard"), picture.getvalue()):
        project = replace(named, report=ReportSettings(logo=Logo(content)))
        other = Places(places.folder / str(len(content)), places.key_file.with_name(f"{len(content)}.json"))
        made = without_names(project, other)
        assert made.project.report.logo is None
        assert "The logo was left out, because its file contains a name." in made.sentences


def test_names_are_looked_for_as_words() -> None:
    hidden = HiddenNames(["19", "a", "Ann", "id1/x.wav"])
    assert hidden.is_in("the recording of ANN")
    assert hidden.is_in("from id1/x.wav on")
    assert not hidden.is_in("B1 of 1998, a cannon")
    composed, apart = "Doroth\u00e9a", "Dorothe\u0301a"
    assert HiddenNames([composed]).is_in(f"by {apart}")
    assert HiddenNames([apart]).is_in(f"by {composed}")


def _forms(name: str) -> Iterator[bytes]:
    """The name in capitals or not, in several encodings, plain and in hexadecimal digits."""
    for text in (name, name.lower(), name.upper()):
        for form in FORMS:
            try:
                encoded = text.encode(form)
            except UnicodeEncodeError:
                continue
            yield encoded
            yield encoded.hex().encode()


def _in_base64(name: str) -> Iterator[bytes]:
    """The middle of it, wherever the name begins among three bytes."""
    for form in ("utf-8", "utf-16-be", "utf-16-le"):
        encoded = name.encode(form)
        for shift in range(3):
            whole = base64.b64encode(b"\0" * shift + encoded)
            yield whole[4 if shift else 0 : len(whole) - 4]


def _bytes_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder by its name, and whatever is packed in it, unpacked."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            yield path.relative_to(folder).as_posix(), content
            yield from _unpacked(path, content)


def _unpacked(path: Path, content: bytes) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                inner = archive.read(member)
                yield member, inner
                if inner.startswith(b"\x1f\x8b"):
                    yield member, gzip.decompress(inner)
    if content.startswith(b"%PDF"):
        plain = io.BytesIO()
        with pikepdf.open(path) as opened:
            opened.save(
                plain,
                compress_streams=False,
                stream_decode_level=pikepdf.StreamDecodeLevel.specialized,
                object_stream_mode=pikepdf.ObjectStreamMode.disable,
            )
        yield path.name, plain.getvalue()
        yield path.name, pdf_text(path).encode()


def test_recordings_embeddings_and_transcripts_are_said_not_to_be_shared_and_are_not(tmp_path: Path) -> None:
    """Ids in files of NumPy and Kaldi, tags of sound in every way to write them, and what was said."""
    top = write_scored(tmp_path / "case" / "Anneliese-Kowalczyk")
    who = ("Anneliese", "Kowalczyk", "s00-0", "s11-3")
    np.savez(top / "embeddings.npz", **{f"{one}-u1": np.ones(4) for one in who}, ids=np.array(who))
    (top / "xvector.ark").write_text("".join(f"{one}-u1 [ 1 2 3 ]\n" for one in who))
    (top / "text").write_text("".join(f"{one}-u1 my name is {one}\n" for one in who))
    for end in ("flac", "wav", "mp3"):
        with sf.SoundFile(top / f"Kowalczyk-u1.{end}", "w", 16_000, 1) as sound:
            sound.title, sound.artist, sound.comment = "Anneliese", "Kowalczyk", "Anneliese Kowalczyk"
            sound.write(np.zeros(1600))
    before = project_of_folder(top).project
    made = without_names(before, Places(tmp_path / "out" / "scores", tmp_path / "codes.json"))
    assert any("Recordings, embeddings and transcripts are not shared" in one for one in made.sentences)
    look = made.refuse_names
    save_project(made.project, tmp_path / "out/x.zebra", with_inputs=True, without_folders=True, look=look)
    report_set(gather(made.project), tmp_path / "out" / "report", date=dt.date(2026, 1, 2), look=look)
    files = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {path.suffix for path in files}.isdisjoint((".flac", ".wav", ".mp3", ".npz", ".npy", ".ark"))
    with zipfile.ZipFile(tmp_path / "out/x.zebra") as packed:
        files |= {Path(name): packed.read(name) for name in packed.namelist()}
    written = [word.encode(code) for word in who for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")]
    assert [(path, one) for path, content in files.items() for one in written if one in content] == []
