"""Makes the folder `hostile` from the pictures of this one, and the list `expected.txt`.

    python3 hostile.py

Each line of the list is a file and what becomes of it as a picture of a post: the measures of
its largest rendition, or the name of the error. What takes megabytes (the longest file that is
taken, exactly 50 megapixels) is built by the tests instead.
"""

import shutil
import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent
HOSTILE = FOLDER / "hostile"
SCRIPT = b"<script>alert('polyglot')</script>"
PLAIN = ("plain-420.jpg", "rgb8.png", "plain.gif", "lossy.webp", "plain-420.avif")
BUSY = ("busy.jpg", "busy-progressive.jpg", "busy.png", "busy.gif", "busy.webp")
BUSY += ("busy-lossless.webp", "busy.avif")
expected = {}


def put(name, data, answer):
    assert name not in expected, name
    (HOSTILE / name).write_bytes(data)
    expected[f"hostile/{name}"] = answer


def stored(name):
    return (FOLDER / name).read_bytes()


def disguises():
    """Other kinds of file, called pictures."""
    ftyp = lambda brand: struct.pack(">I4s4sI4s", 20, b"ftyp", brand, 0, brand)
    for name, data in {
        "svg.png": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
        "svg-xml.jpg": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        "svg.svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
        "html.png": b"<!doctype html><img src=x onerror=alert(1)>",
        "html.jpg": b"\xef\xbb\xbf<html><body>" + SCRIPT,
        "html-late.gif": b" GIF89a" + SCRIPT,
        "bitmap.png": b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0" + bytes(40),
        "tiff-low.jpg": b"II*\0\x08\0\0\0" + bytes(20),
        "tiff-high.jpg": b"MM\0*\0\0\0\x08" + bytes(20),
        "icon.png": b"\0\0\1\0\1\0\x10\x10" + bytes(20),
        "photoshop.jpg": b"8BPS\0\1" + bytes(20),
        "pdf.jpg": b"%PDF-1.7\n%\xff\xff\xff\xff\n",
        "zip.png": b"PK\x03\x04" + bytes(26),
        "film.webp": b"\x1aE\xdf\xa3" + bytes(20),
        "film.avif": ftyp(b"mp42"),
        "heic.avif": ftyp(b"heic"),
        "jpeg-xl.jpg": b"\0\0\0\x0cJXL \r\n\x87\n",
        "jpeg-2000.jpg": b"\0\0\0\x0cjP  \r\n\x87\n",
        "pixmap.png": b"P6 1 1 255 abc",
        "qoi.png": b"qoif\0\0\0\1\0\0\0\1\4\0" + bytes(8),
        "sound.webp": b"RIFF\x24\0\0\0WAVEfmt " + bytes(20),
        "shell.gif": b"#!/bin/sh\necho GIF89a\n",
        "program.png": b"\x7fELF" + bytes(60),
        "one-byte.jpg": b"\xff",
        "two-bytes.jpg": b"\xff\xd8",
        "almost.gif": b"GIF88a" + bytes(20),
        "almost.png": b"\x89PNG\n\x1a\n" + bytes(20),
        "zeros.jpg": bytes(1000),
    }.items():
        put(name, data, "NotAnImage")
    put("nothing.jpg", b"", "Empty")
    for name in PLAIN:
        start = {"webp": b"RIFF\x20\0\0\0WEBP", "avif": ftyp(b"avif"), "gif": b"GIF89a\1\0\1\0"}
        ending = name.split(".")[1]
        start = start.get(ending, stored(name)[:8])
        put(f"start-alone.{ending}", start, "Broken")
        put(f"start-then-script.{ending}", start + SCRIPT, "Broken")


def two_at_once():
    """Pictures that are something else as well, and pictures called by another type."""
    for at, name in enumerate(PLAIN):
        start, ending = name.split(".")
        put(f"script-behind.{ending}", stored(name) + SCRIPT, "64x48")
        put(f"zip-behind.{ending}", stored(name) + b"PK\x03\x04polyglot" + bytes(22), "64x48")
        other = PLAIN[(at + 1) % len(PLAIN)].split(".")[1]
        put(f"{ending}-called.{other}", stored(name), "64x48")
    comment = b"\xff\xfe" + struct.pack(">H", len(SCRIPT) + 2) + SCRIPT
    jpeg = stored("plain-420.jpg")
    put("script-in-comment.jpg", jpeg[:2] + comment + jpeg[2:], "64x48")
    png = stored("rgb8.png")
    put("script-in-text.png", png[:33] + chunk(b"tEXt", b"Comment\0" + SCRIPT) + png[33:], "64x48")


