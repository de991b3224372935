"""Neither the current folder nor the environment nor files of the user change a byte of a report."""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
from fontTools.ttLib import TTFont

RC = """
axes.facecolor: yellow
xtick.direction: in
path.sketch: 1, 100, 2
font.family: DejaVu Serif
lines.antialiased: False
svg.fonttype: none
text.usetex: True
text.latex.preamble: \\input{/etc/passwd}
"""
NOT_OURS = (
    "numpy",
    "matplotlib",
    "typst",
    "json",
    "zebra_core",
    "zebra_resources",
    "sitecustomize",
    "onnxruntime",
)


def scores(folder: Path) -> Path:
    """Four speakers, a handful of trials."""
    (folder / "data").mkdir()
    rows = [
        (f"s{one}", f"s{other}-{n}", 2.0 * (one == other) + 0.3 * n + 0.01 * one - 0.02 * other)
        for one in range(4)
        for other in range(4)
        for n in range(3)
    ]
    (folder / "data" / "scores").write_text("".join(f"{e} {t} {score:.3f}\n" for e, t, score in rows))
    kinds = [(e, t, "target" if t.startswith(e) else "nontarget") for e, t, _ in rows]
    (folder / "data" / "trials").write_text("".join(f"{e} {t} {kind}\n" for e, t, kind in kinds))
    return folder / "data"


def hostile(folder: Path) -> dict[str, str]:
    """A folder to stand in, with an environment that leads to what lies in it."""
    settings = folder / ".config" / "matplotlib"
    settings.mkdir(parents=True)
    for place in (folder / "matplotlibrc", settings / "matplotlibrc", folder / "mine"):
        place.write_text(RC)
    (folder / "fonts.conf").write_text(f"<fontconfig><dir>{folder}</dir></fontconfig>")
    fonts = folder / ".fonts"
    fonts.mkdir()
    serif = TTFont(Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSerif.ttf"))
    for record in serif["name"].names:
        if record.nameID in (1, 4, 16):
            record.string = "Inter"
    serif.save(fonts / "Inter-Regular.ttf")
    for name in NOT_OURS:
        (folder / f"{name}.py").write_text("raise SystemExit('code of the folder was run')\n")
    for name in ("latex", "git", "fc-list", "python3", "dvipng", "kpsewhich"):
        (folder / name).write_text('#!/bin/sh\necho $0 >> "$HOME/was-run"\n')
        (folder / name).chmod(0o755)
    (folder / "qt.conf").write_text("[Paths]\nPlugins = .\n")
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "MATPLOTLIBRC": str(folder / "mine"),
        "MPLBACKEND": "module://evil",
        "FONTCONFIG_FILE": str(folder / "fonts.conf"),
        "TYPST_FONT_PATHS": str(fonts),
        "TYPST_PACKAGE_PATH": str(folder),
        "SOURCE_DATE_EPOCH": "1",
        "TEXINPUTS": ".:",
        "GIT_DIR": str(folder),
        "QT_PLUGIN_PATH": str(folder),
        "PYTHONHASHSEED": "7",
        "TZ": "Pacific/Kiritimati",
        "LANG": "de_DE.UTF-8",
        "LC_ALL": "tr_TR.UTF-8",
        "LC_NUMERIC": "de_DE.UTF-8",
        "OMP_NUM_THREADS": "3",
        "OPENBLAS_NUM_THREADS": "2",
        "COLUMNS": "20",
        "NO_COLOR": "1",
    }


def made(data: Path, standing_in: Path, environment: dict[str, str]) -> dict[str, bytes]:
    """The files of a report, all kinds of them."""
    out = standing_in / "out"
    command = [str(Path(sys.executable).with_name("zebra")), "--language", "en", "report", str(data)]
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(
        [*command, "-o", str(out), "--date", "2026-01-01"],
        cwd=standing_in,
        env={"HOME": str(standing_in)} | kept | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_a_report_is_the_same_byte_for_byte_wherever_it_is_made(tmp_path: Path) -> None:
    clean, evil = tmp_path / "clean", tmp_path / "evil"
    for folder in (clean, evil):
        folder.mkdir()
    data = scores(tmp_path)
    expected = made(data, clean, {})
    found = made(data, evil, hostile(evil) | {"PATH": f".::{os.environ['PATH']}"})

    assert sorted(found) == sorted(expected)
    assert [name for name, content in expected.items() if found[name] != content] == []
    was_run = evil / "was-run"
    assert not was_run.exists(), was_run.read_text()
