"""`zebra score`, `zebra protect` and `zebra demo --recordings`."""

import json
import shutil
import sys

import pytest
import soundfile

from tests.core.recordings.samples import ORIGINAL
from tests.zebra_gui.test_cli import zebra as run_zebra

SPEAKERS = ("3331", "2414")


def zebra(*arguments):
    return run_zebra(*map(str, arguments))


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """Two short recordings each of two speakers."""
    top = tmp_path_factory.mktemp("speech") / "original"
    for speaker in SPEAKERS:
        for path in sorted((ORIGINAL / speaker).iterdir())[:2]:
            (top / speaker).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, top / speaker)
    return top


@pytest.fixture(scope="module")
def protected(original):
    out = original.parent / "B2"
    done = zebra("protect", "--with", "mcadams", original, "-o", out)
    assert done.exit_code == 0
    return out


def test_protecting_says_what_was_done_and_that_it_is_weak(original, protected):
    done = zebra("protect", "--with", "mcadams", original, "-o", protected)

    assert done.stdout.splitlines() == [
        f"4 recordings under mcadams are in {protected}.",
        "4 of them already existed, made from the same recordings in the same way.",
        "This safeguard is weak by design: it is there to stand beside others.",
    ]
    for path in original.rglob("*.flac"):
        copy = soundfile.info(protected / path.relative_to(original))
        assert (copy.frames, copy.samplerate) == (soundfile.info(path).frames, 16_000)


def test_a_drawn_coefficient_needs_to_know_whose_it_is(original, tmp_path):
    drawn = ("protect", "--with", "mcadams", "--random", "speaker")

    assert zebra(*drawn, original, "-o", tmp_path / "a").exit_code == 2
    assert zebra(*drawn, "--coefficient", "0.7", original, "-o", tmp_path / "a").exit_code == 2
    done = zebra(*drawn, "--speakers", "first-folder", "--seed", "4", original, "-o", tmp_path / "a")
    assert done.exit_code == 0
    assert "identified by the rule first-folder: 2414/2414-128291-0006.flac → 2414" in done.stderr
    record = json.loads((tmp_path / "a" / "protected.json").read_text())
    assert record["settings"] == {"coefficient": None, "random": "speaker", "seed": 4}


def test_scores_are_those_that_compare_takes(original, protected, tmp_path):
    out = tmp_path / "scores"
    given = ("score", "--original", original, "--protected", f"B2={protected}", "--speakers", "first-folder")
    done = zebra(*given, "--attacker", "cosine", "--json", "-o", out)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert [(one["condition"], one["attacker"]) for one in found["attacks"]] == [
        ("oo", "none"), ("oa", "ignorant"), ("aa", "lazy-informed"),
    ]  # fmt: skip
    for one in found["attacks"]:
        key = out / "data" / "recordings_trials" / "trials"
        assessed = zebra("assess", "-s", out / one["scores"], "-k", key, "--json")
        assert json.loads(assessed.stdout)["eer"] == one["eer"]
    assert len((out / "data" / "recordings_trials" / "trials").read_text().splitlines()) == 4


def test_the_table_says_the_strongest_first_and_at_least(original, protected, tmp_path):
    given = ("score", "--original", original, "--protected", f"B2={protected}", "--speakers", "first-folder")
    done = zebra(*given, "--trials", "all", "--attacker", "cosine", "-o", tmp_path / "scores")

    assert "4 recordings of 2 speakers, 0.3 minutes of original speech, are compared." in done.stdout
    assert "6 trials, 2 of them target (within)." in done.stdout
    assert "12 trials, 4 of them target (across)." in done.stdout
    assert "B2 o-a  ignorant, cosine" in done.stdout
    assert "A stronger recogniser may find more." in done.stdout


@pytest.mark.parametrize("command", ["protect", "score"])
def test_a_folder_without_recordings_is_told_and_nothing_is_made_of_it(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "speech").mkdir()
    given = {
        "protect": ("--with", "mcadams", "speech"),
        "score": ("--original", "speech", "--speakers", "first-folder"),
    }
    done = zebra(command, *given[command], "-o", "out")

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        "zebra: There are no recordings in speech. Give a folder that contains sound files, such as WAV, "
        "FLAC or MP3.\n"
    )
    assert not (tmp_path / "out").exists()


def test_the_folder_of_a_relative_name_is_told_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = zebra("score", "--original", "speech", "--speakers", "first-folder", "-o", "out")

    assert done.stderr.startswith(f"zebra: speech was not found in {str(tmp_path)[:40]}")


@pytest.mark.parametrize(
    "wrong",
    [
        ("--protected", "B2"),
        ("--protected", "B2=x", "--protected", "B2=y"),
        ("--trials", "all", "--enrol", "2"),
        ("--training-protected", "B2=x"),
        ("--training-speakers", "first-folder"),
    ],
)
def test_wrong_usage_is_told(original, tmp_path, wrong):
    given = ("score", "--original", original, "--speakers", "first-folder", "-o", tmp_path / "out", *wrong)

    assert zebra(*given).exit_code == 2


def test_embeddings_are_kept_only_if_asked_for_and_forgotten_on_request(original, tmp_path):
    given = ("score", "--original", original, "--speakers", "first-folder", "--attacker", "cosine")
    kept = tmp_path / "kept"
    done = zebra(*given, "--keep-embeddings", kept, "-o", tmp_path / "out")

    assert f"Embeddings of 4 recordings are in {kept}. They are biometric data" in done.stderr
    assert len(list(kept.iterdir())) == 4
    assert zebra("forget", kept).stdout == f"The embeddings of 4 recordings were removed from {kept}.\n"
    assert not kept.exists()
    assert zebra("forget", kept).exit_code == 1


@pytest.mark.parametrize(
    "command",
    [
        ("score", "--original", ORIGINAL, "--speakers", "first-folder", "-o", "out"),
        ("demo", "--recordings", "--out", "out"),
    ],
)
def test_without_the_extra_a_sentence_names_it(monkeypatch, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    done = zebra(*command)

    assert done.exit_code == 1
    assert "pip install zebra-privacy[recordings]" in done.stderr
    assert not any((tmp_path / "out").rglob("scores/*"))
