"""The icon as the kinds of file that programs of Windows and macOS carry: icons.py TARGET.ico (or .icns)."""

import sys
from pathlib import Path

ICON = Path(__file__).resolve().parents[1] / "resources" / "zebra_resources" / "icons" / "zebra.png"


def write(target: Path) -> None:
    """Write the icon as the kind of file that its name says."""
    from PIL import Image

    with Image.open(ICON) as picture:
        if target.suffix == ".ico":
            picture.save(target, sizes=[(side, side) for side in (16, 24, 32, 48, 64, 256)])
        else:
            picture.save(target)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
