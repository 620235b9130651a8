//! The chunks of a WebP: finding its first picture, and giving the decoder that alone.

use crate::{Refusal, bounds};

/// A WebP, taken apart.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) exif: Option<&'a [u8]>,
    pub(super) profile: Option<&'a [u8]>,
    /// The only picture, or the first of an animation.
    pub(super) frame: Frame<'a>,
}

/// A picture within a WebP.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    /// From the left of the canvas.
    pub(super) x: u32,
    /// From the top of the canvas.
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) pixels: Pixels<'a>,
}

/// How pixels are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pixels<'a> {
    Lossless(&'a [u8]),
    Lossy {
        colours: &'a [u8],
        alpha: Option<&'a [u8]>,
    },
}

type Chunk<'a> = ([u8; 4], &'a [u8]);

impl<'a> Container<'a> {
    /// Takes a file apart and checks all measures.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let length = bytes.get(4..).and_then(<[u8]>::first_chunk);
        let length = u32::from_le_bytes(*length.ok_or(Refusal::Broken)?) as usize;
        let mut body = bytes
            .get(12..length.saturating_add(8))
            .ok_or(Refusal::Broken)?;
        let first = next_chunk(&mut body)?.ok_or(Refusal::Broken)?;
        if first.0 != *b"VP8X" {
            let pixels = Pixels::of(None, first)?;
            let (width, height) = pixels.measures()?;
            bounds::measures(width, height)?;
            return Ok(Self {
                width,
                height,
                exif: None,
                profile: None,
                frame: Frame::whole(width, height, pixels),
            });
        }
        Self::extended(first.1, body)
    }

    fn extended(head: &[u8], mut body: &'a [u8]) -> Result<Self, Refusal> {
        let [_, _, _, _, measures @ ..] = head else {
            return Err(Refusal::Broken);
        };
        let (width, height) = (number(measures, 0)? + 1, number(measures, 3)? + 1);
        bounds::measures(width, height)?;
        let (mut exif, mut profile, mut alpha, mut frame) = (None, None, None, None);
        while let Some(chunk) = next_chunk(&mut body)? {
            match &chunk.0 {
                b"EXIF" => exif = exif.or(Some(chunk.1)),
                b"ICCP" => profile = profile.or(Some(chunk.1)),
                b"ALPH" => alpha = alpha.or(Some(chunk.1)),
                b"VP8 " | b"VP8L" if frame.is_none() => {
                    let pixels = Pixels::of(alpha, chunk)?;
                    frame = Some(Frame::whole(width, height, pixels));
                }
                b"ANMF" if frame.is_none() => frame = Some(Frame::moving(chunk.1)?),
                _ => {}
            }
        }
        let frame = frame.ok_or(Refusal::Broken)?;
        let is_inside = frame.x + frame.width <= width && frame.y + frame.height <= height;
        if !is_inside || frame.pixels.measures()? != (frame.width, frame.height) {
            return Err(Refusal::Broken);
        }
        Ok(Self {
            width,
            height,
            exif,
            profile,
            frame,
        })
    }
}

impl<'a> Frame<'a> {
    fn whole(width: u32, height: u32, pixels: Pixels<'a>) -> Self {
        Self {
            x: 0,
            y: 0,
            width,
            height,
            pixels,
        }
    }

    /// Reads the chunk `ANMF`.
    fn moving(body: &'a [u8]) -> Result<Self, Refusal> {
        let (place, mut chunks) = body.split_at_checked(16).ok_or(Refusal::Broken)?;
        let mut alpha = None;
        while let Some(chunk) = next_chunk(&mut chunks)? {
            match &chunk.0 {
                b"ALPH" => alpha = Some(chunk.1),
                b"VP8 " | b"VP8L" => {
                    return Ok(Self {
                        x: number(place, 0)? * 2,
                        y: number(place, 3)? * 2,
                        width: number(place, 6)? + 1,
                        height: number(place, 9)? + 1,
                        pixels: Pixels::of(alpha, chunk)?,
                    });
                }
                _ => {}
            }
        }
        Err(Refusal::Broken)
    }
}

impl<'a> Pixels<'a> {
    fn of(alpha: Option<&'a [u8]>, (name, body): Chunk<'a>) -> Result<Self, Refusal> {
        match &name {
            b"VP8L" => Ok(Self::Lossless(body)),
            b"VP8 " => Ok(Self::Lossy {
                colours: body,
                alpha,
            }),
            _ => Err(Refusal::Broken),
        }
    }

    /// Width and height, by the head of the stream.
    fn measures(self) -> Result<(u32, u32), Refusal> {
        match self {
            Self::Lossless([0x2F, a, b, c, d, ..]) => {
                let bits = u32::from_le_bytes([*a, *b, *c, *d]);
                Ok(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
            }
            Self::Lossy {
                colours: [_, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1, ..],
                ..
            } => {
                let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3FFF);
                Ok((side(*w0, *w1), side(*h0, *h1)))
            }
            _ => Err(Refusal::Broken),
        }
    }
}

impl Frame<'_> {
    /// A file of this picture and nothing else.
    pub(super) fn file(&self) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        match self.pixels {
            Pixels::Lossless(stream) => push_chunk(&mut body, *b"VP8L", stream),
            Pixels::Lossy { colours, alpha } => {
                if let Some(alpha) = alpha {
                    let side = |length: u32| (length - 1).to_le_bytes();
                    let ([w0, w1, w2, _], [h0, h1, h2, _]) = (side(self.width), side(self.height));
                    push_chunk(
                        &mut body,
                        *b"VP8X",
                        &[0x10, 0, 0, 0, w0, w1, w2, h0, h1, h2],
                    );
                    push_chunk(&mut body, *b"ALPH", alpha);
                }
                push_chunk(&mut body, *b"VP8 ", colours);
            }
        }
        let mut file = Vec::with_capacity(body.len() + 8);
        push_chunk(&mut file, *b"RIFF", &body);
        file
    }
}

/// Takes a chunk from the front; `None` at the end.
fn next_chunk<'a>(bytes: &mut &'a [u8]) -> Result<Option<Chunk<'a>>, Refusal> {
    // A byte that makes the length even may be left.
    if bytes.len() < 2 {
        return Ok(None);
    }
    let (name, rest) = bytes.split_first_chunk().ok_or(Refusal::Broken)?;
    let (length, rest) = rest.split_first_chunk().ok_or(Refusal::Broken)?;
    let length = u32::from_le_bytes(*length) as usize;
    let body = rest.get(..length).ok_or(Refusal::Broken)?;
    *bytes = rest.get(length + length % 2..).unwrap_or_default();
    Ok(Some((*name, body)))
}

fn push_chunk(file: &mut Vec<u8>, name: [u8; 4], body: &[u8]) {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    file.extend(name);
    file.extend(length.to_le_bytes());
    file.extend_from_slice(body);
    file.resize(file.len().next_multiple_of(2), 0);
}

/// A number of three bytes, the lowest first.
fn number(bytes: &[u8], at: usize) -> Result<u32, Refusal> {
    let [a, b, c] = bytes
        .get(at..)
        .and_then(<[u8]>::first_chunk)
        .ok_or(Refusal::Broken)?;
    Ok(u32::from_le_bytes([*a, *b, *c, 0]))
}
