"""The page for a cluster: its run-through is run, and what it says of counts is so."""

import json

import pytest
from click.testing import CliRunner

import zebra_core
from cluster.run_through import commands, put_files
from zebra_core.errors import InputError
from zebra_core.project.comparison.linking import reidentification_of
from zebra_core.project.reading.reading import assess_files, study_of
from zebra_core.speakers.zoo import ZooScale
from zebra_gui.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the commands of the page were given, one after the other."""
    place = tmp_path_factory.mktemp("cluster")
    put_files(place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for command in commands():
            found = CliRunner().invoke(main, command)
            assert found.exit_code == 0, (command, found.output)
    return place


def test_the_figures_are_those_of_the_trials(folder):
    held = zebra_core.assess(zebra_core.read_trials(folder / "scores", folder / "trials"))
    counted = zebra_core.assess(zebra_core.read_trials(folder / "B2.parquet"))
    assert (counted.d_ece_bits, counted.eer) == (held.d_ece_bits, held.eer)


def test_speakers_at_risk_and_the_zoo_come_of_counts_under_codes(folder):
    codes = dict(line.split(",") for line in (folder / "codes.csv").read_text().splitlines()[1:])
    study = study_of(assess_files(folder / "B2.parquet"))
    assert {row.speaker for row in study.disclosures.speakers} <= set(codes)
    assert set(study.zoo(ZooScale.SCORE).speakers) <= set(codes)


def test_two_safeguards_have_the_same_codes(folder):
    first, second = (study_of(assess_files(folder / name)) for name in ("B2.parquet", "B1w.parquet"))
    assert {row.speaker for row in first.disclosures.speakers} == {
        row.speaker for row in second.disclosures.speakers
    }


def test_linkage_does_not_come_of_counts(folder):
    with pytest.raises(InputError, match="A file of counts does not contain these scores"):
        reidentification_of(assess_files(folder / "B2.parquet"))


def test_the_answer_asks_for_the_trials_themselves(folder):
    (folder / "counted").mkdir()
    (folder / "counted" / "B2.parquet").write_bytes((folder / "B2.parquet").read_bytes())
    found = CliRunner().invoke(main, ["compare", str(folder / "counted"), "--json"])
    answer = json.loads(found.stdout)["answers"][0]
    assert "give the trials themselves" in str(answer)
