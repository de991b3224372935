"""A file of a drop is opened once: what is recognised is what is read, within bounds."""

from pathlib import Path

import pytest

from zebra_core.intake import planned
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening import opening
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.planned import Contents
from zebra_core.intake.sorting.recognised import found_file
from zebra_core.project.reading.arrival import arrive

LINES = "".join(f"s{n % 3} t{n} {n / 4}\n" for n in range(50))


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The names of the files that are opened, in turn."""
    names: list[str] = []
    read = opening._read
    monkeypatch.setattr(
        opening, "_read", lambda source, *rest: (names.append(source.name), read(source, *rest))[1]
    )
    return names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    key = "".join(f"s{n % 3} t{n} {'target' if n % 2 else 'nontarget'}\n" for n in range(50))
    (tmp_path / "trials").write_text(key)
    for name in ("A", "B"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "scores").write_text(LINES)
    return tmp_path


def test_each_file_of_a_folder_is_opened_once(folder: Path, opened: list[str]) -> None:
    assert len(arrive([folder]).entries) == 2
    assert sorted(opened) == ["scores", "scores", "trials"]


def test_what_finds_no_room_is_opened_again_and_comes_to_the_same(folder, opened, monkeypatch) -> None:
    before = [entry.assessment.d_ece_bits for entry in arrive([folder]).entries]
    opened.clear()
    monkeypatch.setattr(planned, "_MOST_BYTES", 0)
    assert [entry.assessment.d_ece_bits for entry in arrive([folder]).entries] == before
    assert sorted(opened) == ["scores", "scores", "scores", "scores", "trials", "trials"]


def test_what_is_kept_is_given_out_once_and_then_read_from_disk(tmp_path: Path, opened: list[str]) -> None:
    (tmp_path / "scores").write_text("# made by hand\n" + LINES)
    recognised = recognise(open_file(tmp_path / "scores"))
    kept, file = Contents(), found_file(recognised)
    kept.keep(recognised)
    opened.clear()
    first, second = kept.table(file), kept.table(file)
    assert opened == ["scores"]
    assert first.score.tolist() == second.score.tolist() == [n / 4 for n in range(50)]
    assert first.records() == second.records()
    assert first.examples([1])[0].line == second.examples([1])[0].line == 3


@pytest.mark.parametrize("where", ["trials", "scores", "utt2spk", "spk2gender"])
def test_ids_and_words_too_long_for_a_name_are_refused(folder: Path, where: str) -> None:
    longest, too_long = "s" * 4096, "s" * 4097
    lines = {
        "trials": f"{too_long} t0 target\n",
        "scores": f"{too_long} t0 0.5\n",
        "utt2spk": "".join(f"t{n} s{n % 3}\n" for n in range(50)) + f"t99 {too_long}\n",
        "spk2gender": f"s0 f\ns1 m\n{too_long} f\n",
    }
    file = folder / ("A/scores" if where == "scores" else where)
    text = (file.read_text() if file.exists() else "") + lines[where]
    file.write_text(text)
    assert f"{where} has an id or a word of more than 4" in told_of(folder)
    file.write_text(text.replace(too_long, longest))
    assert "has an id or a word" not in told_of(folder)


def told_of(folder: Path) -> str:
    arrival = arrive([folder])
    problems = [one.error for one in arrival.plan.problems]
    return " ".join(map(str, [*problems, *(one.error for one in arrival.tried)]))
