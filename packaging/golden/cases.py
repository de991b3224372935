"""What is kept: each case runs the program as a user would, and leaves files in `out` and words in `said`."""

import copy
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from golden import inside
from golden.comparing import EXACT, HEARD
from golden.running import CHECKOUT, Case, zebra
from tests.core.attribute_cases import write_drop

DATA = CHECKOUT / "tests" / "data"
RESOURCES = CHECKOUT / "resources" / "zebra_resources"
DATED = ("--date", "2021-05-03")
SCORES = "in/exp/B2/ASV-other_test_enrolls-other_test_trials_f_anon/scores"
KEY = "in/data/other_test_trials_f/trials"
BOTH = ("-s", SCORES, "-k", KEY)
SCHEMA = "*/evidence.schema.json"
PROSE = (SCHEMA, "*/tex/*", "*/report.md", "*/ZEBRA-*", "*/figures/*", "*/SHA256SUMS")


@dataclass(frozen=True)
class Recipe:
    """How a case is made, and how exactly it is made again."""

    make: Callable[[Case], None]
    tolerance: float = EXACT
    leaves_out: tuple[str, ...] = (SCHEMA,)  # files of whose kind another case has enough


# The demo


def demo(case: Case) -> None:
    """The demo's report set, and what verifying it says."""
    shutil.copytree(RESOURCES / "demo", "in")
    case.zebra("demo", "demo", "--out", "out")
    case.zebra("verify", "verify", "out/report.pdf", "--data", "in")


def german(case: Case) -> None:
    """The demo in German: its report, and what is said in the terminal."""
    german = ("--language", "de")
    shutil.copytree(RESOURCES / "demo", "in", ignore=shutil.ignore_patterns("similarity", "B2r"))
    both = ("-s", next(map(str, Path("in").rglob("B2/*/scores"))), "-k", "in/data/libri_test_trials_f/trials")
    case.zebra("report", *german, "report", "in", "-o", "out/report.pdf", *german, *DATED)
    case.zebra("assess", *german, "assess", *both, "--stream", "--json")
    case.zebra("assess-text", *german, "assess", *both, "--bootstrap", "20", "--require", _requirements())
    case.zebra("compare", *german, "compare", "in")
    case.zebra("verify", *german, "verify", "out/report.pdf", "--data", "in")
    refused = [zebra(*german, "assess", "-s", file).in_short() for file in _broken()]
    case.keep_said("refused", refused)


def recordings(case: Case) -> None:
    """The demo from recordings: heard, attacked, reported, and verified from the recordings."""
    case.zebra("demo", "demo", "--recordings", "--out", "out")
    sound = RESOURCES / "recordings"
    where = ("--data", "out/scores", "--recordings", str(sound))
    case.zebra("verify", "verify", "out/report/report.pdf", *where)
    few = ("--original", str(sound / "original"), "--speakers", "before-hyphen")
    case.zebra("score-original", "score", *few, "--attacker", "cosine", "-o", "out/few", "--json")
    case.zebra("score-again", "score", *few, "-o", "out/few")
    case.zebra("score-nowhere", "score", *few, "--protected", "B2=nowhere", "-o", "out/none")


# Real scores


