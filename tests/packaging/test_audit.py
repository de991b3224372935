"""Pins against advisories: what is affected is named and ends red, what lies just outside does not."""

import json
import sys
import zipfile
from pathlib import Path

import audit
import pytest
from audit import RECORD, affected, fingerprint, pinned
from pins import LOCKED, PINS, locked

PINNED = {"numpy": {"2.4.6"}, "et-xmlfile": {"2.0.0"}, "click": {"8.5.1"}}


def invented(name: str, *events: dict[str, str], **others: object) -> dict[str, object]:
    package = {"ecosystem": others.pop("ecosystem", "PyPI"), "name": name}
    found = {"package": package, "ranges": [{"type": "ECOSYSTEM", "events": list(events)}], **others}
    return {
        "id": "INVENTED-1",
        "summary": "Invented",
        "modified": "2026-01-02T00:00:00Z",
        "affected": [found],
    }


@pytest.mark.parametrize(
    ("advisory", "is_found"),
    [
        (invented("NumPy", {"introduced": "0"}, {"fixed": "2.4.7"}), True),
        (invented("numpy", {"introduced": "0"}, {"fixed": "2.4.6"}), False),
        (invented("numpy", {"introduced": "0"}, {"last_affected": "2.4.6"}), True),
        (invented("numpy", {"introduced": "0"}, {"last_affected": "2.4.5"}), False),
        (invented("numpy", {"introduced": "2.4.6"}), True),
        (invented("numpy", {"introduced": "2.4.7rc1"}), False),
        (invented("numpy", {"introduced": "1"}, {"fixed": "2"}, {"introduced": "2.4.10"}), False),
        (invented("numpy", {"introduced": "2.4.2"}, {"fixed": "2.4.10"}), True),  # as numbers, not as texts
        (invented("Et_XmlFile", {"introduced": "0"}), True),
        (invented("numpy", {"introduced": "9"}, versions=["2.4.6.0"]), True),
        (invented("numpy", {"introduced": "9"}, versions=["2.4.5", "of old"]), False),
        (invented("numpy", {"introduced": "of old"}), True),  # cannot be compared: look at it
        (invented("numpy", {"introduced": "0"}, ecosystem="npm"), False),
        (invented("other", {"introduced": "0"}), False),
        ({**invented("numpy", {"introduced": "0"}), "withdrawn": "2026-01-03T00:00:00Z"}, False),
    ],
)
def test_an_advisory_is_about_a_pin_by_its_name_and_range(advisory, is_found: bool) -> None:
    assert bool(list(affected(advisory, PINNED))) is is_found


@pytest.mark.parametrize("kept_as", ["list", "one", "lines", "zip"])
@pytest.mark.parametrize(("bound", "status"), [("last_affected", 1), ("fixed", 0)])
def test_the_program_ends_red_at_a_pin_and_green_just_outside(
    tmp_path: Path, monkeypatch, capsys, kept_as: str, bound: str, status: int
) -> None:
    (version,) = pinned([PINS])["numpy"]
    advisory = json.dumps(invented("numpy", {"introduced": "0"}, {bound: version}))
    file, record = tmp_path / "advisories", tmp_path / "audit.json"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("INVENTED-1.json", advisory)
    texts = {"list": f"[{advisory}]", "one": advisory, "lines": f"{advisory}\n{advisory}\n"}
    if kept_as in texts:
        file.write_text(texts[kept_as])
    monkeypatch.setattr(audit, "RECORD", record)
    monkeypatch.setattr(sys, "argv", ["audit.py", str(file)])
    with pytest.raises(SystemExit) as ended:
        audit.main()
    assert ended.value.code == status
    assert (f"numpy {version}: INVENTED-1 Invented" in capsys.readouterr().out) is bool(status)
    assert bool(json.loads(record.read_text())["found"]) is bool(status)


def test_a_record_of_an_audit_is_of_the_pins_as_they_are() -> None:
    if RECORD.is_file():
        known = pinned([PINS, *map(locked, LOCKED)])
        assert json.loads(RECORD.read_text())["pins_sha256"] == fingerprint(known), "renew it: make audit"
