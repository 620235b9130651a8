//! Lossless WebP pictures of a few pixels with many Huffman groups.

use crate::corpus::file;

/// A bit stream of lossless WebP: the lowest bit of each byte comes first.
#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    bits: usize,
}

impl Stream {
    fn number(&mut self, number: u32, count: usize) {
        for place in 0..count {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = u8::from(number >> place & 1 == 1);
            *self.bytes.last_mut().unwrap() |= bit << (self.bits % 8);
            self.bits += 1;
        }
    }

    /// A code of one symbol, which is written with zero bits.
    fn only(&mut self, symbol: u32) {
        self.number(0b101, 3);
        self.number(symbol, 8);
    }

    /// A code of 2,048 symbols of 11 bits each, in a few bits.
    fn long(&mut self) {
        self.number(0, 1);
        // Of the 19 code lengths only the 15th, for 11 bits, is used.
        self.number(15, 4);
        for place in 0..19 {
            self.number(u32::from(place == 14), 3);
        }
        // The number of written lengths: 2, and a number of 12 bits.
        self.number(1, 1);
        self.number(5, 3);
        self.number(2_046, 12);
    }

    /// The header: no transforms; a cache of 2,048 colours or none; blocks of 512 pixels that all use the last group.
    fn head(&mut self, is_cached: bool, groups: u32) {
        self.number(0, 1);
        if is_cached {
            self.number(1, 1);
            self.number(11, 4);
        } else {
            self.number(0, 1);
        }
        self.number(0b1111, 4);
        self.number(0, 1);
        let last = groups - 1;
        for symbol in [last & 0xFF, last >> 8, 0, 0, 0] {
            self.only(symbol);
        }
    }

    /// Groups whose codes have one symbol each.
    fn plain(groups: u32, written: u32) -> Self {
        let mut stream = Self::default();
        stream.head(false, groups);
        for _ in 0..written * 5 {
            stream.only(0);
        }
        stream
    }

    /// Groups whose first code is long.
    fn with_long_codes(groups: u32) -> Self {
        let mut stream = Self::default();
        stream.head(true, groups);
        for _ in 0..groups {
            stream.long();
            for _ in 0..4 {
                stream.only(0);
            }
        }
        stream
    }

    /// The stream as a picture.
    fn lossless(&self, width: u32, height: u32) -> Vec<u8> {
        let measures = ((width - 1) | ((height - 1) << 14)).to_le_bytes();
        riff(&[(*b"VP8L", [&[0x2F][..], &measures, &self.bytes].concat())])
    }

    /// The stream as the alpha of a lossy picture.
    fn alpha(&self) -> Vec<u8> {
        let lossy = file("lossy-alpha.webp");
        let mut chunks = Vec::new();
        let mut rest = &lossy[12..];
        while let Some((head, body)) = rest.split_at_checked(8) {
            let name = *head.first_chunk().unwrap();
            let length = u32::from_le_bytes(*head.last_chunk().unwrap()) as usize;
            let body_of = match &name {
                b"ALPH" => [&[1][..], &self.bytes].concat(),
                _ => body[..length].to_vec(),
            };
            chunks.push((name, body_of));
            rest = &body[length.next_multiple_of(2)..];
        }
        assert!(chunks.iter().any(|chunk| chunk.0 == *b"ALPH"));
        riff(&chunks)
    }
}

fn riff(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, data) in chunks {
        body.extend(name);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [&b"RIFF"[..], &length, &body].concat()
}

/// Endless groups of codes, and codes of 70 KB each in 15 bytes.
pub(crate) fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let groups = Stream::plain(65_536, 65_536);
    vec![
        ("groups", groups.lossless(8, 8)),
        ("groups of alpha", groups.alpha()),
        ("groups that are missing", Stream::plain(65_536, 0).lossless(8, 8)),
        ("long codes", Stream::with_long_codes(4_096).lossless(4_000, 4_000)),
        ("more long codes", Stream::with_long_codes(65_536).lossless(8, 8)),
    ]
}
