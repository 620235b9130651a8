"""AVIF files that Pillow doesn't write: their boxes are put together here."""

import struct


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + kind.encode() + body


def full(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def children(data, kind, skip=0):
    """The bodies of the boxes of one kind."""
    at = skip
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4 : at + 8] == kind.encode():
            yield data[at + 8 : at + length]
        at += length or len(data)


def frame(file):
    """The AV1 frame of a file of one item, and its configuration."""
    (media,) = children(file, "mdat")
    (meta,) = children(file, "meta")
    (properties,) = children(meta, "iprp", 4)
    (properties,) = children(properties, "ipco")
    (configuration,) = children(properties, "av1C")
    return media, configuration


def still(item, size, inside=False, parts=1, code=(1, 13, 6, 1), more=()):
    """A picture of one frame, of which `more` boxes say something."""
    data, configuration = item
    primaries, transfer, matrix, is_full = code
    code = struct.pack(">HHHB", primaries, transfer, matrix, is_full << 7)
    properties = [extent(size), box("av1C", configuration), box("colr", b"nclx", code), *more]
    owned = {1: list(range(1, len(properties) + 1))}
    return file([("av01", data)], properties, owned, inside=inside, parts=parts)


def grid(tiles, tile, shape, size):
    """A picture of several frames, each `tile` large, cut off at `size`."""
    columns, rows = shape
    plan = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, *size)
    items = [("grid", plan)] + [("av01", data) for data, _ in tiles]
    properties = [extent(size), extent(tile), box("av1C", tiles[0][1])]
    owned = {1: [1]} | {item: [2, 3] for item in range(2, len(items) + 1)}
    parts = [struct.pack(">HH", 1, len(tiles))]
    parts += [struct.pack(">H", item) for item in range(2, len(items) + 1)]
    references = full("iref", 0, 0, box("dimg", *parts))
    return file(items, properties, owned, references=references)


def extent(size):
    return full("ispe", 0, 0, struct.pack(">II", *size))


def aperture(size, offset):
    """Which part is to be seen: so large, and with its middle so far from the picture's, in halves."""
    return box("clap", struct.pack(">IIIIiIiI", size[0], 1, size[1], 1, offset[0], 2, offset[1], 2))


def file(items, properties, owned, references=b"", inside=False, parts=1):
    """A file of items, of which the first is the picture. `inside` puts them into the table of
    contents, and `parts` cuts each into so many."""
    head = box("ftyp", b"avif", bytes(4), b"avif", b"mif1", b"miaf")
    data = b"".join(data for _, data in items)

    def meta(start):
        boxes = [
            full("hdlr", 0, 0, bytes(4), b"pict", bytes(13)),
            full("pitm", 0, 0, struct.pack(">H", 1)),
            places(items, 0 if inside else start, inside, parts),
            entries(items),
            references,
            owners(properties, owned),
        ]
        return full("meta", 0, 0, *boxes, box("idat", data) if inside else b"")

    start = len(head) + len(meta(0)) + 8
    return head + meta(start) + (b"" if inside else box("mdat", data))


def places(items, start, inside, parts):
    body = [struct.pack(">HH", 0x4400, len(items))]
    for number, (_, data) in enumerate(items, 1):
        body.append(struct.pack(">HHHH", number, int(inside), 0, parts))
        cuts = [len(data) * at // parts for at in range(parts + 1)]
        for begin, end in zip(cuts, cuts[1:]):
            body.append(struct.pack(">II", start + begin, end - begin))
        start += len(data)
    return full("iloc", 1, 0, *body)


def entries(items):
    body = [struct.pack(">H", len(items))]
    for number, (kind, _) in enumerate(items, 1):
        body.append(full("infe", 2, 0, struct.pack(">HH", number, 0), kind.encode(), b"\0"))
    return full("iinf", 0, 0, *body)


def owners(properties, owned):
    body = [struct.pack(">I", len(owned))]
    for item, places in owned.items():
        body.append(struct.pack(">HB", item, len(places)) + bytes(places))
    return box("iprp", box("ipco", *properties), full("ipma", 0, 0, *body))
