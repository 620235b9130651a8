//! Shared libraries and glibc version that a program requires, read with `readelf`.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::support::process;

/// Architecture and libraries of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// Architecture in the words of `readelf`.
    pub(super) machine: String,
    /// Libraries that the loader looks for.
    pub(super) libraries: Vec<String>,
    /// Oldest glibc with all symbols: major and minor version.
    pub(super) glibc: (u32, u32),
}

impl Needs {
    /// Reads a program.
    pub(super) fn read(binary: &Path) -> Result<Self> {
        let arguments = ["--wide", "--file-header", "--dynamic", "--version-info"];
        let printed =
            process::output(process::command("readelf", &arguments).arg(binary).env("LC_ALL", "C"))
                .context("readelf reads what the program needs: install binutils")?;
        Self::parse(&String::from_utf8_lossy(&printed))
    }

    fn parse(printed: &str) -> Result<Self> {
        let machine = printed.lines().find_map(|line| line.trim().strip_prefix("Machine:"));
        let libraries = printed.lines().filter(|line| line.contains("(NEEDED)"));
        let libraries =
            libraries.filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']')));
        let versions = printed.split("GLIBC_").skip(1).filter_map(|text| {
            let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
            let (major, minor) = text[..end].split_once('.')?;
            // `GLIBC_2.2.5` has a third number.
            let minor = minor.split('.').next()?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        let needs = Self {
            machine: machine.context("readelf prints no machine")?.trim().to_owned(),
            libraries: libraries.map(str::to_owned).collect(),
            glibc: versions.max().context("the program needs no glibc")?,
        };
        ensure!(!needs.libraries.is_empty(), "readelf prints no libraries");
        Ok(needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "
  Machine:                           Advanced Micro Devices X86-64
 0x0000000000000001 (NEEDED)             Shared library: [libgcc_s.so.1]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
  0x0020:   Name: GLIBC_2.2.5  Flags: none  Version: 9
  0x0030:   Name: GLIBC_2.34  Flags: none  Version: 8
  0x0040:   Name: GLIBC_2.9  Flags: none  Version: 7
  0x0050:   Name: GLIBC_ABI_DT_RELR  Flags: none  Version: 6
  0x0060:   Name: GCC_4.2.0  Flags: none  Version: 5
";

    #[test]
    fn the_newest_symbol_decides() {
        let needs = Needs::parse(PRINTED).expect("a program");
        assert_eq!(needs.glibc, (2, 34));
        assert_eq!(needs.libraries, ["libgcc_s.so.1", "libc.so.6"]);
        assert_eq!(needs.machine, "Advanced Micro Devices X86-64");
        assert!(Needs::parse("  Machine: x\n").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_program_is_read() {
        let needs = Needs::read(&std::env::current_exe().expect("a path")).expect("readelf works");
        assert!(needs.libraries.iter().any(|library| library == "libc.so.6"), "{needs:?}");
        assert!(needs.glibc >= (2, 2), "{needs:?}");
    }
}