def reference(case: Case) -> None:
    """Real scores of five speakers: one assessment in all ways in which it is told."""
    _real_scores("B2")
    case.zebra("assess", "assess", *BOTH, "-l", "B2")
    case.zebra("assess-json", "assess", *BOTH, "-l", "B2", "--json")
    case.zebra("assess-bootstrap", "assess", *BOTH, "--bootstrap", "50", "--seed", "3", "--json")
    case.zebra("assess-bootstrap-text", "assess", *BOTH, "--bootstrap", "50", "--prior", "1000")
    pictures = ("-e", "tex", "-e", "svg", "-e", "pdf", "-o", "out")
    case.zebra("assess-pictures", "assess", *BOTH, "-l", "B2", *pictures)
    case.zebra("assess-known", "assess", *BOTH, "--attacker", "lazy-informed", "--recogniser", "R", "--json")
    case.zebra("assess-map", "assess", *BOTH, "--utt2spk", "in/utt2spk", "--json")
    train = ("--train-scores", SCORES.replace("_enrolls-", "_enrolls_anon-"), "--train-key", KEY)
    case.zebra("calibration", "calibration", *BOTH, *train)
    case.zebra("calibration-json", "calibration", *BOTH, *train, "--json", "-e", "tex", "-o", "out")
    case.zebra("require", "assess", *BOTH, "--require", _requirements(), "--junit", "out/junit.xml", "--json")
    case.zebra("require-text", "assess", *BOTH, "--bootstrap", "20", "--require", _requirements())
    voices = [
        part for kind in ("oo", "op", "pp") for part in (f"--{kind}", f"in/voices/scores_{kind}.txt.gz")
    ]
    with_map = (*voices, "--utt2spk", "in/utt2spk", "-l", "B2")
    case.zebra("similarity", "similarity", *with_map, "-e", "tex", "-o", "out/voices", "--bootstrap", "20")
    case.zebra("similarity-json", "similarity", *with_map, "--bootstrap", "20", "--json")
    case.zebra("similarity-rule", "similarity", *voices, "--speakers", "before-hyphen", "--json")
    case.zebra("similarity-oo", "similarity", *voices[:2], "--speakers", "whole-id", "--json")


def folder(case: Case) -> None:
    """A folder of real scores: compared, required of, reported with the words of a case, and verified."""
    _real_scores("B1w", "B2", "B2r")
    Path("case.toml").write_text(CASE, encoding="utf-8")
    required = ("--require", _requirements(), "--junit", "out/junit.xml")
    case.zebra("compare", "compare", "in", "-o", "out/compare", "-e", "tex", "--bootstrap", "50", "--people")
    case.zebra("compare-json", "compare", "in", "--json", "--bootstrap", "50", *required)
    words = (
        "--case",
        "case.toml",
        *DATED,
        "--attacker",
        "ignorant",
        "--robustness",
        "--require",
        required[1],
    )
    case.zebra("report", "report", "in", "-o", "out/report", *words, "--json")
    case.zebra("summary", "report", "in", "-o", "out/summary.pdf", *words[:-3], "--summary", "--no-intervals")
    case.zebra("verify", "verify", "out/report/report.pdf", "--data", "in", "--json")
    case.zebra("verify-text", "verify", "out/summary.pdf", "--data", "in", "--record", "out/record.pdf")
    case.zebra("copy", "copy", "in", "-o", "out/case.zebra", "--inside")
    case.zebra("compare-copy", "compare", "out/case.zebra", "--json")
    _alter(Path("in/data/other_test_trials_f/trials"))
    case.zebra("compare-changed", "compare", "out/case.zebra", "--json")
    case.zebra("verify-changed", "verify", "out/summary.pdf", "--data", "in")


def nameless(case: Case) -> None:
    """A project and a report under codes."""
    _real_scores("B2")
    case.zebra("copy", "copy", "in", "-o", "out/case.zebra", "--without-names", "--codes", "out/codes.json")
    Path("in/case.toml").write_text(CASE, encoding="utf-8")
    codes = ("--without-names", "--codes", "out/report-codes.json")
    words = ("--case", "in/case.toml", *DATED)
    case.zebra("report", "report", "in", "-o", "out/report", *words, *codes, "--no-intervals", "--json")
    case.zebra("verify", "verify", "out/report/report.pdf", "--json")
    case.zebra("compare", "compare", "out/case.zebra", "--json")


