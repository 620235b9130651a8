//! Decoded pixels.

use crate::crop::Rect;

/// Channels of a pixel, one byte each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// Inverted CMYK as in Adobe JPEG files: 255 is no ink.
    Cmyk,
}

/// Pixels of 8 bits per channel, row by row from the top, without padding; alpha is not premultiplied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bitmap {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) layout: Layout,
    /// `width * height * layout.channels()` bytes.
    pub(crate) pixels: Vec<u8>,
}

impl Layout {
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
        }
    }

    pub(crate) const fn is_gray(self) -> bool {
        matches!(self, Self::Gray | Self::GrayAlpha)
    }

    /// Whether the last channel is alpha.
    pub(crate) const fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }
}

impl Bitmap {
    /// Allocates zeroed pixels for checked dimensions. Pages are committed on write, so a damaged file costs little.
    pub(crate) fn blank(width: u32, height: u32, layout: Layout) -> Self {
        let length = width as usize * height as usize * layout.channels();
        Self { width, height, layout, pixels: vec![0; length] }
    }

    pub(crate) fn is_opaque(&self) -> bool {
        let alphas = self.pixels.iter().skip(self.layout.channels() - 1);
        !self.layout.has_alpha()
            || alphas.step_by(self.layout.channels()).all(|alpha| *alpha == 255)
    }

    /// Expands gray to three channels; other layouts stay unchanged.
    pub(crate) fn into_color(self) -> Self {
        let pixels = &self.pixels;
        let (layout, pixels) = match self.layout {
            Layout::Rgb | Layout::Rgba | Layout::Cmyk => return self,
            Layout::Gray => {
                let pixels = pixels.iter().flat_map(|gray| [*gray; 3]);
                (Layout::Rgb, pixels.collect())
            }
            Layout::GrayAlpha => {
                let pixels = pixels.as_chunks().0.iter();
                let pixels = pixels.flat_map(|[gray, alpha]| [*gray, *gray, *gray, *alpha]);
                (Layout::Rgba, pixels.collect())
            }
        };
        Self { layout, pixels, ..self }
    }

    /// Reverts [`into_color`](Self::into_color): keeps the first color channel as gray.
    pub(crate) fn into_gray(self) -> Self {
        let pixels = &self.pixels;
        let (layout, pixels) = if self.layout == Layout::Rgba {
            let pixels = pixels.as_chunks().0.iter();
            let pixels = pixels.flat_map(|[gray, _, _, alpha]| [*gray, *alpha]);
            (Layout::GrayAlpha, pixels.collect())
        } else {
            (Layout::Gray, pixels.iter().step_by(3).copied().collect())
        };
        Self { layout, pixels, ..self }
    }

    /// Drops the alpha channel of RGBA; other layouts stay unchanged.
    pub(crate) fn without_alpha(self) -> Self {
        if self.layout != Layout::Rgba {
            return self;
        }
        let pixels = self.pixels.as_chunks().0.iter();
        let pixels = pixels.flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        Self { layout: Layout::Rgb, pixels, ..self }
    }

    pub(crate) fn crop(mut self, area: Rect) -> Self {
        if area == Rect::full(self.width, self.height) {
            return self;
        }
        let channels = self.layout.channels();
        let (stride, length) = (self.width as usize * channels, area.width as usize * channels);
        let first = area.y as usize * stride + area.x as usize * channels;
        // Rows move to the front in order, so none overwrites a later one.
        for row in 0..area.height as usize {
            let from = first + row * stride;
            self.pixels.copy_within(from..from + length, row * length);
        }
        self.pixels.truncate(area.height as usize * length);
        Self { width: area.width, height: area.height, ..self }
    }

    /// Divides premultiplied colours by their alpha.
    pub(crate) fn unpremultiply(&mut self) {
        if !self.layout.has_alpha() {
            return;
        }
        let channels = self.layout.channels();
        for pixel in self.pixels.chunks_exact_mut(channels) {
            let (colours, alpha) = pixel.split_at_mut(channels - 1);
            let alpha = u16::from(alpha[0]);
            for colour in colours {
                let divided = (u16::from(*colour) * 255 + alpha / 2).checked_div(alpha);
                *colour = divided.map_or(0, |divided| u8::try_from(divided).unwrap_or(u8::MAX));
            }
        }
    }
}
