//! Private folders, temporary files and the limit of open files.

pub mod private_dir;
pub mod rlimit;
pub mod temporary_file;
