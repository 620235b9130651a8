//! Conversion to sRGB, by `moxcms`.

use moxcms::{
    CicpColorPrimaries, CicpProfile, ColorProfile, DataColorSpace, Layout as Shape,
    MatrixCoefficients, ToneReprCurve, TransferCharacteristics, TransformOptions,
};

use crate::bitmap::{Bitmap, Layout};

/// Color space of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ColorSpace {
    /// sRGB, also the default of files without a color space.
    Srgb,
    /// ICC profile.
    Profile(Vec<u8>),
    /// Code points of H.273 (CICP).
    Cicp {
        /// Color primaries.
        primaries: u8,
        /// Transfer characteristics.
        transfer: u8,
    },
}

impl ColorSpace {
    pub(crate) fn of(profile: Option<Vec<u8>>) -> Self {
        profile.map_or(Self::Srgb, Self::Profile)
    }
}

/// Largest profile that is used, in bytes; those of printing presses are smaller.
const MAX_PROFILE_BYTES: usize = 4 << 20;

/// Peak brightness of PQ relative to reference white: 10,000 nits to 203, by BT.2408.
const PQ_PEAK: f32 = 10_000.0 / 203.0;

/// Converts to sRGB, as RGB or RGBA. An unreadable or unsuitable profile is ignored.
pub(crate) fn to_srgb(picture: Bitmap, colours: &ColorSpace) -> Bitmap {
    let profile = match colours {
        ColorSpace::Srgb => None,
        ColorSpace::Profile(bytes) if bytes.len() > MAX_PROFILE_BYTES => None,
        ColorSpace::Profile(bytes) => ColorProfile::new_from_slice(bytes).ok(),
        ColorSpace::Cicp { primaries, transfer } => profile_of_cicp(*primaries, *transfer),
    };
    let converted = profile.and_then(|profile| convert(&picture, &profile));
    converted.unwrap_or_else(|| without_profile(picture))
}

/// The profile of H.273 code points; `None` for sRGB and for unspecified values.
fn profile_of_cicp(primaries: u8, transfer: u8) -> Option<ColorProfile> {
    const SAME: [u8; 3] = [1, 2, 13];
    // BT.709 and similar curves describe cameras; screens show all of them as sRGB.
    const VIDEO: [u8; 4] = [6, 14, 15, 18];
    let transfer = if VIDEO.contains(&transfer) { 13 } else { transfer };
    if matches!(primaries, 1 | 2) && SAME.contains(&transfer) {
        return None;
    }
    let transfer = if SAME.contains(&transfer) { 13 } else { transfer };
    let primaries = if primaries == 2 { 1 } else { primaries };
    let mut profile = ColorProfile::new_from_cicp(CicpProfile {
        color_primaries: CicpColorPrimaries::try_from(primaries).ok()?,
        transfer_characteristics: TransferCharacteristics::try_from(transfer).ok()?,
        matrix_coefficients: MatrixCoefficients::Identity,
        full_range: true,
    });
    if transfer == 16 {
        let curve = ToneReprCurve::Lut((0..=1023_u16).map(pq_to_light).collect());
        profile.red_trc = Some(curve.clone());
        profile.green_trc = Some(curve.clone());
        profile.blue_trc = Some(curve);
        // Otherwise moxcms would use the curve of `cicp`.
        profile.cicp = None;
    }
    profile.red_trc.is_some().then_some(profile)
}

/// Tone-maps PQ's `code` (0 to 1023) to linear light (65535 is white): peak becomes white, dark stays.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast ends at 0 and 65535, as light does"
)]
fn pq_to_light(code: u16) -> u16 {
    // The constants of SMPTE ST 2084.
    const M1: f32 = 1305.0 / 8192.0;
    const M2: f32 = 2523.0 / 32.0;
    const C1: f32 = 107.0 / 128.0;
    const C2: f32 = 2413.0 / 128.0;
    const C3: f32 = 2392.0 / 128.0;
    let root = (f32::from(code) / 1023.0).powf(1.0 / M2);
    let light = ((root - C1).max(0.0) / (C2 - C3 * root)).powf(1.0 / M1);
    let paper = light * PQ_PEAK;
    let bent = paper * (1.0 + paper / (PQ_PEAK * PQ_PEAK)) / (1.0 + paper);
    (bent * 65535.0 + 0.5) as u16
}

fn convert(picture: &Bitmap, profile: &ColorProfile) -> Option<Bitmap> {
    let (space, from, to) = match picture.layout {
        Layout::Gray => (DataColorSpace::Gray, Shape::Gray, Layout::Rgb),
        Layout::GrayAlpha => (DataColorSpace::Gray, Shape::GrayAlpha, Layout::Rgba),
        Layout::Rgb => (DataColorSpace::Rgb, Shape::Rgb, Layout::Rgb),
        Layout::Rgba => (DataColorSpace::Rgb, Shape::Rgba, Layout::Rgba),
        Layout::Cmyk => (DataColorSpace::Cmyk, Shape::Rgba, Layout::Rgb),
    };
    if profile.color_space != space {
        return None;
    }
    let shape = if to == Layout::Rgb { Shape::Rgb } else { Shape::Rgba };
    let srgb = ColorProfile::new_srgb();
    let options = TransformOptions::default();
    let transform = profile.create_transform_8bit(from, &srgb, shape, options);
    let transform = transform.ok()?;
    let mut target = Bitmap::blank(picture.width, picture.height, to);
    let done = if picture.layout == Layout::Cmyk {
        // Adobe stores inverted CMYK; profiles expect the amount of ink.
        let ink: Vec<u8> = picture.pixels.iter().map(|paper| 255 - paper).collect();
        transform.transform(&ink, &mut target.pixels)
    } else {
        transform.transform(&picture.pixels, &mut target.pixels)
    };
    done.is_ok().then_some(target)
}

/// Converts to RGB or RGBA without a profile.
fn without_profile(picture: Bitmap) -> Bitmap {
    if picture.layout != Layout::Cmyk {
        return picture.into_color();
    }
    let pixels = picture.pixels.as_chunks().0.iter();
    let pixels = pixels.flat_map(|[c, m, y, k]| [c, m, y].map(|paper| times(*paper, *k)));
    Bitmap { layout: Layout::Rgb, pixels: pixels.collect(), ..picture }
}

/// Product of two fractions of 255, rounded to nearest.
fn times(a: u8, b: u8) -> u8 {
    let product = (u16::from(a) * u16::from(b) + 127) / 255;
    u8::try_from(product).unwrap_or(u8::MAX)
}
