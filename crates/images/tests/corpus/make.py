"""Makes the pictures of this folder that no encoder in Rust would make.

    python3 -m venv env && env/bin/pip install pillow==13.0.0 imagecodecs==2026.3.6
    env/bin/python make.py

Every picture shows the same: red in the top left quarter, green in the top right, blue in the
bottom left, yellow in the bottom right. The tests look for these colours in the corners. `SECRET`
is planted wherever a format has a place for words, and must not come out again.
"""

import io
import struct
import zlib
from pathlib import Path

import imagecodecs
import numpy
from PIL import Image, PngImagePlugin

import boxes
import profiles

FOLDER = Path(__file__).parent
SIZE = (64, 48)
SECRET = "planted-secret-7261"
QUARTERS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
XMP = f'<x:xmpmeta xmlns:x="adobe:ns:meta/">http://example.org {SECRET}</x:xmpmeta>'.encode()


def picture(size=SIZE):
    width, height = size
    image = Image.new("RGB", size)
    for at, colour in enumerate(QUARTERS):
        part = Image.new("RGB", (width // 2, height // 2), colour)
        image.paste(part, (at % 2 * (width // 2), at // 2 * (height // 2)))
    return image


def flat(*colour):
    return Image.new("RGB", SIZE, colour)


def busy():
    """Noise of several scales, which uses more of a format than flat colours do."""
    random, layers = numpy.random.default_rng(7), numpy.full((72, 104, 3), 128.0)
    for scale, strength in ((4, 60), (13, 40), (104, 25)):
        small = random.normal(0, strength, (scale * 72 // 104 + 1, scale, 3)).clip(-128, 127)
        image = Image.fromarray((small + 128).astype(numpy.uint8)).resize((104, 72), Image.BICUBIC)
        layers += numpy.asarray(image) - 128.0
    return Image.fromarray(layers.clip(0, 255).astype(numpy.uint8)).crop((0, 0, 101, 71))


def see_through(size=SIZE):
    """The same, with nothing in the bottom right quarter."""
    image = picture(size).convert("RGBA")
    width, height = size
    image.paste((0, 0, 0, 0), (width // 2, height // 2, width, height))
    return image


def exif(orientation=1):
    """Pillow empties what it was given, so each file needs its own."""
    data = Image.Exif()
    data[0x0112] = orientation
    data[0x010E] = SECRET
    data[0x8825] = {1: "N", 2: (48.0, 12.0, 30.0), 3: "E", 4: (16.0, 22.0, 0.0)}
    return data


def stored(orientation):
    """The pixels that a camera held this way would store, so that they show `picture()`."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    image = picture()
    return image.transpose(undo[orientation]) if orientation in undo else image


def save(name, image, **options):
    image.save(FOLDER / name, **options)


def write(name, data):
    (FOLDER / name).write_bytes(data)


def jpegs():
    save("plain-420.jpg", picture(), quality=95)
    save("plain-422.jpg", picture(), quality=95, subsampling=1)
    save("plain-444.jpg", picture(), quality=95, subsampling=0)
    save("progressive.jpg", picture(), quality=95, progressive=True)
    save("restarts.jpg", picture(), quality=95, restart_marker_blocks=2)
    save("gray.jpg", picture().convert("L"), quality=95)
    save("ink.jpg", picture().convert("CMYK"), quality=95)
    save("ink-profile.jpg", picture().convert("CMYK"), quality=95, icc_profile=profiles.swapped_ink())
    save("wide-profile.jpg", picture(), quality=95, icc_profile=profiles.swapped_rgb())
    save("broken-profile.jpg", picture(), quality=95, icc_profile=profiles.swapped_rgb()[:200])
    gray = profiles.gray(4.0)
    save("gray-profile.jpg", Image.new("L", SIZE, 128), quality=95, icc_profile=gray)
    words = {"exif": exif(), "xmp": XMP, "comment": SECRET.encode()}
    save("words.jpg", picture(), quality=95, icc_profile=profiles.srgb(SECRET), **words)
    for orientation in range(1, 9):
        save(f"turn-{orientation}.jpg", stored(orientation), quality=95, exif=exif(orientation))


def png(kind, depth, rows, extra=b"", interlaced=False):
    """A PNG of any kind; `rows` are of whole bytes."""
    width, height = SIZE
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    parts = [("IHDR", head)]
    file = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts) + extra
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return file + chunk("IDAT", data) + chunk("IEND", b"")


def chunk(name, data):
    named = name.encode() + data
    return struct.pack(">I", len(data)) + named + struct.pack(">I", zlib.crc32(named))


def passes(array):
    """The rows of the seven passes of an interlaced PNG."""
    starts = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2))
    for x, y, across, down in (*starts, (0, 1, 1, 2)):
        for row in array[y::down, x::across]:
            if row.size:
                yield row.tobytes()


def pngs():
    rgb = numpy.asarray(picture())
    rgba = numpy.asarray(see_through())
    gray = numpy.asarray(picture().convert("L"))
    rows = lambda array: [row.tobytes() for row in array]
    wide = lambda array: rows(array.astype(">u2") * 257)
    write("rgb8.png", png(2, 8, rows(rgb)))
    write("rgb16.png", png(2, 16, wide(rgb)))
    write("rgba8.png", png(6, 8, rows(rgba)))
    write("rgba16.png", png(6, 16, wide(rgba)))
    write("gray8.png", png(0, 8, rows(gray)))
    write("gray16.png", png(0, 16, wide(gray)))
    faint = numpy.dstack([gray, rgba[:, :, 3]])
    write("gray-alpha8.png", png(4, 8, rows(faint)))
    write("gray-alpha16.png", png(4, 16, wide(faint)))
    write("interlaced.png", png(2, 8, passes(rgb), interlaced=True))
    bits = [numpy.packbits(row > 128).tobytes() for row in gray]
    write("gray1.png", png(0, 1, bits))
    save("palette.png", picture().quantize(4))
    save("palette-clear.png", see_through().quantize(5))
    clear = chunk("tRNS", struct.pack(">HHH", 255, 255, 0))
    write("rgb-clear.png", png(2, 8, rows(rgb), extra=clear))
    linear = chunk("cICP", bytes([1, 8, 0, 1]))
    write("linear.png", png(2, 8, rows(numpy.asarray(flat(128, 128, 128))), extra=linear))
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", SECRET)
    info.add_text("Long", SECRET * 9, zip=True)
    info.add_itxt("XML:com.adobe.xmp", XMP.decode())
    save("words.png", picture(), pnginfo=info, exif=exif(), icc_profile=profiles.srgb(SECRET))
    save("wide-profile.png", picture(), icc_profile=profiles.swapped_rgb())
    save("turn-6.png", stored(6), exif=exif(6))
    save("moving.png", picture(), save_all=True, append_images=others(), duration=50)


def others():
    """The later pictures of what moves: gray ones, which must not be shown."""
    return [flat(level, level, level) for level in (64, 128, 192)]


def webps():
    save("lossy.webp", picture(), quality=95)
    save("lossless.webp", picture(), lossless=True)
    save("lossy-alpha.webp", see_through(), quality=95)
    save("lossless-alpha.webp", see_through(), lossless=True)
    save("moving.webp", picture(), save_all=True, append_images=others(), quality=95)
    clear = [see_through(), *others()]
    save("moving-alpha.webp", clear[0], save_all=True, append_images=clear[1:], lossless=True)
    words = {"exif": exif(), "xmp": XMP, "icc_profile": profiles.srgb(SECRET)}
    save("words.webp", picture(), quality=95, **words)
    save("wide-profile.webp", picture(), lossless=True, icc_profile=profiles.swapped_rgb())
    for orientation in (3, 5, 8):
        save(f"turn-{orientation}.webp", stored(orientation), quality=95, exif=exif(orientation))


def gifs():
    save("plain.gif", picture().quantize(4), interlace=0)
    save("interlaced.gif", picture().quantize(4), interlace=1)
    save("clear.gif", see_through(), interlace=0)
    save("moving.gif", picture(), save_all=True, append_images=others(), duration=50)
    save("words.gif", picture().quantize(4), comment=SECRET.encode())


def avif(image, **options):
    file = io.BytesIO()
    image.save(file, "AVIF", quality=90, **options)
    return file.getvalue()


def avifs():
    for name, sampling in (("420", "4:2:0"), ("422", "4:2:2"), ("444", "4:4:4")):
        write(f"plain-{name}.avif", avif(picture(), subsampling=sampling))
    write("limited.avif", avif(picture(), range="limited"))
    write("gray.avif", avif(picture(), subsampling="4:0:0"))
    write("alpha.avif", avif(see_through()))
    write("premultiplied.avif", avif(see_through(), alpha_premultiplied=True))
    write("moving.avif", avif(picture(), save_all=True, append_images=others()))
    words = {"exif": exif(), "xmp": XMP, "icc_profile": profiles.srgb(SECRET)}
    write("words.avif", avif(picture(), **words))
    write("wide-profile.avif", avif(picture(), icc_profile=profiles.swapped_rgb()))
    for depth, sampling in ((10, "420"), (10, "422"), (12, "444")):
        array = numpy.asarray(picture()).astype(numpy.uint32) * ((1 << depth) - 1) // 255
        array = array.astype(numpy.uint16)
        options = {"bitspersample": depth, "pixelformat": sampling}
        data = imagecodecs.avif_encode(array, level=90, **options)
        write(f"deep-{depth}-{sampling}.avif", data)
    for orientation in range(1, 9):
        write(f"turn-{orientation}.avif", avif(stored(orientation), exif=exif(orientation)))
    whole = boxes.frame(avif(picture()))
    write("inside.avif", boxes.still(whole, SIZE, inside=True))
    write("split.avif", boxes.still(whole, SIZE, parts=5))
    gray, pink = boxes.frame(avif(flat(128, 128, 128))), boxes.frame(avif(flat(200, 100, 100)))
    write("linear.avif", boxes.still(gray, SIZE, code=(1, 8, 6, 1)))
    write("bright.avif", boxes.still(gray, SIZE, code=(9, 16, 6, 1)))
    write("wide-code.avif", boxes.still(pink, SIZE, code=(12, 13, 6, 1)))
    tiles = [Image.new("RGB", (32, 32), colour) for colour in QUARTERS]
    tiles = [boxes.frame(avif(tile)) for tile in tiles]
    write("grid.avif", boxes.grid(tiles, (32, 32), (2, 2), SIZE))
    write("cut.avif", cut())


def cut():
    """A picture on its side, and gray around it that was cut away. Its middle is 4 pixels to the
    left of that of the whole, and 8 above it."""
    whole = Image.new("RGB", (96, 96), (128, 128, 128))
    whole.paste(picture().transpose(Image.Transpose.ROTATE_270), (20, 8))
    more = boxes.aperture((48, 64), (-8, -16)), boxes.box("irot", b"\x01")
    frame = boxes.frame(avif(whole, subsampling="4:4:4"))
    return boxes.still(frame, whole.size, more=more)


def busies():
    save("busy.jpg", busy(), quality=80)
    save("busy-progressive.jpg", busy(), quality=80, progressive=True, optimize=True)
    save("busy.png", busy())
    save("busy.gif", busy().quantize(64))
    save("busy.webp", busy(), quality=80, method=6)
    save("busy-lossless.webp", busy(), lossless=True, method=6)
    save("few-colours.webp", busy().quantize(16).convert("RGB"), lossless=True, method=6)
    save("busy.avif", busy(), quality=70, speed=0)
    save("busy-444.avif", busy(), quality=85, speed=1, subsampling="4:4:4")
    array = numpy.asarray(busy()).astype(numpy.uint16) * 4
    data = imagecodecs.avif_encode(array, level=70, bitspersample=10, pixelformat="420", speed=1)
    write("busy-10.avif", data)


if __name__ == "__main__":
    for make in (jpegs, pngs, webps, gifs, avifs, busies):
        make()
