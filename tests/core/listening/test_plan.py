"""A plan is bound by its id: whatever in it is altered after the test was made, it is refused."""

import json
import stat
import sys

import pytest

from tests.core.listening.cases import made, recordings
from zebra_core.errors import InputError
from zebra_core.listening.plan import NAME, read_plan


@pytest.fixture(scope="module")
def plan_file(tmp_path_factory):
    top = recordings(tmp_path_factory.mktemp("plan"))
    made(top)
    return top / "test" / NAME


def shuffle_speakers(plan):
    rows = plan["recordings"]
    rows[0]["speaker"], rows[-1]["speaker"] = rows[-1]["speaker"], rows[0]["speaker"]


def exchange_safeguards(plan):
    for item in plan["listeners"][0]["items"]:
        item["safeguard"] = "" if item["safeguard"] else "mask"


@pytest.mark.parametrize(
    "alter",
    [
        shuffle_speakers,
        exchange_safeguards,
        lambda plan: plan.update(seed=4),
        lambda plan: plan.update(title="Other ears"),
        lambda plan: plan.update(enrol_protected=not plan["enrol_protected"]),
        lambda plan: plan.update(consent_sha256="0" * 64),
        lambda plan: plan["safeguards"].reverse(),
        lambda plan: plan["listeners"].pop(),
        lambda plan: plan["recordings"][0]["sha256"].update(mask="0" * 64),
    ],
)
def test_an_altered_plan_is_refused(plan_file, tmp_path, alter):
    plan = json.loads(plan_file.read_text())
    alter(plan)
    (tmp_path / NAME).write_text(json.dumps(plan))
    with pytest.raises(InputError, match="was altered after the listening test was made"):
        read_plan(tmp_path / NAME)


def test_a_plan_is_read_as_it_was_made_and_is_for_its_owner_alone(plan_file):
    assert read_plan(plan_file).id == json.loads(plan_file.read_text())["test"]
    if sys.platform != "win32":
        assert stat.S_IMODE(plan_file.stat().st_mode) == 0o600
