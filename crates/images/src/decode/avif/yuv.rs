//! Conversion from YUV to RGB.

use super::av1::Planes;
use super::properties::Cicp;
use crate::ImageError;
use crate::bitmap::{Bitmap, Layout};

/// Matrix from three samples to RGB: three factors and a constant per channel.
#[derive(Debug)]
struct Sums {
    rows: [[f32; 4]; 3],
}

impl Sums {
    /// The matrix for samples of up to `largest`.
    fn of(code: Cicp, largest: u16) -> Result<Self, ImageError> {
        let largest = f32::from(largest);
        // One step of 8-bit depth, in this bit depth, for the limited range.
        let step = (largest + 1.0) / 256.0;
        let (black, white, colours) = if code.is_full_range {
            (0.0, largest, largest)
        } else {
            (16.0 * step, 219.0 * step, 224.0 * step)
        };
        let middle = 128.0 * step;
        let y = 255.0 / white;
        let c = 255.0 / colours;
        if code.matrix == 0 {
            // Identity matrix: the samples are green, blue and red.
            let only = |plane: usize| {
                let mut row = [0.0, 0.0, 0.0, -black * y];
                row[plane] = y;
                row
            };
            return Ok(Self { rows: [only(2), only(0), only(1)] });
        }
        let row = |blue: f32, red: f32| {
            let constant = -black * y - middle * c * (blue + red);
            [y, c * blue, c * red, constant]
        };
        let rows = match differences(code.matrix)? {
            Differences::Weighted { red: kr, blue: kb } => {
                let (red, blue) = (2.0 * (1.0 - kr), 2.0 * (1.0 - kb));
                let green = 1.0 - kr - kb;
                [row(0.0, red), row(-blue * kb / green, -red * kr / green), row(blue, 0.0)]
            }
            Differences::GreenAndOrange => [row(-1.0, 1.0), row(1.0, 0.0), row(-1.0, -1.0)],
        };
        Ok(Self { rows })
    }

    fn rgb(&self, samples: [u16; 3]) -> [u8; 3] {
        let samples = samples.map(f32::from);
        self.rows.map(|[y, blue, red, constant]| {
            byte(y * samples[0] + blue * samples[1] + red * samples[2] + constant)
        })
    }
}

/// Meaning of the two chroma planes.
enum Differences {
    /// Blue and red minus luma, with their weights in luma.
    Weighted { red: f32, blue: f32 },
    /// `YCgCo`.
    GreenAndOrange,
}

/// Table 4 of H.273. Unspecified means BT.601, as in JPEG.
fn differences(matrix: u16) -> Result<Differences, ImageError> {
    let (red, blue) = match matrix {
        1 => (0.2126, 0.0722),
        2 | 5 | 6 => (0.299, 0.114),
        4 => (0.30, 0.11),
        7 => (0.212, 0.087),
        8 => return Ok(Differences::GreenAndOrange),
        9 => (0.2627, 0.0593),
        _ => return Err(ImageError::TooComplex),
    };
    Ok(Differences::Weighted { red, blue })
}

/// Paints a frame onto a gray, RGB or RGBA canvas, at `x` and `y`, and clips it.
pub(super) fn paint(
    planes: &Planes,
    code: Cicp,
    canvas: &mut Bitmap,
    (x, y): (usize, usize),
) -> Result<(), ImageError> {
    let sums = Sums::of(code, planes.largest())?;
    let mut line = Line::new(planes);
    let channels = canvas.layout.channels();
    let is_gray = matches!(canvas.layout, Layout::Gray | Layout::GrayAlpha);
    let rows = rows(canvas, (x, y)).take(planes.height());
    for (row, pixels) in rows.enumerate() {
        line.load(planes, row);
        let samples = line.samples();
        for (pixel, samples) in pixels.chunks_exact_mut(channels).zip(samples) {
            let rgb = sums.rgb(samples);
            if is_gray {
                pixel[0] = rgb[1];
            } else {
                pixel[..3].copy_from_slice(&rgb);
            }
        }
    }
    Ok(())
}

