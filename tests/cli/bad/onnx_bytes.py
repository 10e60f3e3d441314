"""Writes ONNX files field by field, well-formed or not, with nothing but the standard library."""
import struct


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def number(tag, value):
    return varint(tag << 3) + varint(value)


def text(tag, value):
    value = value if isinstance(value, bytes) else value.encode()
    return varint(tag << 3 | 2) + varint(len(value)) + value


def port(name, shape, kind=1):
    dims = b"".join(text(1, text(2, "n") if size < 0 else number(1, size)) for size in shape)
    return text(1, name) + text(2, text(1, number(1, kind) + text(2, dims)))


def node(op, inputs, outputs, attributes=b"", domain=""):
    return (b"".join(text(1, i) for i in inputs) + b"".join(text(2, o) for o in outputs) + text(4, op) +
            attributes + (text(7, domain) if domain else b""))


def integers(name, values):
    return text(5, text(1, name) + b"".join(number(8, v) for v in values) + number(20, 7))


def integer(name, value):
    return text(5, text(1, name) + number(3, value) + number(20, 2))


def tensor(name, shape, values=None, kind=1):
    raw = b"" if values is None else text(9, struct.pack(f"<{len(values)}{'f' if kind == 1 else 'q'}", *values))
    return b"".join(number(1, size) for size in shape) + number(2, kind) + text(8, name) + raw


def external(name, shape, location, offset=0, length=None):
    entries = {"location": location, "offset": str(offset)}
    if length is not None:
        entries["length"] = str(length)
    return (tensor(name, shape) + number(14, 1) +
            b"".join(text(13, text(1, key) + text(2, value)) for key, value in entries.items()))


def model(nodes, constants=(), inputs=(), outputs=(), opset=17):
    graph = (b"".join(text(1, n) for n in nodes) + text(2, "g") + b"".join(text(5, c) for c in constants) +
             b"".join(text(11, i) for i in inputs) + b"".join(text(12, o) for o in outputs))
    return number(1, 8) + text(7, graph) + text(8, text(1, "") + number(2, opset))


def linear(features, weights=None, output="y"):
    """One score: y = x w."""
    weights = weights or [0.5 - i % 2 for i in range(features)]
    return model([node("MatMul", ["x", "w"], [output])], [tensor("w", [features, 1], weights)],
                 [port("x", [-1, features])], [port(output, [-1, 1])])
