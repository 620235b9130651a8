//! Taking a JPEG apart by its markers, without decoding anything.

use super::head::Head;
use crate::Refusal;

/// The parts of a file.
#[derive(Debug)]
pub(super) struct Segments<'a> {
    pub(super) head: Head,
    /// The first block of EXIF.
    pub(super) exif: Option<&'a [u8]>,
    /// The profile, which may come in pieces: the number of each, and the piece.
    profile: Vec<(u8, &'a [u8])>,
    /// The file up to its end, with what the pixels need and nothing else. Decoders put words
    /// together with care for the words, not for the time that a million of them take.
    pub(super) pixels: Vec<u8>,
}

const END: u8 = 0xD9;

impl<'a> Segments<'a> {
    /// Reads a file up to the end of its picture, which must be there.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let mut head: Option<Head> = None;
        let (mut exif, mut profile) = (None, Vec::new());
        let mut pixels = Vec::with_capacity(bytes.len());
        pixels.extend([0xFF, 0xD8]);
        let mut at = 2;
        loop {
            let segment = Segment::next(bytes, &mut at)?;
            let is_kept = match segment.marker {
                END => break,
                // Comments, and blocks of applications.
                0xE1 => {
                    let block = segment.body.strip_prefix(b"Exif\0\0");
                    exif = exif.or(block);
                    false
                }
                0xE2 => {
                    if let Some([number, _, piece @ ..]) =
                        segment.body.strip_prefix(b"ICC_PROFILE\0")
                    {
                        profile.push((*number, piece));
                    }
                    false
                }
                // Codes, divisors, and how often a scan begins anew. Adobe's block says whether
                // the colours are RGB, ink or neither.
                0xC4 | 0xDB | 0xDD | 0xEE => true,
                0xDA => {
                    let head = head.as_mut().ok_or(Refusal::Broken)?;
                    head.add_scan(segment.body)?;
                    true
                }
                marker if Head::is_frame(marker) => {
                    if head.is_some() {
                        return Err(Refusal::Broken);
                    }
                    head = Some(Head::read(marker, segment.body)?);
                    true
                }
                // What no pixel needs could hide from this count what the decoder reads.
                _ => false,
            };
            if is_kept {
                pixels.extend_from_slice(segment.whole);
            }
            pixels.extend_from_slice(segment.data);
        }
        pixels.extend([0xFF, END]);
        let head = head.filter(Head::has_scans).ok_or(Refusal::Broken)?;
        Ok(Self {
            head,
            exif,
            profile,
            pixels,
        })
    }

    /// The ICC profile, put together.
    pub(super) fn profile(mut self) -> Option<Vec<u8>> {
        self.profile.sort_by_key(|(number, _)| *number);
        let numbers = self.profile.iter().map(|(number, _)| usize::from(*number));
        let is_whole = numbers.eq(1..=self.profile.len());
        let pieces: Vec<&[u8]> = self.profile.iter().map(|(_, piece)| *piece).collect();
        (is_whole && !pieces.is_empty()).then(|| pieces.concat())
    }
}

/// A marker with what belongs to it.
struct Segment<'a> {
    marker: u8,
    /// The marker, its length and its body.
    whole: &'a [u8],
    body: &'a [u8],
    /// What follows up to the next marker: the data of a scan, or bytes without meaning.
    data: &'a [u8],
}

impl<'a> Segment<'a> {
    /// Reads the segment at `at`, which is then behind it. Behind the last there is nothing.
    fn next(bytes: &'a [u8], at: &mut usize) -> Result<Self, Refusal> {
        let start = *at + marker_in(bytes.get(*at..).ok_or(Refusal::Broken)?)?;
        let marker = bytes[start + 1];
        // A second start, which has no length, though decoders read one.
        if matches!(marker, 0x01 | 0xD8) {
            return Err(Refusal::Broken);
        }
        if marker == END {
            return Ok(Self {
                marker,
                whole: &[],
                body: &[],
                data: &[],
            });
        }
        let length = bytes.get(start + 2..).and_then(<[u8]>::first_chunk);
        let length = usize::from(u16::from_be_bytes(*length.ok_or(Refusal::Broken)?));
        let end = start + 2 + length;
        let body = bytes.get(start + 4..end).ok_or(Refusal::Broken)?;
        let next = end + marker_in(&bytes[end..])?;
        *at = next;
        // Only a scan has data; bytes elsewhere would only confuse the decoder.
        let data = if marker == 0xDA {
            &bytes[end..next]
        } else {
            &[]
        };
        Ok(Self {
            marker,
            whole: &bytes[start..end],
            body,
            data,
        })
    }
}