def counted(case: Case) -> None:
    """Trials counted piece by piece, and by an engine: assessed, saved, reported and verified as counts."""
    _real_scores("B2", "B2r")
    case.zebra("assess-streamed", "assess", *BOTH, "--stream", "--json")
    case.zebra("assess-streamed-bootstrap", "assess", *BOTH, "--stream", "--bootstrap", "20", "--json")
    speakers = ("--speakers", "in/utt2spk")
    for name in ("B2", "B2r"):
        scores = SCORES.replace("B2", name)
        where = f"out/counts/{name}/counts.parquet"
        Path(where).parent.mkdir(parents=True)
        codes = ("--by-speaker", f"out/codes-{name}.json", *speakers) if name == "B2" else ()
        case.zebra(
            f"count-{name}", "count", "--engine", "duckdb", "-s", scores, "-k", KEY, "-o", where, *codes
        )
    case.zebra("assess", "assess", "-s", "out/counts/B2/counts.parquet", "--bootstrap", "20", "--json")
    case.zebra("assess-without-speakers", "assess", "-s", "out/counts/B2r/counts.parquet", "--json")
    case.zebra("compare", "compare", "out/counts", "--json", "--bootstrap", "20")
    case.zebra("copy", "copy", "out/counts", "-o", "out/counts.zebra")
    case.zebra("compare-copy", "compare", "out/counts.zebra", "--json")
    case.zebra("report", "report", "out/counts.zebra", "-o", "out/report.pdf", *DATED)
    case.zebra("verify", "verify", "out/report.pdf", "--data", "out/counts", "--json")
    shutil.copy(DATA / "intake" / "broken" / "line-too-short", "short")
    case.zebra("count-refused", "count", "-s", "./short", "-k", KEY, "-o", "out/refused.parquet")
    case.zebra(
        "count-other-key", "count", "-s", SCORES, "-k", KEY.replace("_f/", "_m/"), "-o", "out/no.parquet"
    )


def listening(case: Case) -> None:
    """A test by ear: made, answered by rules, evaluated, compared; as a project, reported and verified."""
    inside.write_recordings(Path("in"))
    Path("in/test.toml").write_text(TEST, encoding="utf-8")
    case.zebra("new", "listen", "--new", "in/test.toml", "-o", "out/test")
    case.zebra("new-json", "listen", "--new", "in/test.toml", "-o", "again", "--json")
    plan = "out/test/listening-plan.json"
    inside.write_answers(Path(plan))
    evaluated = ("listen", "--evaluate", plan, "out/test", "--bootstrap", "20")
    case.zebra("evaluate", *evaluated, "-o", "out/outcome")
    case.zebra("evaluate-json", *evaluated, "-o", "again-outcome", "--json", "--leave-out", "L03")
    case.zebra("compare", "compare", "out/outcome", "--json")
    alone = Path("alone")
    alone.mkdir()
    for file in (Path(plan), *sorted(Path("out/test").glob("*.zebra-answers"))):
        shutil.copy(file, alone)
    faults = inside.save_heard(alone, Path("out/heard.zebra"))
    case.keep_said("faults", list(faults))
    case.zebra("compare-project", "compare", "out/heard.zebra", "--json")
    case.zebra("report", "report", "out/heard.zebra", "-o", "out/report.pdf", *DATED, "--no-intervals")
    case.zebra("verify", "verify", "out/report.pdf", "--data", "alone")
    case.zebra("wrong-plan", "listen", "--evaluate", "in/test.toml", "out/test", "-o", "no")
    refused = {f"{old} -> {new}": "" for old, new in WRONG_TESTS}
    for old, new in WRONG_TESTS:
        Path("in/wrong.toml").write_text(TEST.replace(old, new, 1), encoding="utf-8")
        refused[f"{old} -> {new}"] = zebra("listen", "--new", "in/wrong.toml", "-o", "no").in_short()
    case.keep_said("refused-tests", refused)
    spoilt = _spoilt(json.loads(Path(plan).read_text(encoding="utf-8")))
    case.keep_said("refused-plans", dict(_of_spoilt(spoilt, _plan_is_read)))
    answers = Path("out/test/L01.zebra-answers").read_text(encoding="utf-8").splitlines(keepends=True)
    case.keep_said("refused-answers", [_of_answers(plan, lines) for lines in _spoilt_answers(answers)])


