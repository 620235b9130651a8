//! What of an ICC profile is read.
//!
//! `moxcms` copies each text of a profile as often as the profile points at it, and reads each tag
//! as often as it is listed. A profile that says the same megabytes thousands of times, and packs
//! into a few kilobytes, would so take all memory. It is given a profile with only those tags that
//! colours are computed from, each once.

/// The tags from which a colour of sRGB is computed. Of the tables only that for pictures is
/// used, which is the first. What `moxcms` makes of one of these is bounded by its bytes.
const NEEDED: [[u8; 4]; 11] = [
    *b"rXYZ", *b"gXYZ", *b"bXYZ", *b"rTRC", *b"gTRC", *b"bTRC", *b"kTRC", *b"wtpt", *b"chad",
    *b"cicp", *b"A2B0",
];

/// Bytes in front of the table of tags.
const HEAD: usize = 128;

/// Bytes of a line of that table: a name, an offset and a length.
const LINE: usize = 12;

/// The profile with a table that lists only what is [`NEEDED`]; `None` if it has no whole table.
///
/// Data stay where they are: tags may share theirs, as the curves of red, green and blue often
/// do, and data that no tag names are not looked at.
pub(crate) fn needed(profile: &[u8]) -> Option<Vec<u8>> {
    let (count, table) = profile.get(HEAD..)?.split_first_chunk()?;
    let count = usize::try_from(u32::from_be_bytes(*count)).ok()?;
    let (lines, _) = table.get(..count.checked_mul(LINE)?)?.as_chunks::<LINE>();
    let first = |name: &[u8; 4]| lines.iter().find(|line| line.starts_with(name));
    let kept: Vec<_> = NEEDED.iter().filter_map(first).collect();
    let mut rebuilt = profile.get(..HEAD)?.to_vec();
    rebuilt.extend(u32::try_from(kept.len()).ok()?.to_be_bytes());
    rebuilt.extend(kept.into_iter().flatten());
    rebuilt.extend_from_slice(profile.get(rebuilt.len()..)?);
    Some(rebuilt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(count: u32, names: &[[u8; 4]]) -> Vec<u8> {
        let mut profile = vec![7; HEAD];
        profile.extend(count.to_be_bytes());
        for (at, name) in (0_u32..).zip(names) {
            let (offset, length) = ((200 + at).to_be_bytes(), 40_u32.to_be_bytes());
            profile.extend([*name, offset, length].concat());
        }
        profile.extend(b"the data of all tags");
        profile
    }

    /// The names of the tags, and the last byte of the offset of each.
    fn listed(profile: &[u8]) -> Vec<([u8; 4], u8)> {
        let (count, table) = profile[HEAD..].split_first_chunk().unwrap();
        let lines = table.as_chunks::<LINE>().0.iter();
        let lines = lines.take(u32::from_be_bytes(*count) as usize);
        lines
            .map(|line| (*line.first_chunk().unwrap(), line[7]))
            .collect()
    }

    /// proves: image-profile
    #[test]
    fn of_a_profile_only_colours_are_read_and_each_once() {
        let mut names = [*b"desc", *b"cprt", *b"gamt", *b"B2A0", *b"A2B1", *b"gXYZ"].to_vec();
        names.extend([*b"rXYZ"; 1_000]);
        names.extend([*b"A2B0", *b"dmnd", *b"dmdd", *b"vued", *b"targ", *b"A2B0"]);
        let whole = profile(u32::try_from(names.len()).unwrap(), &names);
        let rebuilt = needed(&whole).unwrap();
        let first = u8::try_from((200 + 1_006) % 256).unwrap();
        assert_eq!(
            listed(&rebuilt),
            [(*b"rXYZ", 206), (*b"gXYZ", 205), (*b"A2B0", first)]
        );
        assert_eq!(rebuilt.len(), whole.len());
        assert_eq!(rebuilt[..HEAD], whole[..HEAD]);
        assert!(rebuilt.ends_with(b"the data of all tags"));
    }

    #[test]
    fn a_table_that_is_not_all_there_is_none() {
        let whole = profile(2, &[*b"rXYZ", *b"gXYZ"]);
        assert_eq!(needed(&whole), Some(whole.clone()));
        assert_eq!(needed(&whole[..HEAD + 4 + 2 * LINE - 1]), None);
        assert_eq!(needed(&whole[..HEAD + 3]), None);
        assert_eq!(needed(&profile(u32::MAX, &[])), None);
        assert_eq!(needed(&[]), None);
    }
}
