//! Private folders, temporary files and the limit of open files.

pub(crate) mod private_dir;
pub(crate) mod rlimit;
pub(crate) mod temporary_file;