def commands(case: Case) -> None:
    """Commands that stand alone: attributes, utility, linking in a matrix, the self-test, languages."""
    write_drop(Path("in/drop"))
    drop = ("-s", "in/drop/scores", "-k", "in/drop/trials")
    of = ("--attributes", "in/drop/sex", "--attributes", "in/drop/accent", "--predictions", "in/drop/heard")
    case.zebra("attributes", "assess", *drop, *of, "--bootstrap", "20", "--json")
    case.zebra("attributes-text", "assess", *drop, *of, "--bootstrap", "20")
    case.zebra("attributes-compare", "compare", "in/drop", "--people", "--json")
    _write_utility(Path("in/utility"))
    words = ("--reference", "in/utility/text", "--hypothesis", "in/utility/heard")
    rated = (
        "--ratings",
        "in/utility/ratings",
        "--question",
        "naturalness",
        "--speakers",
        "in/utility/utt2spk",
    )
    case.zebra("utility", "utility", *words)
    case.zebra("utility-json", "utility", *words, "--bootstrap", "50", "--json")
    case.zebra("ratings", "utility", *rated, "--json")
    case.zebra("ratings-text", "utility", *rated)
    _write_matrix(Path("in/matrix"))
    lists = ("--enrolled", "in/matrix/rows", "--tests", "in/matrix/columns", "--utt2spk", "in/matrix/who")
    case.zebra("reidentify", "reidentify", "in/matrix/m.npy", *lists)
    case.zebra("reidentify-json", "reidentify", "in/matrix/m.npy", *lists, "--json")
    case.zebra("selftest", "selftest", "--json", "-o", "out/selftest.txt")
    case.zebra("languages", "languages")
    os.environ["_ZEBRA_COMPLETE"] = "bash_source"
    case.zebra("completion")
    del os.environ["_ZEBRA_COMPLETE"]
    case.zebra("no-such-file", "assess", "-s", "nowhere", "-k", "in/drop/trials")
    case.zebra("no-such-option", "assess", "--no-such-option")
    case.zebra("no-such-folder", "compare", "nowhere")
    case.zebra("wrong-language", "--language", "xx", "languages")
    Path("word").write_text("secret\n", encoding="utf-8")
    with_word = ("--passphrase-file", "word")
    case.zebra("certificate", "certificate", "Ada", *with_word, "-o", "ada.p12")
    case.zebra("report", "report", "in/drop", "-o", "out/drop.pdf", "--no-intervals", *DATED)
    signed = ("--certificate", "ada.p12", "--reason", "Mine", *with_word)
    case.zebra("sign", "sign", "out/drop.pdf", *signed, "-o", "signed.pdf")
    case.zebra("verify-signed", "verify", "signed.pdf", "--data", "in/drop", "--trust", "ada.pem", "--json")
    shutil.copy("signed.pdf", "altered.pdf")
    content = Path("altered.pdf").read_bytes()
    Path("altered.pdf").write_bytes(content[:2000] + bytes([content[2000] ^ 1]) + content[2001:])
    case.zebra("verify-altered", "verify", "altered.pdf", "--data", "in/drop")


# Refusals


