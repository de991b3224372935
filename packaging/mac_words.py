"""What the Finder of macOS calls our files, in every language: as desktops of Linux call them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

_DESKTOP = Path(__file__).resolve().parents[1] / "resources" / "zebra_resources" / "desktop" / "zebra.xml"
_TYPE = "{http://www.freedesktop.org/standards/shared-mime-info}mime-type"
_COMMENT = "{http://www.freedesktop.org/standards/shared-mime-info}comment"
_GLOB = "{http://www.freedesktop.org/standards/shared-mime-info}glob"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_ROLES = {".zebra": "Editor", ".zebra-listening": "Viewer"}


def names_of_files() -> dict[str, dict[str, str]]:
    """What a file is called, by its ending and the language."""
    types = ET.parse(_DESKTOP).getroot().iter(_TYPE)  # noqa: S314 - our own file
    return {
        str(one.find(_GLOB).attrib["pattern"]).removeprefix("*"): {  # type: ignore[union-attr]
            said.get(_LANGUAGE, "en"): str(said.text) for said in one.iter(_COMMENT)
        }
        for one in types
    }


def document_types() -> list[dict[str, object]]:
    """What the program opens, for Info.plist."""
    return [
        {
            "CFBundleTypeName": said["en"],
            "CFBundleTypeExtensions": [ending.removeprefix(".")],
            "CFBundleTypeRole": _ROLES[ending],
        }
        for ending, said in names_of_files().items()
    ]


def info_plist() -> dict[str, object]:
    """What macOS is told; it must be as new as the wheel of onnxruntime asks."""
    return {
        "LSMinimumSystemVersion": "14.0",
        "NSHighResolutionCapable": True,
        "CFBundleDocumentTypes": document_types(),
        "CFBundleLocalizations": languages(),
    }


def languages() -> list[str]:
    """Those of the program, English among them."""
    return sorted({language for said in names_of_files().values() for language in said})


def write(work: Path) -> list[tuple[str, str, str]]:
    """The names in each language, as entries of PyInstaller; the files are written into this folder."""
    entries = []
    for language in languages():
        place = Path(f"{language}.lproj", "InfoPlist.strings")
        (work / place).parent.mkdir(parents=True, exist_ok=True)
        lines = [f'"{said["en"]}" = "{said[language]}";\n' for said in names_of_files().values()]
        (work / place).write_text("".join(lines), encoding="utf-8")
        entries.append((str(place), str(work / place), "DATA"))
    return entries
