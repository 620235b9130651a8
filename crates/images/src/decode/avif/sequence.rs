//! The head of an AV1 stream: what decoding it will cost is known before it begins.

use super::bits::Bits;
use super::properties::Code;
use crate::Refusal;

/// What the head of a stream says of all its frames.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// Of the whole picture; a frame may have other measures, but not beyond `bounds`.
    pub(super) width: u32,
    pub(super) height: u32,
    /// The largest width and height that a frame can have: what their bits can say.
    pub(super) bounds: (u32, u32),
    /// How many frames are one picture, of which each is finer than the one before.
    pub(super) layers: u64,
    /// Frames may be stored narrower than they are shown, and so be held twice.
    pub(super) is_stretched: bool,
    pub(super) samples: Samples,
    pub(super) code: Code,
}

/// How samples are stored.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Samples {
    /// More than 8 bits, which take two bytes.
    pub(super) is_deep: bool,
    pub(super) colour: Colour,
}

/// For how many pixels a sample of colour is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    /// There is none.
    Gray,
    /// Two columns and two rows.
    Four,
    /// Two columns.
    Two,
    One,
}

impl Samples {
    /// Samples of four pixels in all planes.
    pub(super) const fn of_four(&self) -> u64 {
        match self.colour {
            Colour::Gray => 4,
            Colour::Four => 6,
            Colour::Two => 8,
            Colour::One => 12,
        }
    }

    /// Bytes of four pixels in all planes.
    pub(super) const fn bytes_of_four(&self) -> u64 {
        self.of_four() * if self.is_deep { 2 } else { 1 }
    }
}

impl Sequence {
    /// Reads the unit's body; section 5.5 of the AV1 specification has its layout.
    pub(super) fn read(body: &[u8]) -> Result<Self, Refusal> {
        let mut bits = Bits::new(body);
        let profile = bits.number(3)?;
        bits.skip(1)?;
        let is_reduced = bits.flag()?;
        let layers = if is_reduced {
            bits.skip(5)?;
            1
        } else {
            read_layers(&mut bits)?
        };
        let (of_width, of_height) = (bits.number(4)? + 1, bits.number(4)? + 1);
        let (width, height) = (bits.number(of_width)? + 1, bits.number(of_height)? + 1);
        if !is_reduced && bits.flag()? {
            bits.skip(7)?;
        }
        bits.skip(3)?;
        if !is_reduced {
            skip_tools_of_video(&mut bits)?;
        }
        let is_stretched = bits.flag()?;
        bits.skip(2)?;
        let (samples, code) = read_colours(&mut bits, profile)?;
        Ok(Self {
            width,
            height,
            bounds: (1 << of_width, 1 << of_height),
            layers,
            is_stretched,
            samples,
            code,
        })
    }
}

/// Reads the operating points, and of the first, which is what is decoded, how many layers it has.
fn read_layers(bits: &mut Bits<'_>) -> Result<u64, Refusal> {
    let (mut layers, mut of_delay) = (None, None);
    if bits.flag()? {
        bits.skip(64)?;
        if bits.flag()? {
            bits.skip_variable()?;
        }
        if bits.flag()? {
            of_delay = Some(bits.number(5)? + 1);
            bits.skip(42)?;
        }
    }
    let has_display_delay = bits.flag()?;
    for _ in 0..=bits.number(5)? {
        // A bit for each layer of detail, and one for each of time.
        let detail = bits.number(4)?;
        bits.skip(8)?;
        layers = layers.or(Some(u64::from(detail.count_ones())));
        let level = bits.number(5)?;
        bits.skip(u32::from(level > 7))?;
        if let Some(length) = of_delay
            && bits.flag()?
        {
            bits.skip(2 * length + 1)?;
        }
        if has_display_delay && bits.flag()? {
            bits.skip(4)?;
        }
    }
    Ok(layers.unwrap_or(0).max(1))
}

fn skip_tools_of_video(bits: &mut Bits<'_>) -> Result<(), Refusal> {
    bits.skip(4)?;
    let has_order = bits.flag()?;
    if has_order {
        bits.skip(2)?;
    }
    let chooses_screen_content = bits.flag()?;
    if (chooses_screen_content || bits.flag()?) && !bits.flag()? {
        bits.skip(1)?;
    }
    bits.skip(if has_order { 3 } else { 0 })
}

