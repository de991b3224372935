"""Small networks in ONNX, written byte by byte: good ones, and some that are made to do harm."""

import struct

FLOAT, INT64, BOOL = 1, 7, 9


def number(value):
    found = b""
    while value > 0x7F:
        found, value = found + bytes([value & 0x7F | 0x80]), value >> 7
    return found + bytes([value])


def field(place, value):
    if isinstance(value, int):
        return number(place << 3) + number(value & (1 << 64) - 1)
    value = value.encode() if isinstance(value, str) else value
    return number(place << 3 | 2) + number(len(value)) + value


def several(place, values):
    return b"".join(field(place, one) for one in values)


def tensor(name, kind, shape, content):
    return several(1, shape) + field(2, kind) + field(8, name) + field(9, content)


def floats(name, *values):
    return tensor(name, FLOAT, [len(values)], struct.pack(f"<{len(values)}f", *values))


def integers(name, *values, shape=None):
    return tensor(
        name, INT64, [len(values)] if shape is None else shape, struct.pack(f"<{len(values)}q", *values)
    )


def place(name, kind, *shape):
    sizes = b"".join(field(1, field(1, one) if isinstance(one, int) else field(2, one)) for one in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, sizes)))


def node(kind, inputs, outputs, *attributes, domain=""):
    found = several(1, inputs) + several(2, outputs) + field(3, kind) + field(4, kind)
    return found + several(5, attributes) + (field(7, domain) if domain else b"")


def ints(name, *values):
    return field(1, name) + several(8, values) + field(20, 7)


def whole(name, value):
    return field(1, name) + field(3, value) + field(20, 2)


def graph(nodes, inputs, outputs, tensors=()):
    return (
        several(1, nodes) + field(2, "g") + several(5, tensors) + several(11, inputs) + several(12, outputs)
    )


def model(inside, version=11, **metadata):
    known = several(14, [field(1, key) + field(2, value) for key, value in metadata.items()])
    return field(1, 7) + field(7, inside) + field(8, field(2, version)) + known


def mean_over(axis, *shape, name="emb", **metadata):
    """The mean along an axis, and so no recogniser, but a network that answers."""
    averaged = node("ReduceMean", ["x"], [name], ints("axes", axis), whole("keepdims", 0))
    return model(graph([averaged], [place("x", FLOAT, *shape)], [place(name, FLOAT, 1, "n")]), **metadata)


def weighed(weights, wrapped=lambda tensor: tensor):
    """The mean over the frames and a tensor W of 80 weights; `wrapped` may say it in another way."""
    nodes = [
        node("ReduceMean", ["x"], ["m"], ints("axes", 1), whole("keepdims", 0)),
        node("Add", ["m", "W"], ["emb"]),
    ]
    ends = [place("x", FLOAT, 1, "n", 80)], [place("emb", FLOAT, 1, 80)]
    return model(graph(nodes, *ends, [wrapped(weights)]))


def elsewhere(location, padding=0):
    """A tensor whose weights are in another file; every number of its entry takes so many bytes too many."""

    def padded(value):
        found = number(value)
        return found if not padding else found[:-1] + bytes([found[-1] | 0x80, *[0x80] * (padding - 1), 0])

    def entry(key, value):
        text = b"".join(padded(k << 3 | 2) + padded(len(v)) + v.encode() for k, v in ((1, key), (2, value)))
        return padded(13 << 3 | 2) + padded(len(text)) + text

    said = {"location": location, "offset": "0", "length": "320"}
    return (
        tensor("W", FLOAT, [80], b"")[:-2]
        + b"".join(entry(key, value) for key, value in said.items())
        + padded(14 << 3)
        + padded(1)
    )


def of_samples():
    """The largest and the sum of the samples of (1, n)."""
    nodes = [
        node("ReduceMax", ["x"], ["a"], ints("axes", 1)),
        node("ReduceSum", ["x", "axis"], ["b"]),
        node("Concat", ["a", "b"], ["emb"], whole("axis", 1)),
    ]
    ends = [place("x", FLOAT, 1, "n")], [place("emb", FLOAT, 1, 2)]
    return model(graph(nodes, *ends, [integers("axis", 1)]), version=13)


def endless():
    """A loop of 2^62 steps."""
    step = graph(
        [node("Identity", ["on"], ["on2"]), node("Sin", ["v"], ["v2"])],
        [place("i", INT64), place("on", BOOL), place("v", FLOAT, 1, "n", 80)],
        [place("on2", BOOL), place("v2", FLOAT, 1, "n", 80)],
    )
    body = field(1, "body") + field(6, step) + field(20, 5)
    nodes = [
        node("Loop", ["steps", "go", "x"], ["y"], body),
        node("ReduceMean", ["y"], ["emb"], ints("axes", 1), whole("keepdims", 0)),
    ]
    known = [integers("steps", 1 << 62, shape=[]), tensor("go", BOOL, [], b"\1")]
    ends = [place("x", FLOAT, 1, "n", 80)], [place("emb", FLOAT, 1, 80)]
    return model(graph(nodes, *ends, known))


def endless_for_long():
    """One that answers for as many frames as it is tried with, and loops for 2^50 steps for any more."""
    step = graph(
        [node("Identity", ["on"], ["on2"]), node("Sin", ["v"], ["v2"])],
        [place("i", INT64), place("on", BOOL), place("v", FLOAT, 1, "n", 80)],
        [place("on2", BOOL), place("v2", FLOAT, 1, "n", 80)],
    )
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "one"], ["length"]),
        node("Greater", ["length", "most"], ["is_long"]),
        node("Cast", ["is_long"], ["number"], whole("to", INT64)),
        node("Mul", ["number", "many"], ["steps"]),
        node("Loop", ["steps", "go", "x"], ["y"], field(1, "body") + field(6, step) + field(20, 5)),
        node("ReduceMean", ["y"], ["emb"], ints("axes", 1), whole("keepdims", 0)),
    ]
    numbers = {"one": 1, "most": 150, "many": 1 << 50}
    known = [integers(name, value, shape=[]) for name, value in numbers.items()]
    ends = [place("x", FLOAT, 1, "n", 80)], [place("emb", FLOAT, 1, 80)]
    return model(graph(nodes, *ends, [*known, tensor("go", BOOL, [], b"\1")]))


def gigabytes():
    """A constant of 2^38 numbers, told in some bytes."""
    nodes = [
        node("ConstantOfShape", ["size"], ["much"]),
        node("ReduceSum", ["much"], ["sum"], whole("keepdims", 0)),
        node("ReduceMean", ["x"], ["m"], ints("axes", 1), whole("keepdims", 0)),
        node("Add", ["m", "sum"], ["emb"]),
    ]
    ends = [place("x", FLOAT, 1, "n", 80)], [place("emb", FLOAT, 1, 80)]
    return model(graph(nodes, *ends, [integers("size", 1 << 38)]))


def of_an_own_operator():
    """An operator that no library has."""
    evil = node("Evil", ["x"], ["emb"], domain="evil")
    return model(graph([evil], [place("x", FLOAT, 1, "n", 80)], [place("emb", FLOAT, 1, 80)]))
