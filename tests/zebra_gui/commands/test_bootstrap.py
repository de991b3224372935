"""`zebra assess --bootstrap`."""

import json
import os
import signal

import pytest

from tests.zebra_gui.commands.test_assess import JSON_KEYS, KEY, SCORES, zebra
from zebra_core.errors import Cancelled
from zebra_gui.commands.terminal import stoppable


def test_json_gains_the_intervals_the_null_the_seed_and_nothing_else() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--bootstrap", "40", "--seed", "3", "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert list(found)[: len(JSON_KEYS)] == JSON_KEYS
    assert set(found) - set(JSON_KEYS) == {
        "intervals", "level", "corrected", "null", "null_p", "null_replicates", "null_tag_share", "seed",
        "replicates",
    }  # fmt: skip
    assert (found["seed"], found["replicates"], found["level"]) == (3, 40, 0.95)
    low, high = found["intervals"]["d_ece_bits"]
    assert 0.1 < low < found["corrected"]["d_ece_bits"] < high < 0.25
    median, one_in_twenty = found["null"]["d_ece_bits"]
    assert 0.0 < median < one_in_twenty < 0.03


def test_the_same_seed_prints_the_same_and_another_does_not() -> None:
    def printed(seed: str) -> str:
        return zebra("assess", "-s", SCORES, "-k", KEY, "--bootstrap", "30", "--seed", seed).stdout

    assert printed("1") == printed("1") != printed("2")


def test_the_table_follows_the_three_lines() -> None:
    lines = zebra("assess", "-s", SCORES, "-k", KEY, "--bootstrap", "30").stdout.splitlines()
    assert lines[1:3] == ["Population: 0.205 bit", "Individual: 2.394 (C)"]
    assert lines[4] == "95 % intervals over 63 speakers, 30 replicates, seed 0:"
    assert not [line for line in lines if "at the limit of these data" in line]  # 2.39, where 3.99 can be


def test_too_few_replicates_are_refused_in_a_sentence() -> None:
    done = zebra("assess", "-s", SCORES, "-k", KEY, "--bootstrap", "5")
    assert done.exit_code == 1
    assert done.stderr.endswith("Ask for at least 20, better 1000.\n")


def test_ctrl_c_stops_between_two_steps() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stoppable(lambda _share: None) as progress:
        progress(0.5)
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(Cancelled):
            progress(0.6)
    assert signal.getsignal(signal.SIGINT) is before
