"""Make the package for Debian and Ubuntu out of the finished bundle, with dpkg-deb."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import needs

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

SIDES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
_CONTROL = """Package: zebra-privacy
Version: {version}
Architecture: amd64
Maintainer: The ZEBRA developers <zebra-privacy@users.noreply.github.com>
Installed-Size: {kibibytes}
Depends: {depends}
Section: science
Priority: optional
Description: how much protected speech still gives away about its speaker
 Drop the files that a speaker-verification system wrote on a window, and get
 the zero evidence biometric recognition assessment: the population disclosure,
 the worst case for an individual and its tag, the conventional figures, and a
 report as PDF. It works offline.
"""


def make(folder: Path, dist: Path, version: str, date: int) -> Path:
    """Pack the bundle in this folder; the same files and date (seconds since 1970) give the same package."""
    tree = dist / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(folder, tree / "opt" / "zebra", symlinks=True)
    _place_entries(tree)
    _place_icons(tree / "usr" / "share" / "icons" / "hicolor")
    _place_documents(tree / "usr" / "share", date)
    bytes_in_all = sum(p.stat().st_size for p in tree.rglob("*") if p.is_file() and not p.is_symlink())
    control = _CONTROL.format(
        version=version, kibibytes=bytes_in_all // 1024, depends=", ".join(needs.packages(folder))
    )
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    _even_out(tree, date)
    target = dist / f"zebra-privacy_{version}_amd64.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(target)],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(date)}, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    shutil.rmtree(tree)
    return target


def _place_entries(tree: Path) -> None:
    """The command, the entry in the menu, and what a .zebra file is."""
    (tree / "usr" / "bin").mkdir(parents=True)
    (tree / "usr" / "bin" / "zebra").symlink_to("/opt/zebra/zebra")
    for source, place in (("zebra.desktop", "applications"), ("zebra.xml", "mime/packages")):
        (tree / "usr" / "share" / place).mkdir(parents=True)
        shutil.copy(
            ROOT / "resources" / "zebra_resources" / "desktop" / source, tree / "usr" / "share" / place
        )


def _place_icons(hicolor: Path) -> None:
    """The icon of the program, and of its files, in every size, as PNG and as SVG."""
    from PIL import Image

    icons = ROOT / "resources" / "zebra_resources" / "icons"
    with Image.open(icons / "zebra.png") as picture:
        for side in SIDES:
            drawn = picture.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)
            for kind, name in (("apps", "zebra"), ("mimetypes", "application-x-zebra-project")):
                place = hicolor / f"{side}x{side}" / kind
                place.mkdir(parents=True, exist_ok=True)
                drawn.save(place / f"{name}.png", optimize=True)
    for kind, name in (("apps", "zebra"), ("mimetypes", "application-x-zebra-project")):
        place = hicolor / "scalable" / kind
        place.mkdir(parents=True)
        shutil.copy(icons / "zebra.svg", place / f"{name}.svg")


def _place_documents(share: Path, date: int) -> None:
    """The manual page, the licences and what changed."""
    manual, documents = share / "man" / "man1", share / "doc" / "zebra-privacy"
    manual.mkdir(parents=True)
    documents.mkdir(parents=True)
    for source, target in (
        (HERE / "linux" / "zebra.1", manual / "zebra.1.gz"),
        (ROOT / "CHANGELOG.md", documents / "changelog.gz"),
    ):
        with target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=date) as packed:
            packed.write(source.read_bytes())
    shutil.copy(HERE / "linux" / "copyright", documents / "copyright")


def _even_out(tree: Path, date: int) -> None:
    """The same rights and dates whoever builds, and whatever their umask."""
    program = tree / "opt" / "zebra" / "zebra"
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == program else 0o644)
        os.utime(path, (date, date), follow_symlinks=False)
