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
        "zebra: error: There are no recordings in speech. Give a folder that contains sound files, such as "
        "WAV, FLAC or MP3.\n"
    )
    assert not (tmp_path / "out").exists()


def test_the_folder_of_a_relative_name_is_told_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = zebra("score", "--original", "speech", "--speakers", "first-folder", "-o", "out")

    assert done.stderr.startswith(f"zebra: error: speech was not found in {str(tmp_path)[:40]}")


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


@pytest.fixture(scope="module")
def vendor(original, protected, tmp_path_factory):
    """The copies as a vendor names them, one of them twice, one otherwise; and a table beside them."""
    top = tmp_path_factory.mktemp("vendor") / "delivery"
    places = sorted(protected.rglob("*.flac"))
    for place in places[:-1]:
        copy = top / "March" / f"{place.stem}_ANON.flac"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place, copy)
    shutil.copy(places[-1], top / "March" / "REC0001.flac")
    lines = [f"{place.stem};2026-01-0{n};Agent {place.parent.name}\n" for n, place in enumerate(places, 1)]
    (top.parent / "calls.csv").write_text("Call;Day;Who\n" + "".join(lines))
    return top


def test_copies_that_are_named_otherwise_are_paired_by_a_rule_which_is_told_and_recorded(
    original, vendor, tmp_path
):
    given = ("score", "--original", original, "--protected", f"V={vendor}", "--speakers", "first-folder")
    done = zebra(*given, "--trials", "all", "--attacker", "cosine", "--json", "-o", tmp_path / "out")

    assert done.exit_code == 0
    assert "zebra: Copies under V are paired with originals by the rule {}={}_ANON: 2414/" in done.stderr
    assert "so that its original cannot be told, and was left alone: March/REC0001.flac." in done.stderr
    found = json.loads(done.stdout)
    pairs = found["pairs_by"]["V"]
    assert (pairs["rule"], pairs["named_otherwise"]) == ("{}={}_ANON", ["March/REC0001.flac"])
    assert len(pairs["missing"]) == 1
    assert all(row["protected"]["V"]["file"] == f"March/{row['id']}_ANON.flac" for row in found["recordings"])


def test_names_that_leave_it_open_end_with_lines_to_copy(original, vendor, tmp_path):
    twice = tmp_path / "twice"
    shutil.copytree(vendor, twice)
    for copy in (vendor / "March").glob("*_ANON.flac"):
        shutil.copy(copy, twice / copy.name.replace("_ANON", "_v2"))
    given = ("score", "--original", original, "--protected", f"V={twice}", "--speakers", "first-folder")
    plain = ("--trials", "all", "--attacker", "cosine")
    done = zebra(*given, *plain, "-o", tmp_path / "out")

    assert (done.exit_code, done.stdout) == (1, "")
    head, *ways = done.stderr.splitlines()
    assert "do not tell beyond doubt which copies under V belong to which originals" in head
    assert [way.split("   ")[0] for way in ways] == ["  --pairs '{}={}_v2'", "  --pairs '{}={}_ANON'"]
    chosen = zebra(*given, *plain, "--pairs", "{}={}_v2", "--json", "-o", tmp_path / "out")
    assert json.loads(chosen.stdout)["pairs_by"]["V"]["rule"] == "{}={}_v2"


def test_a_table_says_the_pairs_and_a_column_who_speaks(original, vendor, tmp_path):
    stems = sorted(path.stem for path in original.rglob("*.flac"))
    copies = [f"{stem}_ANON.flac" for stem in stems[:-1]] + ["REC0001.flac"]
    rows = [f"{stem},{copy}\n" for stem, copy in zip(stems, copies, strict=True)]
    (tmp_path / "pairs.csv").write_text("original,copy\n" + "".join(rows))
    given = ("score", "--original", original, "--protected", f"V={vendor}", "--attacker", "cosine")
    calls = ("--speakers", vendor.parent / "calls.csv")
    asked = zebra(*given, *calls, "-o", tmp_path / "out")
    assert asked.exit_code == 1
    assert "or say which column names the speakers: Day or Who." in asked.stderr

    by_table = (*given, *calls, "--speaker-column", "Who", "--pairs", tmp_path / "pairs.csv")
    done = zebra(*by_table, "--trials", "all", "--json", "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert "Speakers are identified by the column Who of calls.csv: " in done.stderr
    found = json.loads(done.stdout)
    assert found["speakers_by"]["column"] == "Who"
    assert (found["pairs_by"]["V"]["file"], len(found["recordings"])) == ("pairs.csv", 4)


def test_a_column_of_a_rule_is_wrong_usage(original, tmp_path):
    rule = ("--speakers", "first-folder", "--speaker-column", "Who")
    done = zebra("score", "--original", original, *rule, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "--speaker-column names a column of a table, but --speakers first-folder is a rule." in done.stderr
