"""ICC profiles that change colours so much that a test sees whether they were used."""

import struct

# The primaries of sRGB, seen under the light of D50.
RED, GREEN, BLUE = (0.4360, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)


def number(value):
    return struct.pack(">i", round(value * 65536))


def xyz(values):
    return b"XYZ " + bytes(4) + b"".join(number(value) for value in values)


def gamma(value):
    return b"para" + bytes(4) + struct.pack(">HH", 0, 0) + number(value)


def text(words):
    words = words.encode("utf-16-be")
    return b"mluc" + bytes(4) + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(words), 28) + words


def profile(space, kind, connection, tags, words):
    tags = [(b"desc", text(words)), (b"wtpt", xyz((0.9642, 1.0, 0.8249)))] + tags
    table, body = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags:
        data += bytes(-len(data) % 4)
        table += struct.pack(">4sII", name, start + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s", start + len(body), b"none", 0x04300000, kind, space, connection)
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + bytes(24)
    head += bytes(4) + number(0.9642) + number(1.0) + number(0.8249)
    return head.ljust(128, b"\0") + table + body


def rgb(red, green, blue, curve, words):
    tags = [(b"rXYZ", xyz(red)), (b"gXYZ", xyz(green)), (b"bXYZ", xyz(blue))]
    tags += [(name, gamma(curve)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    return profile(b"RGB ", b"mntr", b"XYZ ", tags, words)


def srgb(words):
    """Nearly sRGB."""
    return rgb(RED, GREEN, BLUE, 2.2, words)


def swapped_rgb():
    """What it calls red is green, green is blue, and blue is red."""
    return rgb(GREEN, BLUE, RED, 2.2, "swapped")


def gray(curve):
    """Much darker than usual when the curve is steep."""
    return profile(b"GRAY", b"mntr", b"XYZ ", [(b"kTRC", gamma(curve))], "gray")


def swapped_ink():
    """Ink whose cyan is red, magenta is green and yellow is blue; black is black."""
    body = b"mft1" + bytes(4) + struct.pack(">BBBx", 4, 3, 2)
    body += b"".join(number(float(at in (0, 4, 8))) for at in range(9))
    body += bytes(range(256)) * 4
    for corner in range(16):
        cyan, magenta, yellow, black = (corner >> shift & 1 for shift in (3, 2, 1, 0))
        body += bytes(lab(cyan, magenta, yellow, black))
    body += bytes(range(256)) * 3
    return profile(b"CMYK", b"prtr", b"Lab ", [(b"A2B0", body)], "swapped ink")


def lab(cyan, magenta, yellow, black):
    """A colour as an 8-bit table has it: lightness of 255, the axes from 128."""
    if black:
        return 0, 128, 128
    colours = {
        (0, 0, 0): (100, 0, 0),
        (1, 0, 0): (54, 81, 70),
        (0, 1, 0): (88, -79, 81),
        (0, 0, 1): (30, 68, -112),
        (1, 1, 0): (98, -16, 93),
        (1, 0, 1): (60, 94, -61),
        (0, 1, 1): (91, -51, -15),
        (1, 1, 1): (100, 0, 0),
    }
    lightness, a, b = colours[cyan, magenta, yellow]
    return round(lightness * 2.55), a + 128, b + 128
