"""What the names of files and folders say about segment scores: the setting, the run, the safeguard.

A name is cut into words at `_`, `-`, blanks and dots; capitals do not matter.

- `oo`, `op`, `pp` are settings, and so are `oa`, `aa` of the VoicePrivacy evaluations, with a hyphen or not;
- `run0`, `run_0` is a run; `p0p1` is the setting PP with run 0 on the first side and run 1 on the second;
- `scores`, `similarity`, `matrix` and the like say nothing;
- what remains of the file's name is the safeguard; where nothing remains, it is the folder.

A folder that says nothing but a setting or a run (`B2r/run0/op/scores`) counts as a part of the file's name.

What is called after a setting below `matrices/SET` is there for matrices, whatever keys list its pairs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zebra_core.intake.opening.opening import Source

MATRICES = "matrices"
"""The folder of sets whose scores are there for matrices: `matrices/SET/[SAFEGUARD/[RUN/]]scores_op.txt`."""
_MOST_FOLDERS = 4  # from there on
_SETTINGS = {"oo": "oo", "op": "op", "oa": "op", "pp": "pp", "aa": "pp"}
_SAYS_NOTHING = frozenset(
    {"score", "scores", "similarity", "similarities", "matrix", "matrices", "segment", "segments", "pairs"}
)
_ENDINGS = re.compile(r"(\.(gz|bz2|xz|txt|csv|tsv|lst|scores?|npy|npz|h5|hdf5))+$", re.IGNORECASE)
_HYPHENED = re.compile(
    r"(?<![A-Za-z0-9])([oO])-([oOpPaA])(?![A-Za-z0-9])|(?<![A-Za-z0-9])([aApP])-([aApP])(?![A-Za-z0-9])"
)
_RUN_APART = re.compile(r"(?<![A-Za-z0-9])(run)[-_ ]([0-9]+)(?![A-Za-z0-9])", re.IGNORECASE)
_RUN = re.compile(r"run([0-9]+)")
_ACROSS_RUNS = re.compile(r"p([0-9]+)p([0-9]+)")
_BETWEEN_WORDS = re.compile(r"[_\-\s.]+")


@dataclass(frozen=True)
class SegmentName:
    """What one name says. `settings` has more than one where it contradicts itself."""

    settings: frozenset[str] = frozenset()  # of "oo", "op", "pp"
    run: str = ""
    across_runs: bool = False
    rest: str = ""  # what remains, as it is written

    @property
    def says_only_where(self) -> bool:
        """Whether it names a setting or a run, and nothing else."""
        return bool(self.settings or self.run) and not self.rest

    def within(self, folder: SegmentName) -> SegmentName:
        """This name with what the folder around it adds."""
        return SegmentName(
            self.settings | folder.settings,
            self.run or folder.run,
            self.across_runs or (folder.across_runs and not self.run),
            self.rest or folder.rest,
        )


@dataclass(frozen=True)
class SegmentPlace:
    """Where a file of segment scores belongs, as far as names say it."""

    setting: str | None  # None: no name says it, or they contradict each other
    run: str
    across_runs: bool
    safeguard: str
    folder: tuple[str, ...]  # in which the files of the safeguard lie


def said_by(name: str) -> SegmentName:
    """What a name without its ending says."""
    together = _HYPHENED.sub(lambda found: found[0].replace("-", ""), name)
    together = _RUN_APART.sub(r"\1\2", together)
    settings: set[str] = set()
    rest: list[str] = []
    run, across_runs = "", False
    for word in filter(None, _BETWEEN_WORDS.split(together)):
        low = word.lower()
        if low in _SETTINGS:
            settings.add(_SETTINGS[low])
        elif across := _ACROSS_RUNS.fullmatch(low):
            settings.add("pp")
            run, across_runs = f"{across[1]}\N{EN DASH}{across[2]}", True
        elif one := _RUN.fullmatch(low):
            run = one[1]
        elif low not in _SAYS_NOTHING:
            rest.append(word)
    return SegmentName(frozenset(settings), run, across_runs, "_".join(rest))


def is_for_matrices(source: Source) -> bool:
    """Whether a file lies where scores for similarity matrices do, and is called after its setting."""
    *folders, _file = source.folders
    return MATRICES in folders[-_MOST_FOLDERS:] and segment_place(source).setting is not None


def segment_place(source: Source) -> SegmentPlace:
    """Where a file of segment scores belongs, by its own name and by those of its folders."""
    *folders, file = source.folders
    said = said_by(_ENDINGS.sub("", file))
    while folders and (around := said_by(folders[-1])).says_only_where:
        said = said.within(around)
        folders.pop()
    if not said.rest and folders:
        around = said_by(folders[-1])
        if around.settings or around.run:  # B2_op/scores, B2r_run1/op: the safeguard and where it belongs
            said = said.within(around)
            folders.pop()
    [setting] = said.settings if len(said.settings) == 1 else [None]
    safeguard = said.rest or (folders[-1] if folders else file)
    return SegmentPlace(setting, said.run, said.across_runs, safeguard, tuple(folders))