def museum(case: Case) -> None:
    """Every file of the museum: alone, as scores with a good key, as a key of good scores."""
    shutil.copytree(DATA / "intake", "in")
    files = sorted(path for path in Path("in").rglob("*") if path.is_file())
    ends = {}
    for file in files:
        if "layouts" in file.parts or file.name == "README.md":
            continue
        alone = zebra("assess", "-s", str(file), "--json").in_short()
        as_scores = zebra("assess", "-s", str(file), "-k", "in/kaldi-key", "--json").in_short()
        as_key = zebra("assess", "-s", "in/kaldi-scores", "-k", str(file), "--json").in_short()
        if as_scores == alone:
            as_scores = "as alone"
        ends[str(file.relative_to("in"))] = {"alone": alone, "as scores": as_scores, "as key": as_key}
    case.keep_said("museum", ends)
    for layout in sorted(path.name for path in Path("in/layouts").iterdir() if path.is_dir()):
        case.zebra(f"layout-{layout}", "compare", f"in/layouts/{layout}", "--json")
    for bomb in sorted((DATA / "bombs").iterdir()):
        case.zebra(f"bomb-{bomb.name}", "assess", "-s", str(bomb), "-k", "in/kaldi-key")


def saved(case: Case) -> None:
    """A project with something in every part, and each part of it spoilt: what is refused, and how."""
    inside.save_rich(Path("in"), Path("out/rich.zebra"))
    case.zebra("compare", "compare", "out/rich.zebra", "--json")
    with zipfile.ZipFile("out/rich.zebra") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["project.json"])

    def opens(spoilt: Any) -> str:
        return _opened({**members, "project.json": json.dumps(spoilt).encode()})

    case.keep_said("refused-documents", dict(_of_spoilt(_spoilt(document), opens)))
    case.keep_said("refused-members", {name: _opened(spoilt) for name, spoilt in _spoilt_members(members)})


def evidence(case: Case) -> None:
    """Evidence with each part of it spoilt: whether it is read, or how it is refused."""
    write_drop(Path("in"))
    Path("in/spk2gender").unlink(missing_ok=True)
    case.zebra("report", "report", "in", "-o", "report", *DATED, "--no-intervals")
    document = json.loads(Path("report/evidence.json").read_text(encoding="utf-8"))

    def verified(spoilt: Any) -> str:
        Path("evidence.json").write_text(json.dumps(spoilt), encoding="utf-8")
        end = zebra("verify", "evidence.json", "--data", "nowhere-to-find")
        if end.error == "InputError no-data-folder":
            return "read"
        return f"{end.status} {end.error} {end.on_stderr.strip()}".strip()

    case.keep_said("refused", dict(_of_spoilt(_spoilt(document), verified)))


def requirements(case: Case) -> None:
    """Files of requirements that say something wrong: the line, and what is wrong in it."""
    _real_scores("B2")
    ends = {}
    for text in WRONG_REQUIREMENTS:
        Path("wrong.toml").write_text(text, encoding="utf-8")
        ends[text] = zebra("assess", *BOTH, "--require", "wrong.toml").in_short()
    case.keep_said("refused", ends)
    for text in WRONG_CASES:
        Path("wrong.toml").write_text(text, encoding="utf-8")
        ends[text] = zebra("report", "in", "--case", "wrong.toml", "-o", "out/no.pdf").in_short()
    case.keep_said("refused-cases", {text: ends[text] for text in WRONG_CASES})


def help_(case: Case) -> None:
    """What every command says of itself."""
    _help(case)


def help_de(case: Case) -> None:
    """The same in German."""
    _help(case, "--language", "de")


def _help(case: Case, *language: str) -> None:
    said = case.zebra("zebra", *language, "--help").printed
    _usage, _options, *groups = said.split(":\n")
    for line in "\n".join(groups).splitlines():
        if line[:2] == "  " and line[2] != " ":
            command = line.split()[0]
            case.zebra(command, *language, command, "--help")


# What the cases are made of

