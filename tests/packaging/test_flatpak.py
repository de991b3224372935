"""The manifest for Flatpak, which nobody has built yet: it names files that are there, and no network."""

import json
from pathlib import Path

FILE = Path(__file__).parents[2] / "packaging" / "linux" / "org.zebra_privacy.Zebra.json"
MANIFEST = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_manifest_is_named_after_its_id():
    assert FILE.stem == MANIFEST["id"]


def test_every_file_of_the_checkout_that_it_names_is_there():
    sources = [source for module in MANIFEST["modules"] for source in module["sources"]]
    files = [source["path"] for source in sources if source["type"] == "file"]
    assert len(files) == 4
    assert all((FILE.parent / path).is_file() for path in files)


def test_the_program_cannot_reach_the_network():
    assert not [given for given in MANIFEST["finish-args"] if "network" in given]


def test_the_entry_is_renamed_to_the_id_that_desktops_look_for():
    assert MANIFEST["rename-desktop-file"] == "zebra.desktop"
    assert MANIFEST["rename-icon"] == "zebra"
