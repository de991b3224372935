"""Whether a network keeps weights in other files, by the bytes of its ONNX file, however that is written.

An ONNX file is a message of protocol buffers (https://protobuf.dev/programming-guides/encoding/): numbered
fields, whose numbers and lengths may take more bytes than they need. The numbers of the fields are those of
onnx.proto.
"""

from __future__ import annotations

from collections.abc import Iterator

_TENSOR, _SPARSE, _GRAPH, _NODE, _ATTRIBUTE, _FUNCTION, _TRAINING = range(7)
_MODEL = 7
_INSIDE: dict[int, dict[int, int]] = {
    _MODEL: {7: _GRAPH, 20: _TRAINING, 25: _FUNCTION},
    _TRAINING: {1: _GRAPH, 2: _GRAPH},
    _FUNCTION: {7: _NODE, 11: _ATTRIBUTE},
    _GRAPH: {1: _NODE, 5: _TENSOR, 15: _SPARSE},
    _NODE: {5: _ATTRIBUTE},
    _ATTRIBUTE: {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH, 22: _SPARSE, 23: _SPARSE},
    _SPARSE: {1: _TENSOR, 2: _TENSOR},
}
"""In which field of a message there is which other message."""
_WHERE, _IS_ELSEWHERE = 13, 14  # external_data, data_location of a tensor; 0 is the file itself
_LONGEST = 10  # bytes of a number
_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def has_weights_elsewhere(content: bytes) -> bool:
    """Whether a tensor of the network says that its numbers are in another file, or may be."""
    waiting = [(_MODEL, 0, len(content))]
    while waiting:
        kind, start, end = waiting.pop()
        for field, at, after in _fields(content, start, end):
            if kind == _TENSOR and field == _WHERE:
                return True
            if kind == _TENSOR and field == _IS_ELSEWHERE and any(one & 0x7F for one in content[at:after]):
                return True
            if (inside := _INSIDE.get(kind, {}).get(field)) is not None:
                waiting.append((inside, at, after))
    return False


def _fields(content: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The number of each field, and where what it holds begins and ends; as far as that can be read."""
    while at < end:
        tag, at = _number(content, at, end)
        wire, size = tag & 7, 0
        if wire == _NUMBER:
            size = _number(content, at, end)[1] - at
        elif wire == _BYTES:
            size, at = _number(content, at, end)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            size = 8 if wire == _EIGHT_BYTES else 4
        if at + size > end:
            return
        yield (tag & 0xFFFFFFFF) >> 3, at, at + size
        at += size


def _number(content: bytes, at: int, end: int) -> tuple[int, int]:
    """A number of as many bytes as it takes, and where it ends: beyond the end where it does not."""
    found = 0
    for place in range(at, min(at + _LONGEST, end)):
        found |= (content[place] & 0x7F) << 7 * (place - at)
        if content[place] < 0x80:
            return found, place + 1
    return found, end + 1