REQUIREMENTS = RESOURCES / "examples" / "requirements.toml"
CASE = """case = "Case 7"
author = "A. Reviewer"
organisation = "An office"
requester = "A court"
report_id = "R 12"
question = "How much is left?"
propositions = "A: one speaker. B: two."
relevance = "Read speech; the case is about calls."
signatories = ["A. Reviewer", "B. Second"]
recipients = "A research group"
access = "controlled"
other_knowledge = "Broadcasts"
motive = "Curiosity"
means = "A week of one person"
domain = "The group and its servers"
people = 4
retention = "Until 2029"
hears_originals = "Two transcribers"
review_on = 2027-01-31
"""
TEST = """title = "Ears"
introduction = "Listen."
consent = "Yes."
original = "original"
speakers = "first-folder"
listeners = 3
seed = 3

[protected]
mask = "mask"

[same]
items = 24
anchors = 4
repeats = 3

[placement]
items = 2
anchors = 1
repeats = 1
speakers = 3
recordings = 2

[naturalness]
items = 10
anchors = 2
repeats = 2
low = "as a machine"
high = "as a person"
"""
WRONG_TESTS = (
    ('title = "Ears"', "titel = 1"),
    ("listeners = 3", "listeners = -6"),
    ('consent = "Yes."\n', ""),
    ("items = 24\n", ""),
    ("anchors = 4", "anchors = 99"),
    ("repeats = 3", "same_share = 25"),
    ("seed = 3", "unprotected = 4"),
    ('[protected]\nmask = "mask"', "protected = 3"),
    ("[naturalness]", "[naturalness"),
    ("[naturalness]", "[beauty]"),
    ('"original"', '"nowhere"'),
    ('"first-folder"', '"nowhere"'),
    ("items = 24", "items = 1000000"),
    ("recordings = 2", "recordings = 99"),
)


def _one(*lines: str) -> str:
    return "\n".join(["[[requirement]]", 'name = "a"', *lines]) + "\n"


WRONG_REQUIREMENTS = (
    "",
    "[[requirement]]\nname = a\n",
    "requirement = 3\n",
    "x = 1\n" + _one(),
    _one(),
    _one('figure = "d_cee"', "at_most = 0.1"),
    _one('figure = "d_ece_bits"'),
    _one('figure = "d_ece_bits"', "at_most = 0.8"),
    _one('figure = "d_ece_bits"', "at_most = nan"),
    _one('figure = "d_ece_bits"', 'at_most = "B"'),
    _one('figure = "d_ece_bits"', "at_most = 0.1", "at_least = 0.1"),
    _one('figure = "d_ece_bits"', "at_most = 0.1", "confidence = 2"),
    _one('figure = "d_ece_bits"', "at_most = 0.1", "colour = 2"),
    _one('figure = "d_ece_bits"', "at_most = 0.1", 'datasets = "x"'),
    _one('figure = "d_ece_bits"', "at_most = 0.1", 'safeguards = ["nobody"]'),
    _one('figure = "eer"', "at_least = 30"),
    _one('figure = "tag"', 'at_most = "Z"'),
    _one('figure = "share_at_tag"', "at_most = 0.1"),
    _one('figure = "d_ece_bits"', 'no_worse_than = "nobody"', "margin = 0.02"),
    _one('figure = "tag"', 'no_worse_than = "*"', "margin = 0.02"),
    _one('figure = "d_ece_bits"', "at_most = 0.1") * 2,
)
WRONG_CASES = ("x = 1\n", "case = 3\n", 'case = "a\n', 'signatories = "A"\n', "signatories = [3]\n")


def _requirements() -> str:
    """Those of the example, in the folder of the case."""
    shutil.copy(REQUIREMENTS, "requirements.toml")
    return "requirements.toml"


def _real_scores(*safeguards: str) -> None:
    """Of tests/data/reference and tests/data/similarity what belongs to five speakers."""
    for name in safeguards:
        for source in sorted((DATA / "reference" / "exp" / name).glob("*trials_f*/scores")):
            if name == safeguards[0] or "_anon" in source.parent.name:
                target = Path("in/exp", name, source.parent.name, "scores")
                target.parent.mkdir(parents=True)
                shutil.copy(source, target)
    Path("in/data/other_test_trials_f").mkdir(parents=True)
    shutil.copy(DATA / "reference" / "data" / "other_test_trials_f" / "trials", KEY)
    Path("in/voices").mkdir()
    voices = DATA / "similarity" / "other_f"
    for source in (voices / "scores_oo.txt.gz", *sorted((voices / "B2").iterdir())):
        shutil.copy(source, "in/voices")
    shutil.copy(voices / "utt2spk", "in/utt2spk")


