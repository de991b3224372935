"""What comes along with ZEBRA, of whom, and under which licences, as one readable text.

A bundle has the text in it, written when it was made: only then is it known what is inside. Elsewhere it is
put together from what the installed packages say of themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import zebra_resources
from zebra_core.wording.texts import say

TEXT = "licences.txt"  # in a bundle
_OWN = "zebra-privacy"
_RULE = "─" * 78
_CAM = "https://github.com/modelscope/3D-Speaker"
_LIBRI = "https://www.openslr.org/12"
_QT = ("pyside6-essentials", "shiboken6")
_LGPL = ("licences/LGPL-3.0.txt", "licences/GPL-3.0.txt")  # the first refers to the second
_LESSER = (
    (
        "pyside6-essentials",
        "PySide6",
        "LGPL-3.0-only",
        "https://download.qt.io/official_releases/QtForPython",
    ),
    ("pyside6-essentials", "Qt", "LGPL-3.0-only", "https://download.qt.io/official_releases/qt"),
    ("shiboken6", "Shiboken", "LGPL-3.0-only", "https://download.qt.io/official_releases/QtForPython"),
    ("soundfile", "libsndfile", "LGPL-2.1-or-later", "https://github.com/libsndfile/libsndfile"),
    ("soundfile", "mpg123", "LGPL-2.1-only", "https://mpg123.de"),
    ("soundfile", "LAME", "LGPL-2.0-or-later", "https://lame.sourceforge.io"),
    ("soxr", "libsoxr", "LGPL-2.1-or-later", "https://sourceforge.net/projects/soxr"),
    ("lxml", "libiconv", "LGPL-2.1-or-later", "https://www.gnu.org/software/libiconv"),
    ("numpy", "libquadmath", "LGPL-2.1-or-later", "https://gcc.gnu.org/git.html"),
    ("scipy", "libquadmath", "LGPL-2.1-or-later", "https://gcc.gnu.org/git.html"),
)
"""What is under a Lesser GPL: the package that has it, its name, its licence, the place of its source."""
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Component:
    """Something that comes along: its licence as its makers name it, and the texts they ask to be kept.

    `purl` is the address by which machines know it (package-url), "" where there is none.
    """

    name: str
    version: str
    licence: str
    home: str = ""
    texts: tuple[str, ...] = ()
    purl: str = ""

    def __str__(self) -> str:
        head = say("licences.part", name=self.name, version=self.version, licence=self.licence)
        return "\n\n".join([_RULE, "\n".join(filter(None, [head, self.home])), *self.texts])


def licence_text() -> str:
    """All licences: the text of the bundle, or what the installed packages say."""
    try:
        return zebra_resources.read_text(TEXT)
    except FileNotFoundError:
        return written(installed_here())


def installed_here() -> list[Component]:
    """What this installation of ZEBRA needs, directly or not; in no order."""
    return installed_parts([*_needs(_OWN, extra="gui"), *_needs(_OWN, extra="recordings")])


def installed_parts(requirements: Iterable[str]) -> list[Component]:
    """What these requirements (PEP 508) come to, directly or not, as far as it is installed; in no order."""
    return [part_of(found) for found in _installed(_names(requirements))]


def of_resources() -> tuple[Component, ...]:
    """What comes along beside programs: the font, the recogniser and the recordings of the demo."""
    read = zebra_resources.read_text
    return (
        Component("CAM++", "zh-en-16k", "Apache-2.0", _CAM, (read("recogniser/README.md"),)),
        Component("Inter", "4", "OFL-1.1", "https://rsms.me/inter", (read("fonts/OFL.txt"),)),
        Component("LibriSpeech", "test-other", "CC-BY-4.0", _LIBRI, (read("recordings/README.md"),)),
    )


def written(parts: Sequence[Component]) -> str:
    """The text: what it is and the notices, a list of the parts and the resources, and the texts of each."""
    ordered = sorted([*parts, *of_resources()], key=lambda part: part.name.casefold())
    listed = "\n".join(f"  {part.name} {part.version}: {part.licence}" for part in ordered)
    qt = next((part.version for part in ordered if _normal(part.name) == _QT[0]), "6")
    preface, lesser = say("licences.preface", qt=qt), "\n".join(f"  {one}" for one in lesser_parts(parts))
    return "\n\n".join([preface, f"{say('licences.lesser')}\n\n{lesser}", listed, *map(str, ordered)]) + "\n"


def lesser_parts(parts: Iterable[Component]) -> list[str]:
    """What these parts have in them under a Lesser GPL, each with its licence and its source."""
    of = {_normal(part.name): part for part in parts}
    return [
        f"{name} ({of[package].name} {of[package].version}): {licence}, {source}"
        for package, name, licence, source in _LESSER
        if package in of
    ]


def part_of(found: Distribution) -> Component:
    """What an installed package says of itself. Qt's packages come without texts, so theirs are added."""
    name, texts = found.metadata["Name"], _texts_of(found)
    if _normal(name) in _QT:
        texts = tuple(zebra_resources.read_text(text) for text in _LGPL)
    return Component(name, found.version, _licence_of(found), _home_of(found), texts)


