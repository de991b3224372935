"""What is known of the utility of speech, in project.json."""

from __future__ import annotations

from collections.abc import Mapping

from zebra_core.project.items import SpeechKey
from zebra_core.project.utility import Utility
from zebra_core.saved.extras import made_of
from zebra_core.saved.values import SavedValue

MOST_UTILITIES = 10_000


def utilities_as_json(utilities: Mapping[SpeechKey, Utility]) -> list[dict[str, object]]:
    """A list of objects, which `utilities_of` reads."""
    return [{**key._asdict(), **utility.as_json()} for key, utility in utilities.items()]


def utilities_of(project: SavedValue) -> dict[SpeechKey, Utility]:
    """The utilities of a saved project. Raises InputError where they are not what was saved."""
    return {
        SpeechKey(*(row[name].text() for name in SpeechKey._fields)): made_of(row, Utility.from_json)
        for row in project["utilities"].rows(MOST_UTILITIES)
    }
