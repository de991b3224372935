"""The command that is copied from the sheet does what the sheet does."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.core.words_case import written
from zebra_core.evidence.audit import Answers
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.project.attackers import AttackWords
from zebra_core.project.reading.arrival import arrive
from zebra_gui.cli import main
from zebra_gui.sheet.page import command_of

MATRICES = Path(__file__).parents[2] / "data" / "similarity"


def run(words):
    done = CliRunner().invoke(main, [*words[1:], "--json"])
    assert (words[0], done.exit_code) == ("zebra", 0), done.output
    return json.loads(done.stdout)


def test_what_words_alone_give_away(tmp_path):
    (one,) = arrive([written(tmp_path / "words")], Answers()).tried
    words = command_of(one, AttackWords())
    assert words[1:3] == ["assess", "--transcripts"]
    assert run(words)["d_ece_bits"] == one.entry.assessment.d_ece_bits


@pytest.mark.parametrize("rule", [None, SpeakerRule.BEFORE_HYPHEN])
def test_matrices_of_voices_with_a_map_or_a_rule(tmp_path, rule):
    for file in ("scores_oo.txt.gz", "B2/scores_pp.txt.gz", "utt2spk"):
        path = tmp_path / "other_f" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((MATRICES / "other_f" / file).read_bytes())
    (one,) = arrive([tmp_path], Answers()).tried
    if rule is not None:
        one = replace(one, planned=replace(one.planned, speakers=rule))
    words = command_of(one, AttackWords())
    said = words[words.index("--speakers") + 1]
    assert (words[1], said) == ("similarity", rule.value if rule else str(path))
    found = run(words)
    assert found["g_vd_db"] == one.entry.similarity.g_vd_db
    assert set(found["speakers"]) == set(one.entry.similarity.speakers)