/// Where the next marker is that isn't part of a scan's data.
fn marker_in(bytes: &[u8]) -> Result<usize, Refusal> {
    let mut from = 0;
    while let Some(found) = bytes[from..].iter().position(|byte| *byte == 0xFF) {
        let at = from + found;
        match bytes.get(at + 1) {
            None => break,
            // Data that look like a marker are followed by a zero, and 0xD0 and on restart a scan.
            Some(0x00 | 0xD0..=0xD7) => from = at + 2,
            // Markers may be preceded by any number of these.
            Some(0xFF) => from = at + 1,
            Some(_) => return Ok(at),
        }
    }
    Err(Refusal::Broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(marker: u8, body: &[u8]) -> Vec<u8> {
        let length = u16::try_from(body.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker][..], &length, body].concat()
    }

    fn file(segments: &[&[u8]]) -> Vec<u8> {
        [&[0xFF, 0xD8][..], &segments.concat(), &[0xFF, END]].concat()
    }

    fn frame(marker: u8) -> Vec<u8> {
        segment(marker, &[8, 0, 50, 0, 100, 1, 1, 0x11, 0])
    }

    fn scan() -> Vec<u8> {
        segment(0xDA, &[1, 1, 0, 0, 63, 0])
    }

    #[test]
    fn pixels_keep_what_they_need() {
        let adobe = segment(0xEE, b"Adobe\0\0\0\0\0\0\0");
        let data = [1, 0xFF, 0x00, 2, 0xFF, 0xD3, 3];
        let words = segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0");
        let comment = segment(0xFE, b"\xFF\xD9 inside");
        let whole = file(&[
            &words,
            &adobe,
            &comment,
            &frame(0xC0),
            &scan(),
            &data,
            &comment,
        ]);
        let segments = Segments::read(&whole).unwrap();
        let kept = file(&[&adobe, &frame(0xC0), &scan(), &data]);
        assert_eq!(segments.pixels, kept);
        assert_eq!((segments.head.width, segments.head.height), (100, 50));
    }

    #[test]
    fn fillers_and_bytes_between_segments_are_left_out() {
        let whole = file(&[
            &[0xFF, 0xFF],
            &frame(0xC0),
            &[7, 7, 7, 7, 7],
            &scan(),
            &[9, 0xFF],
        ]);
        let segments = Segments::read(&whole).unwrap();
        let kept = file(&[&frame(0xC0), &scan(), &[9, 0xFF]]);
        assert_eq!(segments.pixels, kept);
    }

    #[test]
    fn what_no_pixel_needs_is_left_out() {
        let hidden = scan().repeat(5);
        for marker in [0x02, 0xC8, 0xCC, 0xDC, 0xDE, 0xE0, 0xED, 0xF0, 0xFD] {
            let whole = file(&[&frame(0xC2), &scan(), &segment(marker, &hidden), &scan()]);
            let kept = file(&[&frame(0xC2), &scan(), &scan()]);
            assert_eq!(Segments::read(&whole).unwrap().pixels, kept, "{marker}");
        }
    }

    #[test]
    fn markers_that_only_decoders_would_see_are_broken() {
        let hidden = segment(0xF0, &scan().repeat(5));
        for marker in [0x01, 0xD8] {
            let data = [0, 0, 0xFF, marker, 0, 2];
            let whole = file(&[&frame(0xC2), &scan(), &data, &hidden]);
            let read = Segments::read(&whole);
            assert!(matches!(read, Err(Refusal::Broken)), "{marker}");
        }
    }

    #[test]
    fn exif_and_the_pieces_of_a_profile_are_found() {
        let exif = segment(0xE1, b"Exif\0\0II*\0");
        let piece = |number: u8, text: &[u8]| {
            segment(0xE2, &[&b"ICC_PROFILE\0"[..], &[number, 2], text].concat())
        };
        let second = segment(0xE1, b"Exif\0\0MM");
        let (one, two) = (piece(1, b"first "), piece(2, b"second"));
        let whole = file(&[&exif, &two, &second, &one, &frame(0xC0), &scan()]);
        let segments = Segments::read(&whole).unwrap();
        assert_eq!(segments.exif, Some(&b"II*\0"[..]));
        assert_eq!(segments.profile(), Some(b"first second".to_vec()));
        let whole = file(&[&two, &frame(0xC0), &scan()]);
        assert_eq!(Segments::read(&whole).unwrap().profile(), None);
    }

    #[test]
    fn a_file_without_its_parts_is_broken() {
        let whole = file(&[&frame(0xC0), &scan(), &[1, 2, 3]]);
        assert!(Segments::read(&whole).is_ok());
        for end in 2..whole.len() {
            let cut = Segments::read(&whole[..end]);
            assert!(matches!(cut, Err(Refusal::Broken)), "{end}");
        }
        for broken in [
            file(&[&frame(0xC0)]),
            file(&[&scan(), &frame(0xC0)]),
            file(&[&frame(0xC0), &frame(0xC0), &scan()]),
            file(&[&frame(0xC9), &scan()]),
        ] {
            assert!(matches!(Segments::read(&broken), Err(Refusal::Broken)));
        }
    }
}
