//! AV1 decoder, by `rusty_av1d`.

use rusty_av1d::{
    DecodeFrameType, Decoder, InloopFilterType, Picture, PixelLayout, PlanarImageComponent,
    Settings, pixel::YUVRange,
};

use super::properties::Cicp;
use crate::ImageError;

/// A decoded frame: a luma plane and, unless it is gray, two chroma planes.
#[derive(Debug)]
pub(super) struct Planes {
    frame: Picture,
}

/// Decodes a frame of exactly these dimensions. Skips deblocking of a large one, which takes six times as long.
pub(super) fn decode(
    stream: &[u8],
    (width, height): (u32, u32),
    is_large: bool,
) -> Result<Planes, ImageError> {
    let mut settings = Settings::new();
    // On this thread, so that a panic ends here.
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_frame_size_limit(width * height);
    settings.set_all_layers(false);
    // A still image is a key frame.
    settings.set_decode_frame_type(DecodeFrameType::Key);
    // Film grain would be blurred by scaling and cost bytes.
    settings.set_apply_grain(false);
    if is_large {
        settings.set_inloop_filters(InloopFilterType::empty());
    }
    let mut decoder = Decoder::with_settings(&settings).map_err(|_| ImageError::TooComplex)?;
    let sent = decoder.send_data(stream.into(), None, None, None);
    sent.map_err(|_| ImageError::Broken)?;
    // The last spatial layer is the finest.
    let mut shown = None;
    while let Ok(frame) = decoder.get_picture() {
        shown = Some(frame);
    }
    let is_right = |frame: &Picture| (frame.width(), frame.height()) == (width, height);
    let frame = shown.filter(is_right).ok_or(ImageError::Broken)?;
    Ok(Planes { frame })
}

impl Planes {
    pub(super) fn width(&self) -> usize {
        self.frame.width() as usize
    }

    pub(super) fn height(&self) -> usize {
        self.frame.height() as usize
    }

    pub(super) fn is_gray(&self) -> bool {
        self.frame.pixel_layout() == PixelLayout::I400
    }

    /// The colour description of the decoded frame.
    pub(super) fn cicp(&self) -> Cicp {
        Cicp {
            primaries: self.frame.color_primaries() as u16,
            transfer: self.frame.transfer_characteristic() as u16,
            matrix: self.frame.matrix_coefficients() as u16,
            is_full_range: matches!(self.frame.color_range(), YUVRange::Full),
        }
    }

    /// Whether chroma is subsampled in columns and in rows.
    pub(super) fn halves(&self) -> (bool, bool) {
        match self.frame.pixel_layout() {
            PixelLayout::I420 => (true, true),
            PixelLayout::I422 => (true, false),
            _ => (false, false),
        }
    }

    /// The largest sample: 255, 1023 or 4095.
    pub(super) fn largest(&self) -> u16 {
        (1 << self.frame.bit_depth().clamp(8, 12)) - 1
    }

    /// Copies a row of luma samples.
    pub(super) fn brightness(&self, row: usize, samples: &mut [u16]) {
        self.copy(PlanarImageComponent::Y, row, samples);
    }

    /// Copies a row of both chroma planes.
    pub(super) fn colours(&self, row: usize, [blue, red]: [&mut [u16]; 2]) {
        self.copy(PlanarImageComponent::U, row, blue);
        self.copy(PlanarImageComponent::V, row, red);
    }

    fn copy(&self, plane: PlanarImageComponent, row: usize, samples: &mut [u16]) {
        let start = row * self.frame.stride(plane) as usize;
        let bytes = &self.frame.plane(plane)[start..];
        if self.frame.bit_depth() == 8 {
            for (sample, byte) in samples.iter_mut().zip(bytes) {
                *sample = u16::from(*byte);
            }
        } else {
            for (sample, bytes) in samples.iter_mut().zip(bytes.as_chunks().0) {
                *sample = u16::from_ne_bytes(*bytes);
            }
        }
    }
}
