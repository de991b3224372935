"""A folder that is no project has a sentence."""

import pytest

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.opening import opening
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.reading.reading import counts_of, named_trials_of


@pytest.mark.parametrize("place", ["", "inside/deep"])
def test_a_folder_of_more_files_than_anybody_means_has_a_sentence(tmp_path, monkeypatch, place):
    monkeypatch.setattr(opening, "MOST_FILES", 3)
    folder = tmp_path / "many"
    (folder / place).mkdir(parents=True)
    for number in range(4):
        (folder / place / f"{number}.txt").write_text("a b 1.0\n")

    with pytest.raises(InputError, match=r"many contains more than 3 files"):
        project_of_folder(folder)


def test_a_rule_says_who_speaks_in_lists_as_a_map_does(tmp_path):
    """Two models of each speaker, which no target trial joins."""
    trials = [(f"s{a}-{n}", f"s{b}-{n + 4}", a == b) for a in range(6) for b in range(6) for n in (0, 1)]
    folder = tmp_path / "B2"
    folder.mkdir()
    (folder / "scores").write_text(
        "".join(f"{a} {b} {n % 7 + 3 * t}\n" for n, (a, b, t) in enumerate(trials))
    )
    kinds = ("nontarget", "target")
    (folder / "trials").write_text("".join(f"{a} {b} {kinds[t]}\n" for a, b, t in trials))
    who = tmp_path / "utt2spk"
    who.write_text("".join(f"s{one}-{n} s{one}\n" for one in range(6) for n in (0, 1, 4, 5)))

    def people(speakers, stream=None):
        (entry,) = project_of_folder(folder, speakers=speakers, answers=Answers(stream or {})).project.entries
        named = counts_of(entry) if stream else named_trials_of(entry)
        return entry.n_speakers, sorted(named.speakers)

    assert people(None)[0] is None
    assert people(SpeakerRule.BEFORE_HYPHEN) == people(who)
    assert people(who)[0] == 6
    assert people(SpeakerRule.BEFORE_HYPHEN, {"streaming": "yes"}) == people(who)
