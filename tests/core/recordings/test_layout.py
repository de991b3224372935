"""Folders of scores say who attacks, and are read so; names that would be misread are refused."""

import pytest

from tests.core.recordings.test_back_ends import arena
from zebra_core.errors import InputError
from zebra_core.project.folder import project_of_folder
from zebra_core.recordings.attacks import Arena, attacks_on
from zebra_core.recordings.layout import require_name, write_data, write_scores

WITHIN = "cosine, whitened within speakers"


@pytest.mark.parametrize("name", ["B2", "my-system_v2.1"])
def test_every_attacker_is_read_off_its_folder(tmp_path, name):
    stage = arena(10)
    stage = Arena(stage.trials, {"": stage.embeddings[""], name: stage.embeddings["B2"]})
    write_data(tmp_path, stage.trials, {}, {})
    for attack in attacks_on([name], all_of_them=True):
        write_scores(tmp_path, attack, stage.trials, stage.attacked(attack).scores)
    found = project_of_folder(tmp_path).project.entries

    assert {one.dataset for one in found} == {"recordings"}
    assert sorted((e.name, e.condition.value, e.attacker, e.back_end) for e in found) == sorted(
        [
            *(("unprotected", "OO", "", back_end) for back_end in ("cosine", "centred cosine", WITHIN)),
            *((name, "OP", "ignorant", back_end) for back_end in ("cosine", "centred cosine", WITHIN)),
            *((name, "PP", "lazy-informed", back_end) for back_end in ("cosine", "centred cosine", WITHIN)),
            *(
                (name, condition, "semi-informed", back_end)
                for condition in ("OP", "PP")
                for back_end in ("cosine", "centred cosine, back-end adapted", f"{WITHIN}, back-end adapted")
            ),
        ]
    )


@pytest.mark.parametrize(
    "name",
    ["f", "M_2", "anon", "all-of-it", "my trials", "enrolled", "a/b", "", "ü", "x" * 61, "my_op", "run1"],
)
def test_names_that_would_be_misread_are_refused(name):
    with pytest.raises(InputError, match="cannot be the name of a safeguard"):
        require_name(name)


def test_scores_are_written_to_the_last_digit_and_transcripts_where_they_are_known(tmp_path):
    stage = arena(10)
    attack = attacks_on(["B2"], all_of_them=False)[1]
    scores = stage.attacked(attack).scores
    path = write_scores(tmp_path, attack, stage.trials, scores).path
    first = stage.trials.ids[0]
    words = {first: "SO IT IS", "x": "NO"}
    files = [one.path for one in write_data(tmp_path, stage.trials, {"00": "f"}, words)]

    assert [float(line.split()[2]) for line in path.read_text().splitlines()] == scores.tolist()
    assert [one.name for one in files] == ["trials", "utt2spk", "spk2gender", "text"]
    assert files[2].read_text() == "00 f\n"
    assert files[3].read_text() == f"{first} SO IT IS\n"
