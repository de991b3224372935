"""The input of a network: filter banks of some kind, or samples; as its own file says, or one beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import fault, json_object, optional
from zebra_core.files import strict_json
from zebra_core.files.opening import open_regular
from zebra_core.intake.recordings_file import TAKES, Line
from zebra_core.recordings.filter_banks import BANDS, FULL_SCALE, filter_banks, without_mean
from zebra_core.recordings.sound import Samples

_MOST_BYTES = 1 << 16
_NEEDED = {
    "filter-banks": ("axes", "bands", "window", "full_scale", "mean"),
    "samples": ("full_scale",),
}
"""Nothing of it is guessed."""
_DESCRIPTION = json_object("NetworkDescription", **TAKES, name=optional(Line), licence=optional(Line))


@dataclass(frozen=True)
class NetworkInput:
    """Sound at 16 kHz as a network takes it. The defaults are those of the network that ZEBRA ships with."""

    input: str = "filter-banks"  # or "samples"
    axes: str = "frames-bands"  # or "bands-frames"
    bands: int = BANDS
    window: str = "povey"  # or "hamming", "hann"
    full_scale: int = FULL_SCALE  # or 1
    mean: str = "subtracted"  # or "kept"
    output: str | None = None  # else the only one

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> NetworkInput:
        """The network input that a record describes; what it says of the network itself is ignored."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})

    def as_json(self) -> dict[str, Any]:
        """The object that is written to a record."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @property
    def in_words(self) -> str:
        """A description in technical terms, for people who know the network."""
        return ", ".join(f"{name} {value}" for name, value in self.as_json().items())

    def made_of(self, samples: Samples) -> NDArray[np.float32]:
        """The network's input for one channel of samples at 16 kHz."""
        if self.input == "samples":
            return samples * np.float32(self.full_scale)
        found = filter_banks(samples, self.window, self.bands, self.full_scale)
        found = without_mean(found) if self.mean == "subtracted" else found
        return found if self.axes == "frames-bands" else np.ascontiguousarray(found.T)


AS_SHIPPED = NetworkInput()


@dataclass(frozen=True)
class NetworkDescription:
    """The content of the file beside a network: its input, and what it says of the network."""

    takes: NetworkInput
    name: str | None
    licence: str | None


def file_beside(model: Path) -> Path:
    """The file that may say what a network takes: of the same name, with the ending .json."""
    return model.with_suffix(".json")


def beside(model: Path) -> NetworkDescription | None:
    """What the file beside a network says; None where there is none.

    Raises InputError for what is not as the schema says.
    """
    path = file_beside(model)
    if not path.exists():
        return None
    refused = partial(InputError, "model-says", file=path.name, model=model.name)
    with open_regular(path) as file:
        content = file.read(_MOST_BYTES + 1)
    try:
        values: Any = strict_json.parse(content) if len(content) <= _MOST_BYTES else None
    except (ValueError, RecursionError) as error:
        raise refused(at=str(error) or type(error).__name__) from error
    at = fault(values, _DESCRIPTION)
    at = at or next((name for name in _NEEDED[values["input"]] if name not in values), None)
    if at is not None:
        raise refused(at=at)
    return NetworkDescription(NetworkInput.of(values), values.get("name"), values.get("licence"))