def _licence_of(found: Distribution) -> str:
    """The SPDX expression; else what stands in its place in older metadata, unless that is a whole text."""
    named = _field(found, "License-Expression") or _field(found, "License")
    if named and "\n" not in named and len(named) < 100:
        return named
    kinds = [c.rsplit(" :: ", 1)[-1] for c in _fields(found, "Classifier") if c.startswith("License ::")]
    return ", ".join(kinds) or say("licences.see-text")


def _home_of(found: Distribution) -> str:
    links = dict(link.split(", ", 1) for link in _fields(found, "Project-URL") if ", " in link)
    by_kind = {kind.casefold(): link for kind, link in links.items()}
    kinds = [kind for kind in ("homepage", "source", "repository") if kind in by_kind]
    return _field(found, "Home-page") or (by_kind[kinds[0]] if kinds else "")


def _field(found: Distribution, name: str) -> str:
    return (_fields(found, name) or [""])[0]


def _fields(found: Distribution, name: str) -> list[str]:
    return found.metadata.get_all(name) or []


def _texts_of(found: Distribution) -> tuple[str, ...]:
    """The licence files in its metadata and at the top of its folders, in the order of their names."""
    wanted = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
    beside = re.compile(r"(licen[cs]e|copying|\w*notices?)(\.txt|\.md)?", re.IGNORECASE)  # and no module
    files = [
        file
        for file in found.files or ()
        if (
            wanted.search(file.name) or "licenses" in file.parts
            if ".dist-info" in file.parts[0]
            else len(file.parts) == 2 and beside.fullmatch(file.name)
        )
    ]
    return tuple(
        Path(str(file.locate())).read_bytes().decode("utf-8", "replace").strip()
        for file in sorted(files, key=str)
    )


def _installed(roots: Iterable[str]) -> list[Distribution]:
    """These packages and those that they need, directly or not, as far as they are installed."""
    seen: dict[str, Distribution] = {}
    ahead = list(roots)
    while ahead:
        name = _normal(ahead.pop())
        if name in seen:
            continue
        try:
            seen[name] = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        ahead += _needs(name)
    return list(seen.values())


def _needs(name: str, extra: str = "") -> Iterable[str]:
    try:
        return _names(distribution(name).requires or (), extra)
    except PackageNotFoundError:  # run without having been installed
        return ()


def _names(requirements: Iterable[str], extra: str = "") -> list[str]:
    ours = re.compile(rf"""extra == ['"]{extra}['"]""")
    lines = (line for line in requirements if "extra ==" not in line or ours.search(line))
    needed = map(_REQUIREMENT.match, lines)
    return [found[0] for found in needed if found]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