def cut():
    """Files that break off."""
    for name in BUSY:
        data = stored(name)
        for percent in (5, 20, 35, 50, 65, 80, 95):
            put(f"cut-{percent}-{name}", data[: len(data) * percent // 100], "Broken")


def chunk(name, data, wrong=0):
    sum_of_both = zlib.crc32(name + data) ^ wrong
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", sum_of_both)


def png(width, height, *chunks, kind=(8, 6)):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, *kind, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks)


def damaged():
    """Files that contradict themselves."""
    data, end = chunk(b"IDAT", zlib.compress(b"\0abcd")), chunk(b"IEND", b"")
    wrong = chunk(b"IDAT", zlib.compress(b"\0abcd"), wrong=1)
    put("whole.png", png(1, 1, data, end), "1x1")
    put("sum-of-pixels.png", png(1, 1, wrong, end), "Broken")
    put("no-pixels.png", png(1, 1, end), "Broken")
    put("too-few-pixels.png", png(9, 9, data, end), "Broken")
    put("no-width.png", png(0, 5, data, end), "Broken")
    put("no-height.png", png(5, 0, data, end), "Broken")
    put("odd-depth.png", png(1, 1, data, end, kind=(3, 6)), "Broken")
    put("odd-colour.png", png(1, 1, data, end, kind=(8, 5)), "Broken")
    put("no-palette.png", png(1, 1, data, end, kind=(8, 3)), "Broken")
    put("not-packed.png", png(1, 1, chunk(b"IDAT", b"\0abcd" * 9), end), "Broken")
    for name, at in (("sum-of-head", 30), ("sum-of-part", len(stored("busy.png")) // 2)):
        data = bytearray(stored("busy.png"))
        data[at] ^= 0x10
        put(f"{name}.png", bytes(data), "Broken")
    jpeg = stored("plain-420.jpg")
    frame = jpeg.index(b"\xff\xc0")
    tables = jpeg.index(b"\xff\xc4")
    put("no-codes.jpg", jpeg[:tables] + jpeg[jpeg.index(b"\xff\xda") :], "Broken")
    put("no-frame.jpg", jpeg[:frame] + jpeg[tables:], "Broken")
    put("two-frames.jpg", jpeg[:tables] + jpeg[frame:], "Broken")
    put("lossless-frame.jpg", jpeg.replace(b"\xff\xc0", b"\xff\xc3", 1), "Broken")
    put("arithmetic-frame.jpg", jpeg.replace(b"\xff\xc0", b"\xff\xc9", 1), "Broken")
    for width, height in ((65, 48), (64, 47), (32, 24), (1, 1), (7000, 7000), (0, 0)):
        put(f"lies-{width}x{height}.avif", avif(width, height), "Broken")


def avif(width, height):
    data = stored("plain-420.avif")
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", width, height) + data[at + 8 :]


def webp(width, height, moving):
    part = lambda name, data: name + struct.pack("<I", len(data)) + data
    sides = b"".join(struct.pack("<I", side - 1)[:3] for side in (width, height))
    frame = part(b"VP8L", b"\x2f" + bytes(7))
    body = b"WEBP" + part(b"VP8X", bytes([2 * moving, 0, 0, 0]) + sides)
    if moving:
        frame = part(b"ANIM", bytes(6)) + part(b"ANMF", bytes(6) + sides + bytes(4) + frame)
    return part(b"RIFF", body + frame)


def heads():
    """Files that say how large they are, and hold next to nothing."""
    jpeg, gif = stored("plain-420.jpg"), stored("plain.gif")
    frame = jpeg.index(b"\xff\xc0") + 5
    sizes = [(size, "TooManyPixels") for size in ((10_001, 5_000), (7_072, 7_072), (16_384, 16_384))]
    sizes += [(size, "TooWide") for size in ((16_385, 1), (1, 16_385), (65_535, 65_535))]
    for (width, height), answer in sizes:
        name = f"head-{width}x{height}"
        sides = struct.pack(">HH", height, width)
        put(f"{name}.jpg", jpeg[:frame] + sides + jpeg[frame + 4 :], answer)
        put(f"{name}.gif", gif[:6] + struct.pack("<HH", width, height) + gif[10:], answer)
        put(f"{name}.png", png(width, height), answer)
        put(f"{name}.avif", avif(width, height), answer)
        put(f"{name}.webp", webp(width, height, False), answer)
        put(f"{name}-moving.webp", webp(width, height, True), answer)
    put("head-endless.png", png(2**31 - 1, 2**31 - 1), "TooWide")
    put("head-endless.avif", avif(2**32 - 1, 2**32 - 1), "TooWide")


def packed():
    """Little that becomes much."""
    rows = lambda width, height: chunk(b"IDAT", zlib.compress(bytes((width + 1) * height), 9))
    end = chunk(b"IEND", b"")
    gray = lambda width, height: png(width, height, rows(width, height), end, kind=(8, 0))
    put("line.png", gray(16_384, 1), "2048x1")
    put("pole.png", gray(1, 16_384), "1x2048")
    put("point.png", gray(1, 1), "1x1")
    put("far-too-much.png", png(1, 1, chunk(b"IDAT", zlib.compress(bytes(1 << 26), 9)), end), "1x1")
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 26), 9))
    put("long-text.png", png(1, 1, text, chunk(b"IDAT", zlib.compress(b"\0abcd")), end), "1x1")


if __name__ == "__main__":
    shutil.rmtree(HOSTILE, ignore_errors=True)
    HOSTILE.mkdir()
    for make in (disguises, two_at_once, cut, damaged, heads, packed):
        make()
    for picture in FOLDER.iterdir():
        if picture.is_file() and picture.suffix not in (".py", ".txt"):
            is_noise = picture.name.startswith(("busy", "few"))
            expected[picture.name] = "101x71" if is_noise else "64x48"
    lines = [f"{name} {answer}\n" for name, answer in sorted(expected.items())]
    (FOLDER / "expected.txt").write_text("".join(lines))