def _alter(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[1:]), encoding="utf-8")


def _broken() -> list[str]:
    shutil.copytree(DATA / "intake" / "broken", "broken")
    return sorted(str(file) for file in Path("broken").iterdir())


def _write_utility(folder: Path) -> None:
    """Of 24 speakers two utterances of eight words each: of the n-th, n % 3 words are changed in both."""
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight")
    said, heard, who, rated = [], [], [], []
    for speaker in range(24):
        for utterance in range(2):
            name = f"s{speaker:02}-{utterance}"
            wrong = [f"x{word}" if n < speaker % 3 else word for n, word in enumerate(words)]
            said.append(f"{name} {' '.join(words).upper()}\n")
            heard.append(f"{name} {' '.join(wrong)}\n")
            who.append(f"{name} s{speaker:02}\n")
            rated.append(f"l1 {name} {8 + speaker % 3} clean\nl1 {name} {3 + speaker % 3} protected\n")
    folder.mkdir(parents=True)
    for name, lines in {"text": said, "heard": heard, "utt2spk": who, "ratings": rated}.items():
        (folder / name).write_text("".join(lines), encoding="utf-8")


def _write_matrix(folder: Path) -> None:
    """Ten people enrolled, of each two recordings, and one of a stranger."""
    people = [f"p{n}" for n in range(10)]
    columns = [f"{who}-{n}" for who in people for n in range(2)] + ["x-1"]
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(10, 21)) + 2.0 * np.array([[c[:-2] == p for c in columns] for p in people])
    folder.mkdir(parents=True)
    np.save(folder / "m.npy", scores.astype(np.float32))
    (folder / "rows").write_text("".join(f"{who}\n" for who in people), encoding="utf-8")
    (folder / "columns").write_text("".join(f"{one}\n" for one in columns), encoding="utf-8")
    (folder / "who").write_text("".join(f"{one} {one[:-2]}\n" for one in columns), encoding="utf-8")


# Documents, spoilt place by place

_WRONG: dict[str, Any] = {"text": 7, "number": "x", "flag": "x", "list": 7, "object": 7, "nothing": [[]]}


def _spoilt(document: Any) -> Iterator[tuple[str, Any]]:
    """A document with each kind of place in it left out, of another kind, or with more than is known."""
    for place in _places(document):
        said = ".".join(map(str, place)) or "all of it"
        value = _at(document, place)
        kind = _kind(value)
        changes = [(f"{said} is of another kind", _WRONG[kind])]
        if kind == "number":
            huge = 10**30 if isinstance(value, int) else 1e300
            changes += [(f"{said} is negative", -abs(value) - 1), (f"{said} is huge", huge)]
        if kind == "object":
            changes.append((f"{said} knows more", {**value, "unknown": 1}))
        if kind == "text":
            changes.append((f"{said} is long", "x" * 100_000))
        for what, new in changes:
            yield what, _with(document, place, new)
        if place and isinstance(place[-1], str):
            yield f"{said} is missing", _without(document, place)


