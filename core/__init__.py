"""The public door of the core: trials in, figures out; no window needed.

>>> import core
>>> trials = core.read_trials("scores", "trials")           # doctest: +SKIP
>>> assessment = core.assess(trials)                        # doctest: +SKIP
>>> assessment.d_ece_bits, assessment.tag                   # doctest: +SKIP
(0.6781596897162824, 'C')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core import version

if TYPE_CHECKING:
    from core.assessment import Assessment, ScoreMeaning, Settings, assess
    from core.errors import Cancelled, InputError, OutputError, ZebraError
    from core.intake.drop import read_trials
    from core.remarks import Remark
    from core.trials import Trials

__version__ = version.VERSION

_HOMES = {
    "Assessment": "core.assessment",
    "ScoreMeaning": "core.assessment",
    "Settings": "core.assessment",
    "assess": "core.assessment",
    "Cancelled": "core.errors",
    "InputError": "core.errors",
    "OutputError": "core.errors",
    "ZebraError": "core.errors",
    "read_trials": "core.intake.drop",
    "Remark": "core.remarks",
    "Trials": "core.trials",
}

__all__ = [
    "Assessment",
    "Cancelled",
    "InputError",
    "OutputError",
    "Remark",
    "ScoreMeaning",
    "Settings",
    "Trials",
    "ZebraError",
    "__version__",
    "assess",
    "read_trials",
]


def __getattr__(name: str) -> Any:
    # NumPy, SciPy and pandas are loaded when first needed, so that `zebra --help` need not wait for them.
    if home := _HOMES.get(name):
        return getattr(import_module(home), name)
    raise AttributeError(f"module 'core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