fn read_colours(bits: &mut Bits<'_>, profile: u32) -> Result<(Samples, Code), Refusal> {
    let is_deep = bits.flag()?;
    let is_twelve = profile == 2 && is_deep && bits.flag()?;
    let is_gray = profile != 1 && bits.flag()?;
    let mut code = Code {
        primaries: 2,
        transfer: 2,
        matrix: 2,
        is_full_range: true,
    };
    if bits.flag()? {
        for field in [&mut code.primaries, &mut code.transfer, &mut code.matrix] {
            *field = u16::try_from(bits.number(8)?).unwrap_or(2);
        }
    }
    let is_plain_rgb = (code.primaries, code.transfer, code.matrix) == (1, 13, 0);
    if is_gray || !is_plain_rgb {
        code.is_full_range = bits.flag()?;
    }
    let colour = match profile {
        _ if is_gray => Colour::Gray,
        _ if is_plain_rgb => Colour::One,
        0 => Colour::Four,
        1 => Colour::One,
        _ if !is_twelve => Colour::Two,
        _ if !bits.flag()? => Colour::One,
        _ if bits.flag()? => Colour::Four,
        _ => Colour::Two,
    };
    Ok((Samples { is_deep, colour }, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Sequence {
        /// A head of this colour whose measures have 16 bits each.
        pub(in super::super) fn plain(colour: Colour) -> Self {
            let code = Code {
                primaries: 1,
                transfer: 13,
                matrix: 6,
                is_full_range: true,
            };
            let is_deep = false;
            Self {
                width: 256,
                height: 256,
                bounds: (1 << 16, 1 << 16),
                layers: 1,
                is_stretched: false,
                samples: Samples { is_deep, colour },
                code,
            }
        }
    }

    /// The bits of a head, as they are written in the specification, spaces for the eye.
    fn head(bits: &str) -> Vec<u8> {
        let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').collect();
        let byte = |bits: &[u8]| {
            let bits = bits.iter().enumerate();
            bits.fold(0, |byte, (at, bit)| byte | (bit - b'0') << (7 - at))
        };
        bits.chunks(8).map(byte).collect()
    }

    #[test]
    fn a_still_picture_says_little() {
        // Profile 0, still, reduced, level 0; sides of 4 bits: 10 by 7; no tools; 8 bits, in
        // colours 1, 13 and 6, full range.
        let bits = "000 1 1 00000 0011 0011 1001 0110 000 000 0 0 1 00000001 00001101 00000110 1";
        let sequence = Sequence::read(&head(bits)).unwrap();
        assert_eq!((sequence.width, sequence.height), (10, 7));
        assert_eq!((sequence.bounds, sequence.layers), ((16, 16), 1));
        let code = sequence.code;
        assert_eq!((code.primaries, code.transfer, code.matrix), (1, 13, 6));
        assert!(code.is_full_range && !sequence.is_stretched);
        assert_eq!(sequence.samples.bytes_of_four(), 6);
    }

    #[test]
    fn a_video_says_much_before_its_measures() {
        // Timing with a number of variable length, a model of the decoder, a delay of display,
        // and two operating points, the second above level 7.
        let timing = format!("1 {} {} 1 00101", "0".repeat(32), "1".repeat(32));
        let model = format!("1 00011 {} 00000 00000", "0".repeat(32));
        let first = "001100000001 00011 1 1010 0101 0 0";
        let second = "000000000001 01000 1 0 1 0011";
        let points = format!("1 00001 {first} {second}");
        // Sides of 11 bits, 1920 by 1080; numbered frames; order hints; screen content is chosen
        // per frame; stretched.
        let sides = "1010 1010 11101111111 10000110111 1 0010 011 000";
        let tools = "1111 1 11 1 1 111 1 11";
        // Profile 2, 12 bits, not gray, no code, limited range, two columns and one row.
        let colours = "1 1 0 0 0 1 0";
        let bits = format!("010 0 0 {timing} {model} {points} {sides} {tools} {colours}");
        let sequence = Sequence::read(&head(&bits)).unwrap();
        assert_eq!((sequence.width, sequence.height), (1920, 1080));
        assert_eq!((sequence.bounds, sequence.layers), ((2048, 2048), 2));
        assert!(sequence.is_stretched && !sequence.code.is_full_range);
        assert_eq!(sequence.samples.colour, Colour::Two);
        assert_eq!(sequence.samples.bytes_of_four(), 16);
    }

    #[test]
    fn a_head_that_ends_early_is_broken() {
        let bits = head("000 1 1 00000 0011 0011 1001 0110 000 000 0 0 0 1");
        for end in 0..bits.len() - 1 {
            assert_eq!(Sequence::read(&bits[..end]), Err(Refusal::Broken));
        }
    }
}