def _places(value: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place; of the entries of a list the first of each shape."""
    yield place
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _places(one, (*place, key))
    elif isinstance(value, list):
        shapes = set()
        for number, one in enumerate(value):
            if (shape := _shape(one)) not in shapes:
                shapes.add(shape)
                yield from _places(one, (*place, number))


def _shape(value: Any) -> str:
    return (
        ",".join(f"{key}:{_kind(one)}" for key, one in value.items())
        if isinstance(value, dict)
        else _kind(value)
    )


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "flag"
    kinds = {str: "text", int: "number", float: "number", list: "list", dict: "object"}
    return kinds[type(value)]


def _at(document: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def _with(document: Any, place: tuple[str | int, ...], new: Any) -> Any:
    if not place:
        return new
    made = copy.deepcopy(document)
    _at(made, place[:-1])[place[-1]] = new
    return made


def _without(document: Any, place: tuple[str | int, ...]) -> Any:
    made = copy.deepcopy(document)
    del _at(made, place[:-1])[place[-1]]
    return made


def _of_spoilt(spoilt: Iterator[tuple[str, Any]], use: Callable[[Any], str]) -> Iterator[tuple[str, str]]:
    for what, document in spoilt:
        yield what, use(document)


def _opened(members: dict[str, bytes]) -> str:
    from zebra_core import ZebraError, open_project

    file = Path("spoilt.zebra")
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    try:
        open_project(file)
    except ZebraError as error:
        return f"{type(error).__name__} {error.code}: {error}"
    return "opened"


def _spoilt_members(members: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    for name, content in members.items():
        yield f"without {name}", {one: members[one] for one in members if one != name}
        yield f"{name} cut", {**members, name: content[: len(content) // 2]}
        yield f"{name} empty", {**members, name: b""}
        if name.endswith(".npy"):
            import io

            for what, array in (("of another shape", np.zeros(3)), ("not finite", np.full((2, 3), np.nan))):
                file = io.BytesIO()
                np.save(file, array)
                yield f"{name} {what}", {**members, name: file.getvalue()}
    yield "something else inside", {**members, "other": b""}
    yield "a file that is not what its name says", {**members, "inputs/" + "0" * 64: b"x"}


def _plan_is_read(plan: Any) -> str:
    Path("again/listening-plan.json").write_text(json.dumps(plan), encoding="utf-8")
    answers = sorted(map(str, Path("out/test").glob("*.zebra-answers")))
    arguments = ("again/listening-plan.json", *answers, "-o", "evaluated", "--overwrite", "--bootstrap", "20")
    end = zebra("listen", "--evaluate", *arguments)
    return f"{end.status} {end.error} {end.on_stderr.strip()}".strip() if end.status else "read"


def _spoilt_answers(lines: list[str]) -> Iterator[list[str]]:
    yield lines[:-1]
    yield lines[:1]
    yield []
    yield [*lines[:-1], lines[-1][:-5]]
    yield [lines[0], lines[2], lines[1], *lines[3:]]
    yield [lines[0], *lines[2:]]
    yield [lines[0].replace('"format": 1', '"format": 9'), *lines[1:]]
    yield [*lines[:3], lines[3].replace('"confidence": ', '"confidence": 1'), *lines[4:]]
    yield ["no JSON\n", *lines[1:]]


def _of_answers(plan: str, lines: list[str]) -> str:
    file = Path("again/L01.zebra-answers")
    file.write_text("".join(lines), encoding="utf-8")
    arguments = (plan, str(file), "-o", "evaluated", "--overwrite", "--bootstrap", "20")
    end = zebra("listen", "--evaluate", *arguments)
    return f"{end.status} {end.error} {end.on_stderr.strip()}".strip()


CASES: dict[str, Recipe] = {
    # What takes longest comes first: two are made at a time.
    "recordings": Recipe(recordings, HEARD, PROSE),
    "demo": Recipe(demo, leaves_out=()),
    "german": Recipe(german, leaves_out=("*.pdf/*",)),
    "folder": Recipe(folder, leaves_out=(SCHEMA, "*/summary.pdf/*")),
    "saved": Recipe(saved),
    "evidence": Recipe(evidence),
    "listening": Recipe(listening, leaves_out=(SCHEMA, "*/outcome/L0[23]/*")),
    "museum": Recipe(museum),
    "nameless": Recipe(nameless, leaves_out=PROSE),
    "counted": Recipe(counted),
    "reference": Recipe(reference),
    "commands": Recipe(commands),
    "requirements": Recipe(requirements),
    "help": Recipe(help_),
    "help-de": Recipe(help_de),
}
