"""JSON from somebody else is read as it stands there, or not at all."""

import pytest

from zebra_core.files import strict_json


def test_what_json_says_is_read() -> None:
    content = '{"a": [1, -2.5e3, "ü"], "b": null, "c": true}'.encode()
    assert strict_json.parse(content) == {"a": [1, -2500.0, "ü"], "b": None, "c": True}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"a": 1, "a": 1}', "a field occurs twice"),
        (b'[{"b": {"a": 1, "a": 2}}]', "a field occurs twice"),
        (b"[NaN]", "NaN is not a finite number"),
        (b"[-1e999]", "-1e999 is not a finite number"),
        (b"[1", "Expecting ',' delimiter"),
    ],
)
def test_what_has_no_single_meaning_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        strict_json.parse(content)


@pytest.mark.parametrize("one", [b"{}", b"[]", b"1"])
def test_a_bomb_is_not_taken_apart(one: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "MOST_CONTAINERS", 1000)
    monkeypatch.setattr(strict_json, "MOST_VALUES", 2000)
    with pytest.raises(ValueError, match="more values than anything that ZEBRA writes"):
        strict_json.parse(b"[" + one + (b"," + one) * 2001 + b"]")
    assert strict_json.parse(b"[" + one + (b"," + one) * 998 + b"]") == [strict_json.parse(one)] * 999
