"""Thrift's compact protocol, taken apart and put together again: footers and page headers of Parquet.

A struct is a list of fields [ID, KIND, VALUE], a list is [KIND, VALUES]; whole numbers are numbers, all else
is bytes. Values of truth have none: their kind tells them.
"""

from __future__ import annotations

from typing import Any

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
WHOLE = {I16: 16, I32: 32, I64: 64}  # bits
_FIXED = {TRUE: 0, FALSE: 0, BYTE: 1, DOUBLE: 8}  # bytes; in a list a value of truth takes one
_DEEPEST = 32


class Broken(ValueError):  # noqa: N818 - of the bytes, not of the program
    """No struct begins here."""


def parse(content: bytes, start: int = 0) -> tuple[list[Any], int]:
    """The struct that begins at this byte, and where it ends. Raises Broken."""
    try:
        return _struct(content, start, 0)
    except IndexError as error:
        raise Broken from error


def made(fields: list[Any]) -> bytes:
    """The bytes of a struct."""
    found, last = bytearray(), 0
    for number, kind, value in fields:
        step = number - last
        found += bytes([step << 4 | kind]) if 0 < step < 16 else bytes([kind]) + _varint(_zigzag(number))
        found += _bytes(kind, value)
        last = number
    return bytes(found) + b"\0"


def fitting(kind: int, number: int) -> int:
    """The number as it is in so many bits: others are refused wherever they stand."""
    half = 1 << (WHOLE[kind] - 1)
    return (number + half) % (2 * half) - half


def field(fields: list[Any], number: int) -> Any:
    """The value of a field, or None."""
    return next((value for known, _, value in fields if known == number), None)


def _struct(content: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > _DEEPEST:
        raise Broken
    fields: list[Any] = []
    last = 0
    while head := content[at]:
        at += 1
        if head >> 4:
            last += head >> 4
        else:
            raw, at = _taken(content, at)
            last = _signed(raw)
        value, at = _value(content, at, head & 15, depth)
        fields.append([last, head & 15, value])
    return fields, at + 1


def _value(content: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in WHOLE:
        raw, at = _taken(content, at)
        return _signed(raw), at
    if kind in (STRUCT, LIST):
        return (_struct if kind == STRUCT else _list)(content, at, depth + 1)
    if kind == BINARY:
        size, at = _taken(content, at)
    elif kind in _FIXED:
        size = _FIXED[kind]
    else:
        raise Broken
    if at + size > len(content):
        raise Broken
    return content[at : at + size], at + size


def _list(content: bytes, at: int, depth: int) -> tuple[list[Any], int]:
    count, kind = content[at] >> 4, content[at] & 15
    at += 1
    if count == 15:
        count, at = _taken(content, at)
    values = []
    for _ in range(count):
        value, at = _value(content, at, BYTE if kind in (TRUE, FALSE) else kind, depth)
        values.append(value)
    return [kind, values], at


def _bytes(kind: int, value: Any) -> bytes:
    if kind in WHOLE:
        return _varint(_zigzag(value))
    if kind == BINARY:
        return _varint(len(value)) + value
    if kind == STRUCT:
        return made(value)
    if kind != LIST:
        return bytes(value)
    of, values = value
    count = bytes([len(values) << 4 | of]) if len(values) < 15 else bytes([0xF0 | of]) + _varint(len(values))
    return count + b"".join(_bytes(BYTE if of in (TRUE, FALSE) else of, one) for one in values)


def _taken(content: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = content[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at
        if shift > 70:
            raise Broken


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _zigzag(number: int) -> int:
    return 2 * number if number >= 0 else -2 * number - 1


def _signed(number: int) -> int:
    return number >> 1 if not number & 1 else -(number + 1) // 2
