//! AVIF files with more frames than a picture has, or with one frame repeated.

use kith_images::{ImageError, Preset, process};

/// The header of a stream whose frames have one pixel.
const HEAD: &[u8] = b"\x0A\x08\x18\x00\x06\x88\x08\x68\x34\x20";

/// An independent frame of one pixel.
const FRAME: &[u8] =
    b"\x32\x11\x1E\xC7\x87\x85\x59\xDF\xFF\xFF\xE2\xC0\x00\x00\x90\x35\x8E\x3C\x34";

/// A unit that decoders ignore.
const PADDING: &[u8] = b"\x7A\x00";

fn joined(kind: [u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let length = u32::try_from(body.len() + 8).unwrap();
    [&length.to_be_bytes(), &kind[..], &body].concat()
}

/// A box with a version.
fn full(kind: [u8; 4], version: u8, parts: &[&[u8]]) -> Vec<u8> {
    joined(kind, &[&[version, 0, 0, 0], &parts.concat()])
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    let numbers = numbers.iter();
    numbers.flat_map(|number| number.to_be_bytes()).collect()
}

/// A grid, item 1, of one-pixel tiles that are all item 2, which is this stream. Alpha, if present, is another such
/// grid, item 3.
fn grid(stream: &[u8], columns: u8, rows: u8, has_alpha: bool) -> Vec<u8> {
    let (width, height) = (u16::from(columns), u16::from(rows));
    let plan = [&[0, 0, rows - 1, columns - 1][..], &shorts(&[width, height])].concat();
    let grids: &[u16] = if has_alpha { &[1, 3] } else { &[1] };
    let entry = |item: u16, kind: &[u8; 4]| full(*b"infe", 2, &[&shorts(&[item, 0]), kind, b"\0"]);
    let mut entries = entry(2, b"av01");
    let mut references = Vec::new();
    let tiles = width * height;
    let mut places = Vec::new();
    let mut place = |item: u16, method: u16, offset: usize, length: usize| {
        places.extend(shorts(&[item, method, 0, 1]));
        places.extend(u32::try_from(offset).unwrap().to_be_bytes());
        places.extend(u32::try_from(length).unwrap().to_be_bytes());
    };
    for item in grids {
        entries.extend(entry(*item, b"grid"));
        let same = shorts(&[2]).repeat(usize::from(tiles));
        references.extend(joined(*b"dimg", &[&shorts(&[*item, tiles]), &same]));
        place(*item, 1, 0, plan.len());
    }
    if has_alpha {
        references.extend(joined(*b"auxl", &[&shorts(&[3, 1, 1])]));
    }
    let head = joined(*b"ftyp", &[b"avif", &[0; 4], b"avifmif1miaf"]);
    // The stream comes first, so that its offset does not depend on its description.
    let media = joined(*b"mdat", &[stream]);
    place(2, 0, head.len() + 8, stream.len());
    let extent = |width: u16, height: u16| {
        let sides = shorts(&[0, width, 0, height]);
        full(*b"ispe", 0, &[&sides])
    };
    let alpha = full(*b"auxC", 0, &[b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"]);
    let properties = joined(*b"ipco", &[&extent(width, height), &extent(1, 1), &alpha]);
    let owners = [0, 0, 0, 3, 0, 1, 1, 1, 0, 2, 1, 2, 0, 3, 2, 1, 3];
    let count = shorts(&[u16::try_from(grids.len() + 1).unwrap()]);
    let boxes = [
        full(*b"pitm", 0, &[&shorts(&[1])]),
        full(*b"iinf", 0, &[&count, &entries]),
        full(*b"iloc", 1, &[&shorts(&[0x4400]), &count, &places]),
        full(*b"iref", 0, &[&references]),
        joined(*b"iprp", &[&properties, &full(*b"ipma", 0, &[&owners])]),
        joined(*b"idat", &[&plan]),
    ];
    [head, media, full(*b"meta", 0, &[&boxes.concat()])].concat()
}

/// A stream of `frames` frames, and padding after them.
fn stream(frames: usize, padding: usize) -> Vec<u8> {
    let frames = [HEAD, &FRAME.repeat(frames)].concat();
    let padding = PADDING.repeat((padding.saturating_sub(frames.len())) / PADDING.len());
    [frames, padding].concat()
}

fn error(file: &[u8]) -> Option<ImageError> {
    process(file, Preset::Post, None).err()
}

/// Encoders store equal tiles once, and such files are valid.
#[test]
fn equal_tiles_can_be_one_item() {
    assert_eq!(error(&grid(&stream(1, 0), 8, 8, true)), None);
}

/// Endless frames, a large item used by many tiles, and lists of many repetitions.
pub(crate) fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    // Entries of 2,048 parts of `sizes` bytes each in the list.
    let list = |sizes: u16, count: u32, bytes: usize| {
        let entry = [shorts(&[0, 7, 2, 0, 2_048]), vec![0; 2_048 * bytes]].concat();
        let entries = entry.repeat(count as usize);
        let head = [shorts(&[sizes]), count.to_be_bytes().to_vec()].concat();
        let places = full(*b"iloc", 2, &[&head, &entries]);
        let head = joined(*b"ftyp", &[b"avif", &[0; 4], b"avifmif1miaf"]);
        [head, full(*b"meta", 0, &[&places])].concat()
    };

    // A property similar to alpha, listed 255 times by each of 2,040 items, of an item with 2,040 references.
    let near = full(*b"auxC", 0, &[b"urn:mpeg:mpegB:cicp:systems:auxiliary:alph"]);
    let owner = [&[0, 3, 255][..], &[1; 255]].concat();
    let owners = [&2_040_u32.to_be_bytes()[..], &owner.repeat(2_040)].concat();
    let refers = joined(*b"auxl", &[&shorts(&[3, 1, 1])]).repeat(2_040);
    let boxes = [
        full(*b"iref", 0, &[&refers]),
        joined(*b"iprp", &[&joined(*b"ipco", &[&near]), &full(*b"ipma", 0, &[&owners])]),
    ];
    let head = joined(*b"ftyp", &[b"avif", &[0; 4], b"avifmif1miaf"]);
    let file = [head, full(*b"meta", 0, &[&boxes.concat()])].concat();
    vec![
        ("frames", grid(&stream(500_000, 0), 1, 1, false)),
        ("a large item as each tile", grid(&stream(1, 3_000_000), 255, 255, true)),
        ("empty parts", list(0, 500_000, 0)),
        ("parts", list(0x0100, 2_000, 1)),
        ("near alphas", file),
    ]
}
