//! Detection of the file format by content.

/// A supported file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JPEG, baseline or progressive.
    Jpeg,
    /// PNG; of an animation the default image.
    Png,
    /// WebP; of an animation the first frame.
    WebP,
    /// GIF; of an animation the first frame.
    Gif,
    /// AVIF; of an animation the still image.
    Avif,
}

impl Format {
    /// Detects the format by the first bytes of a file.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [_, _, _, _, b'f', b't', b'y', b'p', ..] if is_avif(bytes) => Some(Self::Avif),
            _ => None,
        }
    }

    /// The media type, such as `image/jpeg`.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Avif => "image/avif",
        }
    }
}

/// Whether the `ftyp` box at the start names a brand of AVIF, as its own or as a compatible one.
fn is_avif(bytes: &[u8]) -> bool {
    let Some(length) = bytes.first_chunk().map(|size| u32::from_be_bytes(*size)) else {
        return false;
    };
    // A list of brands is short; a longer `ftyp` box is not that of an image.
    let end = bytes.len().min(length as usize).min(256);
    let brands = bytes.get(8..end).unwrap_or_default().chunks_exact(4);
    // The second of the four-byte groups is the version of the first brand.
    let mut brands = brands.enumerate().filter(|(at, _)| *at != 1);
    brands.any(|(_, brand)| matches!(brand, b"avif" | b"avis"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_their_first_bytes() {
        for (bytes, format) in [
            (&b"\xFF\xD8\xFF\xE0"[..], Format::Jpeg),
            (b"\x89PNG\r\n\x1A\n", Format::Png),
            (b"RIFF\x00\x00\x00\x00WEBPVP8 ", Format::WebP),
            (b"GIF89a", Format::Gif),
            (b"GIF87a", Format::Gif),
            (b"\x00\x00\x00\x10ftypavif\x00\x00\x00\x00", Format::Avif),
            (b"\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00avif", Format::Avif),
        ] {
            assert_eq!(Format::sniff(bytes), Some(format), "{bytes:?}");
        }
    }

    #[test]
    fn nothing_else_is_taken_for_an_image() {
        for bytes in [
            &b""[..],
            b"\xFF\xD8",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"<!doctype html>",
            b"BM\x36\x00",
            b"II*\x00",
            b"MM\x00*",
            b"RIFF\x00\x00\x00\x00WAVE",
            b"GIF88a",
            b"%PDF-1.7",
            b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic",
            // `avif` after the box, and in the version field.
            b"\x00\x00\x00\x10ftypmif1\x00\x00\x00\x00avif",
            b"\x00\x00\x00\x10ftypmif1avif",
        ] {
            assert_eq!(Format::sniff(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn media_types_are_registered_ones() {
        assert_eq!(Format::Avif.content_type(), "image/avif");
        assert_eq!(Format::Jpeg.content_type(), "image/jpeg");
    }
}
