//! Files built byte by byte, because encoders do not write them, or not fast enough.

/// Storage parameters of a JPEG of one gray colour.
#[derive(Clone, Copy)]
pub(crate) struct Flat {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Columns and rows of brightness samples per colour sample: 1 or 2.
    pub(crate) sampling: u8,
    /// Number of additional progressive scans, all empty; `None` for a baseline file.
    pub(crate) scans: Option<usize>,
}

impl Flat {
    pub(crate) fn baseline(width: u16, height: u16) -> Self {
        Self { width, height, sampling: 1, scans: None }
    }

    /// The encoded file. All its codes are one zero bit, so that its data are zeros.
    pub(crate) fn jpeg(self) -> Vec<u8> {
        let mut file = vec![0xFF, 0xD8];
        segment(&mut file, 0xDB, &[&[0][..], &[1; 64]].concat());
        let frame = if self.scans.is_some() { 0xC2 } else { 0xC0 };
        segment(&mut file, frame, &self.frame());
        // One code of one bit, for zero: no change, end of block.
        let mut table = vec![0; 18];
        table[1] = 1;
        for class in [0x00, 0x10] {
            table[0] = class;
            segment(&mut file, 0xC4, &table);
        }
        let last = if self.scans.is_some() { 0 } else { 63 };
        segment(&mut file, 0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, last, 0]);
        let units = self.blocks(8 * u32::from(self.sampling));
        let blocks = units * (u32::from(self.sampling).pow(2) + 2);
        let bits = if self.scans.is_some() { blocks } else { blocks * 2 };
        file.extend(vec![0; bits.div_ceil(8) as usize]);
        for scan in 0..self.scans.unwrap_or(0) {
            let component = u8::try_from(scan % 3).unwrap() + 1;
            segment(&mut file, 0xDA, &[1, component, 0, 1, 63, 0]);
            let side = if component == 1 { 8 } else { 8 * u32::from(self.sampling) };
            file.extend(vec![0; self.blocks(side).div_ceil(8) as usize]);
        }
        file.extend([0xFF, 0xD9]);
        file
    }

    fn frame(self) -> Vec<u8> {
        let (height, width) = (self.height.to_be_bytes(), self.width.to_be_bytes());
        let sampling = self.sampling << 4 | self.sampling;
        let components = [3, 1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0];
        [&[8][..], &height, &width, &components].concat()
    }

    fn blocks(self, side: u32) -> u32 {
        u32::from(self.width).div_ceil(side) * u32::from(self.height).div_ceil(side)
    }
}

fn segment(file: &mut Vec<u8>, marker: u8, body: &[u8]) {
    file.extend([0xFF, marker]);
    file.extend(u16::try_from(body.len() + 2).unwrap().to_be_bytes());
    file.extend(body);
}

/// A PNG of zeros.
pub(crate) fn png(
    width: u32,
    height: u32,
    colour: png::ColorType,
    depth: png::BitDepth,
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().unwrap();
    let bits = colour.samples() * depth as usize * width as usize;
    let mut rows = writer.stream_writer().unwrap();
    let row = vec![0; bits.div_ceil(8)];
    for _ in 0..height {
        std::io::Write::write_all(&mut rows, &row).unwrap();
    }
    rows.finish().unwrap();
    writer.finish().unwrap();
    file
}

/// The header of a PNG without data.
pub(crate) fn png_head(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let measures = [width.to_be_bytes(), height.to_be_bytes()].concat();
    png_chunk(&mut file, *b"IHDR", &[&measures[..], &[8, 6, 0, 0, 0]].concat());
    file
}

/// Adds a chunk to a PNG.
pub(crate) fn png_chunk(file: &mut Vec<u8>, name: [u8; 4], body: &[u8]) {
    file.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(body);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| {
        if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 }
    };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// A frame of a GIF: position, dimensions and colour.
pub(crate) struct Frame {
    pub(crate) left: u16,
    pub(crate) top: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) index: u8,
}

/// A GIF of frames on a screen, in black, red, green and blue.
pub(crate) fn gif(width: u16, height: u16, frames: &[Frame]) -> Vec<u8> {
    let mut file = Vec::new();
    let palette = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255];
    let mut encoder = gif::Encoder::new(&mut file, width, height, &palette).unwrap();
    for frame in frames {
        let length = usize::from(frame.width) * usize::from(frame.height);
        let written = gif::Frame {
            left: frame.left,
            top: frame.top,
            width: frame.width,
            height: frame.height,
            buffer: vec![frame.index; length].into(),
            ..gif::Frame::default()
        };
        encoder.write_frame(&written).unwrap();
    }
    drop(encoder);
    file
}

/// The header of a WebP with these dimensions, and a frame that is too short for them.
pub(crate) fn webp_head(width: u32, height: u32, is_animated: bool) -> Vec<u8> {
    let side = |length: u32| (length - 1).to_le_bytes()[..3].to_vec();
    let flags = if is_animated { 2 } else { 0 };
    let head = [&[flags, 0, 0, 0][..], &side(width), &side(height)].concat();
    let mut body = b"WEBP".to_vec();
    let chunk = |body: &mut Vec<u8>, name: &[u8; 4], data: &[u8]| {
        body.extend(name);
        body.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
        body.extend(data);
    };
    chunk(&mut body, b"VP8X", &head);
    if is_animated {
        chunk(&mut body, b"ANIM", &[0; 6]);
        let place = [&[0; 6][..], &side(width), &side(height), &[0; 4]].concat();
        let mut frame = place;
        chunk(&mut frame, b"VP8L", &[0x2F, 0, 0, 0, 0, 0, 0, 0]);
        chunk(&mut body, b"ANMF", &frame);
    } else {
        chunk(&mut body, b"VP8L", &[0x2F, 0, 0, 0, 0, 0, 0, 0]);
    }
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [&b"RIFF"[..], &length, &body].concat()
}

/// The corpus AVIF of one frame, with other dimensions in its boxes.
pub(crate) fn avif_of(file: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    let at = file.windows(4).position(|four| four == b"ispe").unwrap() + 8;
    file[at..at + 4].copy_from_slice(&width.to_be_bytes());
    file[at + 4..at + 8].copy_from_slice(&height.to_be_bytes());
    file
}
