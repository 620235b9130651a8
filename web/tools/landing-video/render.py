#!/usr/bin/env python3
"""Renders Kith's landing background: warm lights that approach each other and join.

Every moving quantity is a function of the angle 2*pi*t/12s, so frame N equals
frame 0 and the loop has no seam. The picture depends only on SEED and the
numbers below. See README.md for how to run it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    from PIL import Image
except ImportError:
    sys.exit("Install the two Python packages first: pip install numpy Pillow")

W, H = 1920, 1080
FPS = 30
SECONDS = 12
FRAMES = FPS * SECONDS
SEED = 20
TAU = 2 * np.pi
MAX_VIDEO_BYTES = 1_500_000
MAX_POSTER_BYTES = 60_000
START = 45        # the loop may begin anywhere; this frame makes the best still

OUT = Path(__file__).resolve().parents[2] / "public" / "media"


# --- colour -----------------------------------------------------------------

def oklch(l, c, h):
    """oklch to linear sRGB."""
    a, b = c * np.cos(np.radians(h)), c * np.sin(np.radians(h))
    lms = np.array([
        l + 0.3963377774 * a + 0.2158037573 * b,
        l - 0.1055613458 * a - 0.0638541728 * b,
        l - 0.0894841775 * a - 1.2914855480 * b,
    ]) ** 3
    m = np.array([
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ])
    return np.maximum(m @ lms, 0).astype(np.float32)


INK = oklch(0.165, 0.012, 42)
EMBER = oklch(0.64, 0.18, 40)
AMBER = oklch(0.76, 0.15, 58)
PEACH = oklch(0.87, 0.085, 62)
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)


def warm(h):
    """0 = ember, 0.5 = amber, 1 = peach."""
    return EMBER + (AMBER - EMBER) * (h * 2) if h < 0.5 else AMBER + (PEACH - AMBER) * (h * 2 - 1)


def smoothstep(a, b, x):
    u = np.clip((x - a) / (b - a), 0, 1)
    return u * u * (3 - 2 * u)


# --- the lights -------------------------------------------------------------
# Lights are placed at random, denser along a rising diagonal and sparse behind
# the text. Neighbours are connected into small trees. Once per loop each
# connected pair approaches, glows and separates; the phase is a slow wave
# across the frame.

def bump(x, k):
    """A soft periodic peak at x = 0; a larger k makes it narrower."""
    return np.exp(k * (np.cos(x) - 1))


class Cast:
    """Positions, sizes and connections of all lights for the whole loop."""

    COUNT = 74

    def __init__(self):
        rng = np.random.default_rng(SEED)
        self.th = (np.arange(FRAMES) + START) / FRAMES * TAU
        self._people(rng)
        self._bonds(rng)
        self._move(rng)
        self._haze(rng)

    @staticmethod
    def density(x, y):
        nx, ny = (x - W / 2) / W, (y - H / 2) / H
        rising = np.exp(-((ny + 0.75 * nx) / 0.42) ** 2)
        middle = np.exp(-((nx / 0.27) ** 2 + (ny / 0.30) ** 2) ** 1.5)
        return (0.30 + 0.70 * rising) * (1 - 0.97 * middle)

    def _people(self, rng):
        home = []
        while len(home) < self.COUNT:
            best, score = None, -1
            for _ in range(14):
                x, y = rng.uniform(-70, W + 70), rng.uniform(-50, H + 50)
                d = self.density(x, y)
                if rng.random() > d:
                    continue
                gap = min((np.hypot(x - a, y - b) for a, b in home), default=400) * (0.45 + d)
                if gap > score:
                    best, score = (x, y), gap
            if best and score > 56:
                home.append(best)
        self.home = np.array(home)
        n = self.COUNT
        # a few large lights, many small ones
        self.size = np.clip(np.exp(rng.normal(-0.50, 0.48, n)), 0.28, 1.9)
        self.hue = np.clip(rng.normal(0.40, 0.25, n), 0.02, 0.92)

    def _bonds(self, rng):
        n, home = self.COUNT, self.home
        d = np.linalg.norm(home[:, None] - home[None], axis=2)
        order = sorted((d[i, j] * rng.uniform(0.8, 1.25), i, j)
                       for i in range(n) for j in range(i + 1, n) if 85 < d[i, j] < 305)
        degree, tree = np.zeros(n, int), list(range(n))

        def root(i):
            while tree[i] != i:
                i = tree[i]
            return i

        self.bonds, paired = [], np.zeros(n, bool)
        members = np.ones(n, int)
        for _, i, j in order:
            ri, rj = root(i), root(j)
            if ri == rj or degree[i] >= 3 or degree[j] >= 3 or members[ri] + members[rj] > 14:
                continue                              # trees only, no cycles
            tree[ri] = rj
            members[rj] += members[ri]
            degree[[i, j]] += 1
            x, y = (home[i] + home[j]) / 2
            when = TAU * (0.62 * x / W + 0.30 * y / H) + rng.normal(0, 0.45)
            hero = not (paired[i] or paired[j])
            if hero:
                paired[[i, j]] = True
            self.bonds.append((i, j, when, hero, rng.uniform(-0.20, 0.20), rng.uniform(0.6, 1.0)))

    def _move(self, rng):
        th, n = self.th, self.COUNT
        p = rng.uniform(0, TAU, (n, 5))
        a = rng.uniform(16, 44, (n, 2))
        x = self.home[:, :1] + a[:, :1] * np.cos(th + p[:, :1]) + 6 * np.cos(2 * th + p[:, 1:2])
        y = self.home[:, 1:] + 0.8 * a[:, 1:] * np.sin(th + p[:, 2:3]) + 5 * np.sin(2 * th + p[:, 3:4])
        pos = np.stack([x, y], 2)
        pull = np.zeros_like(pos)
        for i, j, when, hero, _, _ in self.bonds:
            gap = pos[j] - pos[i]
            close = (0.44 if hero else 0.13) * bump(th - when - 0.25, 1.5)[:, None]
            share = self.size[j] / (self.size[i] + self.size[j])   # the smaller travels further
            pull[i] += gap * close * 2 * share
            pull[j] -= gap * close * 2 * (1 - share)
        self.pos = pos + pull
        joined = np.zeros((n, FRAMES))
        for i, j, when, hero, _, _ in self.bonds:
            s = bump(th - when - 0.2, 2.2) * (1.0 if hero else 0.55)
            joined[i] += s
            joined[j] += s
        self.joined = 1 - np.exp(-1.2 * joined)
        self.twinkle = (1 + 0.12 * np.cos(th + p[:, 4:5]) + 0.06 * np.cos(3 * th + p[:, 1:2]))
        self.depth = rng.uniform(0.15, 1, (n, 1)) * (0.6 + 0.4 * np.cos(th + p[:, 3:4]))

    def _haze(self, rng):
        """Near lights, far out of focus; some pairs overlap for a while."""
        th = self.th
        self.discs = []
        pairs = [  # x, y, radius, apart, brightness
            (70, 960, 168, 150, 0.020), (420, 1045, 74, 74, 0.042), (640, 905, 34, 46, 0.040),
            (1850, 130, 150, 150, 0.020), (1560, 40, 66, 70, 0.042), (1345, 165, 30, 40, 0.040),
            (1745, 985, 96, 124, 0.018), (150, 90, 80, 110, 0.018), (1010, 1075, 52, 64, 0.030),
            (880, 10, 44, 56, 0.026),
        ]
        for q, (x, y, r, apart, bright) in enumerate(pairs):
            g = TAU * (q * 3 % 10) / 10 + 0.6
            tilt = rng.uniform(-0.9, 0.9) + 0.22 * np.sin(th + g)
            gap = apart * (0.78 + 0.42 * np.cos(th + g))
            ox, oy = 18 * np.cos(th + rng.uniform(0, TAU)), 14 * np.sin(th + rng.uniform(0, TAU))
            light = 0.85 + 0.15 * np.cos(th + g + np.pi)
            small = rng.uniform(0.55, 0.92)
            for side, h, k in ((-1, 0.04, 1.0), (1, 0.36, small)):
                self.discs.append((x + ox + side * gap * np.cos(tilt) * 0.72,
                                   y + oy + side * gap * np.sin(tilt) * 0.72,
                                   r * k, bright * light, warm(h)))
        # far, tiny lights
        self.far = []
        while len(self.far) < 90:
            x, y = rng.uniform(0, W), rng.uniform(0, H)
            if rng.random() > 0.12 + 0.88 * self.density(x, y):
                continue
            p = rng.uniform(0, TAU, 3)
            a = rng.uniform(5, 16)
            self.far.append((x + a * np.cos(th + p[0]), y + 0.7 * a * np.sin(th + p[1]),
                             np.exp(rng.normal(0.75, 0.45)),
                             rng.uniform(0.03, 0.16) * (1 + 0.4 * np.cos(th + p[2])),
                             warm(rng.uniform(0.0, 0.7))))


# --- drawing ----------------------------------------------------------------

class Painter:
    def __init__(self, cast):
        self.cast = cast
        ys, xs = np.mgrid[0:H, 0:W].astype(np.float32)
        nx, ny = (xs - W / 2) / W, (ys - H / 2) / H
        # lights are dimmed in the middle, behind the text ...
        calm = np.exp(-((nx / 0.30) ** 2 + (ny / 0.27) ** 2) ** 1.6)
        # ... and luminance has a maximum for the contrast of white text: low in
        # the middle, moderate down the centre column (phones crop to it) and
        # along the header, open elsewhere.
        column = 1 - smoothstep(0.15, 0.25, np.abs(nx))
        header = 1 - smoothstep(0.065, 0.125, ny + 0.5)
        words = (1 - smoothstep(0.24, 0.36, np.abs(nx))) * (1 - smoothstep(0.26, 0.40, np.abs(ny)))
        ceiling = np.exp(np.log(3.0) + np.maximum(column, header) * np.log(0.145 / 3.0))
        self.dim = ((1 - 0.55 * calm) * (1 - 0.66 * words) * (1 - 0.38 * np.maximum(column, header) * (1 - words)))[..., None]
        self.ceiling = np.exp(np.log(ceiling) * (1 - words) + np.log(0.075) * words)[..., None]
        self.shelter = np.clip(np.log(3.0 / self.ceiling) / np.log(3.0 / 0.145), 0, 1)
        corner = (nx / 0.62) ** 2 + (ny / 0.66) ** 2
        self.vignette = (1 - 0.30 * smoothstep(0.45, 1.5, corner))[..., None]
        # dither: triangular noise, fixed in place so that it costs the encoder
        # almost nothing
        rng = np.random.default_rng(SEED + 1)
        tri = lambda h, w: (rng.random((h, w)) - rng.random((h, w))).astype(np.float32)
        self.grain = tri(H, W)
        self.grain_c = [tri(H // 2, W // 2), tri(H // 2, W // 2)]

    @staticmethod
    def glow(buf, x, y, sigma, colour):
        """Adds a Gaussian; buf may be smaller than the frame."""
        h, w, _ = buf.shape
        s = w / W
        x, y, sg = (x + 0.5) * s - 0.5, (y + 0.5) * s - 0.5, max(sigma * s, 0.55)
        r = int(3.6 * sg) + 1
        x0, x1 = max(0, int(x) - r), min(w, int(x) + r + 2)
        y0, y1 = max(0, int(y) - r), min(h, int(y) + r + 2)
        if x0 >= x1 or y0 >= y1:
            return
        gx = np.exp(-((np.arange(x0, x1) - x) / sg) ** 2 / 2).astype(np.float32)
        gy = np.exp(-((np.arange(y0, y1) - y) / sg) ** 2 / 2).astype(np.float32)
        buf[y0:y1, x0:x1] += (gy[:, None] * gx)[..., None] * colour

    @staticmethod
    def disc(buf, x, y, radius, soft, colour):
        """Adds an out-of-focus light: a soft disc, slightly brighter at its rim."""
        h, w, _ = buf.shape
        s = w / W
        x, y, R, e = (x + 0.5) * s - 0.5, (y + 0.5) * s - 0.5, radius * s, soft * s
        r = int(R + e) + 2
        x0, x1 = max(0, int(x) - r), min(w, int(x) + r + 2)
        y0, y1 = max(0, int(y) - r), min(h, int(y) + r + 2)
        if x0 >= x1 or y0 >= y1:
            return
        d = np.hypot(np.arange(x0, x1)[None] - x, np.arange(y0, y1)[:, None] - y).astype(np.float32)
        body = (1 - smoothstep(R - e, R + e, d)) * (0.62 + 0.38 * np.clip(d / R, 0, 1) ** 3)
        buf[y0:y1, x0:x1] += body[..., None] * colour

    @staticmethod
    def thread(buf, xs, ys, sigma, weight, colour):
        """Adds a soft line through the given points, one small Gaussian each."""
        h, w, _ = buf.shape
        s = w / W
        xs, ys, sg = (xs + 0.5) * s - 0.5, (ys + 0.5) * s - 0.5, sigma * s
        r = int(np.ceil(3 * sg))
        k = np.arange(-r, r + 1)
        ix, iy = np.round(xs).astype(int), np.round(ys).astype(int)
        gx = np.exp(-((ix[:, None] + k - xs[:, None]) / sg) ** 2 / 2)
        gy = np.exp(-((iy[:, None] + k - ys[:, None]) / sg) ** 2 / 2)
        val = weight[:, None, None] * gy[:, :, None] * gx[:, None, :]
        px = np.broadcast_to(ix[:, None, None] + k[None, None, :], val.shape)
        py = np.broadcast_to(iy[:, None, None] + k[None, :, None], val.shape)
        ok = (px >= 0) & (px < w) & (py >= 0) & (py < h)
        x0, y0 = max(0, ix.min() - r), max(0, iy.min() - r)
        x1, y1 = min(w, ix.max() + r + 1), min(h, iy.max() + r + 1)
        if x0 >= x1 or y0 >= y1:
            return
        flat = (py[ok] - y0) * (x1 - x0) + (px[ok] - x0)
        acc = np.bincount(flat, val[ok], (y1 - y0) * (x1 - x0)).reshape(y1 - y0, x1 - x0)
        buf[y0:y1, x0:x1] += acc[..., None].astype(np.float32) * colour

    def frame(self, n):
        """One frame as linear-light RGB."""
        c = self.cast
        n %= FRAMES
        th = c.th[n]
        full = np.zeros((H, W, 3), np.float32)
        half = np.zeros((H // 2, W // 2, 3), np.float32)
        tiny = np.zeros((H // 8, W // 8, 3), np.float32)

        # background glow: large and faint, slightly brighter at the bottom
        for x, y, sg, a, col, p in (
            (230, 1150, 380, 0.020, EMBER, 0.0), (1700, 0, 380, 0.014, EMBER, 2.1),
            (1500, 1180, 400, 0.007, EMBER, 4.0), (880, 1230, 330, 0.007, EMBER, 3.1),
        ):
            self.glow(tiny, x + 70 * np.cos(th + p), y + 30 * np.sin(th + p), sg,
                      col * a * (1 + 0.22 * np.cos(th + p + 1.3)))

        for x, y, r, b, col in c.discs:
            self.disc(half, x[n], y[n], r, max(4, r * 0.22), col * b[n])
            self.glow(tiny, x[n], y[n], r * 1.3, EMBER * b[n] * 0.35)
        for x, y, r, b, col in c.far:
            self.disc(full, x[n], y[n], r, 1.6, col * b[n])

        for i, j, when, hero, bow, weight in c.bonds:
            s = bump(th - when, 1.25)
            if s < 0.13:
                continue
            a, b = c.pos[i, n], c.pos[j, n]
            d = b - a
            dist = float(np.hypot(*d))
            u = np.linspace(0, 1, max(10, int(dist / 0.8)))
            # the line grows from both lights and closes in the middle
            reach = 0.58 * smoothstep(0.13, 0.58, s)
            end = np.minimum(u, 1 - u)
            shape = 1 - smoothstep(reach - 0.16, reach + 0.02, end)
            shape *= 0.30 + 0.70 * (1 - np.sin(np.pi * u)) ** 1.3
            strength = smoothstep(0.13, 0.96, s) * weight
            col = (warm(c.hue[i]) + warm(c.hue[j])) / 2 * 0.75 + PEACH * 0.25
            # three lines: one bright, two fainter
            for k, (dev, part, sg) in enumerate(((0, 0.38, 0.90), (0.085, 0.13, 0.80), (-0.07, 0.10, 0.80))):
                bend = bow + dev * (1 + 0.5 * np.sin(th + i + k)) + 0.03 * np.sin(th + j)
                m = (a + b) / 2 + np.array([-d[1], d[0]]) * bend
                px = (1 - u) ** 2 * a[0] + 2 * u * (1 - u) * m[0] + u ** 2 * b[0]
                py = (1 - u) ** 2 * a[1] + 2 * u * (1 - u) * m[1] + u ** 2 * b[1]
                wgt = shape * strength * (dist / len(u))
                self.thread(full, px, py, sg, wgt * part, col)
                if k == 0:
                    self.thread(half, px[::3], py[::3], 6, wgt[::3] * 3 * 0.013, EMBER)
                    if hero:                          # the point where they join
                        self.glow(half, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 30, col * s ** 4 * weight * 0.22)
                    # a bright spot travels along the line once
                    v = ((th - when + np.pi) % TAU - np.pi) / 1.5 + 0.45
                    if 0 < v < 1:
                        q = int(smoothstep(0, 1, v) * (len(u) - 1))
                        q = len(u) - 1 - q if (i + j) % 2 else q
                        loud = np.sin(np.pi * v) ** 2 * weight
                        self.glow(full, px[q], py[q], 1.7, PEACH * loud * 0.9)
                        self.glow(half, px[q], py[q], 9, col * loud * 0.10)

        for i in range(c.COUNT):
            x, y = c.pos[i, n]
            near = c.joined[i, n]
            soft = c.depth[i, n] * (1 - 0.9 * near)       # unjoined lights are slightly out of focus
            z, k = c.size[i], c.twinkle[i, n]
            col = warm(c.hue[i])
            lift = (0.40 + 1.25 * near) * k
            r = z * (3.6 + 10 * soft)
            self.disc(full, x, y, r, 1.4 + r * 0.32, (col * 0.6 + PEACH * 0.4) * lift * 1.6 / (1 + 5 * soft))
            self.glow(full, x, y, z * 4.6, PEACH * lift * near * 1.1)
            self.glow(half, x, y, z * (13 + 6 * soft), col * lift * 0.34)
            self.glow(tiny, x, y, z * 46, (col * 0.3 + EMBER * 0.7) * lift * 0.070)
            self.glow(tiny, x, y, z * 125, EMBER * lift * 0.011)

        out = full + self.enlarge(half) + self.enlarge(tiny)
        out *= self.dim * self.vignette
        # the maximum reduces the white part of a light first, so that a dimmed
        # light is orange instead of grey
        y = (out @ LUMA)[..., None]
        held = self.shelter * (0.45 + 0.45 * smoothstep(0.1, 1.2, y / self.ceiling))
        out += held * (y * self.COAL - out)
        out = 1 - np.exp(-1.25 * self.compress(out))      # film-like shoulder
        out += INK * self.vignette * (1 - out)
        return self.compress(out)

    COAL = oklch(0.72, 0.155, 50) / (oklch(0.72, 0.155, 50) @ LUMA)

    def compress(self, rgb):
        y = (rgb @ LUMA)[..., None]
        knee = self.ceiling * 0.5
        over = np.maximum(y - knee, 0)
        return rgb * (np.minimum(y, knee) + knee * (1 - np.exp(-over / knee))) / np.maximum(y, 1e-6)

    @staticmethod
    def enlarge(buf):
        planes = [Image.fromarray(np.ascontiguousarray(buf[..., k])).resize((W, H), Image.BICUBIC)
                  for k in range(3)]
        return np.maximum(np.stack([np.asarray(p) for p in planes], -1), 0)

    @staticmethod
    def gamma(lin):
        lin = np.clip(lin, 0, 1)
        return np.where(lin < 0.0031308, lin * 12.92, 1.055 * np.power(lin, 1 / 2.4, dtype=np.float32) - 0.055)

    def yuv(self, lin):
        """BT.709 limited-range 4:2:0 bytes, dithered so that dark glows do not band."""
        g = self.gamma(lin)
        y = g @ LUMA
        cb, cr = (g[..., 2] - y) / 1.8556, (g[..., 0] - y) / 1.5748
        shrink = lambda p: p.reshape(H // 2, 2, W // 2, 2).mean((1, 3))
        planes = [16 + 219 * y + 0.75 * self.grain,
                  128 + 224 * shrink(cb) + 0.5 * self.grain_c[0],
                  128 + 224 * shrink(cr) + 0.5 * self.grain_c[1]]
        return b"".join(np.clip(np.rint(p), 0, 255).astype(np.uint8).tobytes() for p in planes)

    def rgb(self, lin):
        g = self.gamma(lin) * 255 + 0.5 * self.grain[..., None]
        return Image.fromarray(np.clip(np.rint(g), 0, 255).astype(np.uint8))


# --- files ------------------------------------------------------------------

def raw(path):
    return ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{W}x{H}", "-r", str(FPS),
            "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
            "-color_range", "tv", "-i", path]


TAGS = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709",
        "-color_range", "tv", "-an", "-map_metadata", "-1", "-fflags", "+bitexact"]


def ffmpeg(*args):
    subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-y", *map(str, args)], check=True)


def encode(yuv, out):
    target = int(MAX_VIDEO_BYTES * 0.955 * 8 / SECONDS / 1000)
    with tempfile.TemporaryDirectory() as tmp:
        x264 = ["-c:v", "libx264", "-preset", "slower", "-profile:v", "high", "-b:v", f"{target}k",
                "-g", FRAMES, "-bf", 5, "-x264-params",
                "aq-mode=3:aq-strength=1.1:deblock=-1,-1:rc-lookahead=60:qcomp=0.7:no-dct-decimate=1",
                "-passlogfile", f"{tmp}/h264", *TAGS]
        ffmpeg(*raw(yuv), *x264, "-pass", 1, "-f", "null", "-")
        ffmpeg(*raw(yuv), *x264, "-pass", 2, "-pix_fmt", "yuv420p", "-movflags", "+faststart",
               out / "landing.mp4")
        vp9 = ["-c:v", "libvpx-vp9", "-b:v", f"{target}k", "-g", FRAMES, "-row-mt", 1, "-tile-columns", 1,
               "-threads", 2, "-deadline", "good", "-auto-alt-ref", 1, "-lag-in-frames", 25,
               "-passlogfile", f"{tmp}/vp9", *TAGS]
        ffmpeg(*raw(yuv), *vp9, "-cpu-used", 4, "-pass", 1, "-f", "null", "-")
        ffmpeg(*raw(yuv), *vp9, "-cpu-used", 2, "-pass", 2, out / "landing.webm")
    for name in ("landing.webm", "landing.mp4"):
        size = (out / name).stat().st_size
        print(f"{name}: {size} bytes")
        if size > MAX_VIDEO_BYTES:
            sys.exit(f"{name} is larger than {MAX_VIDEO_BYTES} bytes; lower the bit rate")


def poster(painter, out):
    """The first frame, so that playback starts without a jump."""
    picture = painter.rgb(painter.frame(0))
    path = out / "landing-poster.jpg"
    for quality in range(90, 40, -2):
        picture.save(path, quality=quality, optimize=True, progressive=True)
        if path.stat().st_size <= MAX_POSTER_BYTES:
            break
    print(f"{path.name}: {path.stat().st_size} bytes, quality {quality}")


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--out", type=Path, default=OUT, help="folder for the three files")
    ap.add_argument("--stills", metavar="N,N", help="only write these frames as PNG into --out")
    ap.add_argument("--keep", type=Path, help="reuse or keep the raw frames in this file (1.1 GB)")
    args = ap.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    painter = Painter(Cast())
    if args.stills:
        for n in map(int, args.stills.split(",")):
            painter.rgb(painter.frame(n)).save(args.out / f"frame-{n:03d}.png")
        return
    if not shutil.which("ffmpeg"):
        sys.exit("ffmpeg is missing: install it with your package manager, e.g. apt install ffmpeg")
    poster(painter, args.out)
    with tempfile.TemporaryDirectory() as tmp:
        yuv = args.keep or Path(tmp) / "frames.yuv"
        if not yuv.exists():
            with open(yuv, "wb") as f:
                for n in range(FRAMES):
                    f.write(painter.yuv(painter.frame(n)))
                    if n % FPS == 0:
                        print(f"second {n // FPS} of {SECONDS}", flush=True)
        encode(yuv, args.out)


if __name__ == "__main__":
    main()
