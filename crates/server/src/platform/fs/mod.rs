//! Files and folders of the process.

pub(crate) mod private_dir;
pub(crate) mod rlimit;
pub(crate) mod temporary_file;
