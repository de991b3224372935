"""Fuzzed, too: what lies beside the scores: result files, transcripts, ratings, logos, names."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from zebra_core.errors import ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule, speaker_in
from zebra_core.intake.drop import read_speaker_map
from zebra_core.intake.formats.reading import Reading
from zebra_core.intake.opening.opening import OpenedFile, Source
from zebra_core.intake.planned import FoundFile, PlannedAssessment
from zebra_core.intake.sorting.naming import keys_by_layout, named_by_folders
from zebra_core.intake.sorting.segment_plan import segment_place
from zebra_core.intake.tables.published import published_in
from zebra_core.intake.tables.table import FileRole
from zebra_core.intake.transcript_files import read_transcripts
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.published import comparison_lines
from zebra_core.project.reading.reading import assess_files
from zebra_core.project.report_settings import Logo, read_logo
from zebra_core.utility.listening import RatingQuestion, read_ratings
from zebra_core.utility.word_errors import word_errors

_DATA = Path(__file__).parents[2] / "tests" / "data" / "intake"
_LAYOUTS = _DATA / "layouts"
_PAIR = "ASV-libri_test_enrolls-libri_test_trials_f"
_SET = "libri_test_trials_f"


def published(content: bytes) -> None:
    """As a file of results, compared with an assessment; and as the lone number of a file called EER."""
    for name in (f"{_PAIR}/results.txt", f"{_PAIR}/EER"):
        file = OpenedFile(Source(Path("exp", name)), content, len(content), "0" * 64)
        if found := published_in(file):
            comparison_lines(Project(items=(_entry(),), published=(found,)), _entry().id)


def transcripts(content: bytes) -> None:
    """As what was said and what was understood, cut at the first form feed."""
    said, _, heard = content.partition(b"\f")
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "said"), Path(folder, "heard")
        for file, part in zip(files, (said, heard or said[: len(said) // 2]), strict=True):
            file.write_bytes(part)
        word_errors(*map(read_transcripts, files))


def ratings(content: bytes) -> None:
    """As a listening test of every kind."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ratings")
        path.write_bytes(content)
        for question in RatingQuestion:
            try:
                heard = read_ratings(path, question)
            except ZebraError as error:
                str(error)
            else:
                assert 0.0 <= heard.eer <= 1.0


def logo(content: bytes) -> None:
    """As a picture for the title block, which is saved with the project and opened again."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logo")
        path.write_bytes(content)
        found = read_logo(path)
    assert Logo.from_json(found.as_json()) == found
    assert found.as_svg


def speaker_names(content: bytes) -> None:
    """As a map of segments to speakers, and each line as the id of a segment."""
    for rule in SpeakerRule:
        for segment in content.decode("utf-8", "surrogateescape").splitlines():
            speaker_in(rule, segment)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "utt2spk")
        path.write_bytes(content)
        read_speaker_map(path)


def folder_names(content: bytes) -> None:
    """Each line as the path of a score file, the last one as that of a key."""
    paths = content.decode("utf-8", "surrogateescape").split("\n")[:50]
    *scores, key = (FoundFile(Source(Path("drop", path)), (_READING,), None) for path in paths)
    for file in scores:
        str(segment_place(file.source))
        keys_by_layout(file.source, [key.source])
    planned = [PlannedAssessment(file.source.name, file, key) for file in scores]
    for one in named_by_folders(planned, [key]):
        assert all(str(finding.as_remark()) for finding in one.findings)


def seeds(name: str) -> dict[str, bytes]:
    """Good inputs of a target, by name."""
    return {f"good-{number}": content for number, content in enumerate(_GOOD.get(name, list)())}


def _good_published() -> list[bytes]:
    blocks = (
        f"{_PAIR}\n  EER: 8.8%\n  Cllr (min/act): 0.3/42.9\n  ROCCH-EER: 8.6%\nlinkability: 0.8\n"
        "Population: 0.2 bit\nIndividual: 3.9 (C)\n"
    )
    tables = (
        "---- ASV_eval^anon results ----\n dataset split gender enrollment trial EER\n"
        "0 libri test f anon anon 12.5\n"
    )
    comma = "dataset,split,gender,enrollment,trial,EER\nlibri,test,f,original,anon,8.7\n"
    toolkit = (
        "System,Task,Gender,Dataset,ROCCH-EER [%],ZEBRA Population [bit],ZEBRA Individual,ZEBRA Category,"
        "Cllr,min Cllr\nB1,o-a,f,libri,8.6,0.2,3.9,C,42.9,0.3\n"
    )
    return [text.encode() for text in (blocks, tables, comma, toolkit, "0.0875\n")]


def _good_logos() -> list[bytes]:
    from PIL import Image

    png = io.BytesIO()
    Image.new("RGBA", (3, 2), (1, 2, 3, 4)).save(png, "PNG")
    svg = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g fill="red"><path d="M0 0L9 9z"/>'
        b'<text x="1">a</text></g><defs><linearGradient id="l"><stop offset="1"/></linearGradient></defs>'
        b'<rect width="3" height="4" fill="url(#l)"/></svg>'
    )
    return [png.getvalue(), svg]


def _good_maps() -> list[bytes]:
    return [(_DATA / name).read_bytes() for name in ("utt2spk", "spk2utt")]


def _good_paths() -> list[bytes]:
    below = sorted(str(path.relative_to(_LAYOUTS)) for path in _LAYOUTS.rglob("*") if path.is_file())
    segments = "B2/oo\nB2r_run1/pp-run1-run2.txt\nB2/op.scores\nkey"
    return [*(f"{path}\n{_SET}".encode() for path in below), segments.encode()]


_GOOD: dict[str, Callable[[], list[bytes]]] = {
    "published": _good_published,
    "transcripts": lambda: [b"u1 it's a test\nu2 two\n\fu1 its a\nu2\n"],
    "ratings": lambda: [b"id;rating;class\na;3;target\nb;7;nontarget\n", b"a 1 clean\nb 10 anon\n"],
    "logo": _good_logos,
    "speaker-names": _good_maps,
    "folder-names": _good_paths,
}
TARGETS: dict[str, Callable[[bytes], None]] = {
    "published": published,
    "transcripts": transcripts,
    "ratings": ratings,
    "logo": logo,
    "speaker-names": speaker_names,
    "folder-names": folder_names,
}
_READING = Reading("kaldi-scores", FileRole.SCORES)


@cache
def _entry() -> Entry:
    """An assessment of the pair that the good result files are about."""
    from tests.core.document.samples import KEY, SCORES

    with tempfile.TemporaryDirectory() as folder:
        scores, key = Path(folder, "exp", _PAIR, "scores"), Path(folder, "data", _SET, "trials")
        for path, text in ((scores, SCORES), (key, KEY)):
            path.parent.mkdir(parents=True)
            path.write_text(text)
        return assess_files(scores, key, allow=["infinite-scores"])