/// Paints a gray frame as the alpha of a canvas that has one.
pub(super) fn paint_alpha(planes: &Planes, canvas: &mut Bitmap, (x, y): (usize, usize)) {
    let largest = f32::from(planes.largest());
    let step = (largest + 1.0) / 256.0;
    let (clear, opaque) =
        if planes.cicp().is_full_range { (0.0, largest) } else { (16.0 * step, 219.0 * step) };
    let channels = canvas.layout.channels();
    let mut samples = vec![0; planes.width()];
    let rows = rows(canvas, (x, y)).take(planes.height());
    for (row, pixels) in rows.enumerate() {
        planes.brightness(row, &mut samples);
        for (pixel, sample) in pixels.chunks_exact_mut(channels).zip(&samples) {
            pixel[channels - 1] = byte((f32::from(*sample) - clear) * 255.0 / opaque);
        }
    }
}

/// The rows of a canvas from `y` down, each from `x` on.
fn rows(canvas: &mut Bitmap, (x, y): (usize, usize)) -> impl Iterator<Item = &mut [u8]> {
    let channels = canvas.layout.channels();
    let stride = canvas.width as usize * channels;
    let rows = canvas.pixels.chunks_exact_mut(stride).skip(y);
    rows.map(move |row| row.get_mut(x * channels..).unwrap_or_default())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast ends at 0 and 255, as colours do"
)]
fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}

/// A row of samples with upsampled chroma.
struct Line {
    y: Vec<u16>,
    blue: Vec<u16>,
    red: Vec<u16>,
    /// Stored chroma rows: the nearest and the second nearest.
    stored: [[Vec<u16>; 2]; 2],
}

impl Line {
    fn new(planes: &Planes) -> Self {
        let width = planes.width();
        let middle = planes.largest() / 2 + 1;
        let of_colour = if planes.halves().0 { width.div_ceil(2) } else { width };
        let stored = || [vec![middle; of_colour], vec![middle; of_colour]];
        Self {
            y: vec![0; width],
            blue: vec![middle; width],
            red: vec![middle; width],
            stored: [stored(), stored()],
        }
    }

    fn load(&mut self, planes: &Planes, row: usize) {
        planes.brightness(row, &mut self.y);
        if planes.is_gray() {
            return;
        }
        let (halves_columns, halves_rows) = planes.halves();
        if !halves_columns {
            planes.colours(row, [&mut self.blue, &mut self.red]);
            return;
        }
        let (near, far) =
            if halves_rows { neighbours(row, planes.height().div_ceil(2)) } else { (row, row) };
        let [blue, red] = &mut self.stored;
        planes.colours(near, [&mut blue[0], &mut red[0]]);
        planes.colours(far, [&mut blue[1], &mut red[1]]);
        spread(blue, &mut self.blue);
        spread(red, &mut self.red);
    }

    fn samples(&self) -> impl Iterator<Item = [u16; 3]> {
        let colours = self.blue.iter().zip(&self.red);
        let all = self.y.iter().zip(colours);
        all.map(|(y, (blue, red))| [*y, *blue, *red])
    }
}

/// Indices of the nearest and second nearest chroma sample of a row or column.
fn neighbours(at: usize, count: usize) -> (usize, usize) {
    let near = at / 2;
    let far = if at.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(count - 1) };
    (near, far)
}

/// Upsamples two chroma rows to twice the columns; the first has three times the weight.
fn spread([near, far]: &[Vec<u16>; 2], spread: &mut [u16]) {
    // 12-bit samples with a total weight of 16 fit into 16 bits.
    let blend = |column: usize| 3 * near[column] + far[column];
    for (at, sample) in spread.iter_mut().enumerate() {
        let (near, far) = neighbours(at, near.len());
        *sample = (3 * blend(near) + blend(far) + 8) >> 4;
    }
}
