"""What is known of the utility of speech, in project.json."""

from __future__ import annotations

from collections.abc import Mapping

from core.saved.extras import made_of
from core.saved.values import Saved
from core.utility.measured import SpeechKey, Utility

MOST_UTILITIES = 10_000


def utilities_as_json(utilities: Mapping[SpeechKey, Utility]) -> list[dict[str, object]]:
    """A list of objects, which `utilities_of` reads."""
    return [{**key._asdict(), **utility.as_json()} for key, utility in utilities.items()]


def utilities_of(project: Saved) -> dict[SpeechKey, Utility]:
    """The utilities of a saved project. Raises InputError where they are not what was saved."""
    return {
        SpeechKey(*(row[name].text() for name in SpeechKey._fields)): made_of(row, Utility.from_json)
        for row in project["utilities"].rows(MOST_UTILITIES)
    }
