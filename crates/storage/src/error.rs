//! Errors of a storage.

use std::io;

/// An error of a storage operation. No text contains a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The object has more bytes than the caller's limit.
    #[error("the object is larger than allowed")]
    TooLarge,
    /// The disk, the quota or the bucket is full.
    #[error("the object storage is full")]
    Full,
    /// The storage is unavailable, with the reason; a later attempt may succeed.
    #[error("the object storage is not available: {0}")]
    Unavailable(String),
    /// The incoming stream failed before its end.
    #[error("the incoming object broke off")]
    BodyAborted,
    /// The key is invalid, which is a bug: members never choose keys.
    #[error("an object's key {0}")]
    InvalidKey(&'static str),
}

impl From<io::Error> for StorageError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // `EFBIG`, the limit on a file's size, has the same remedy as a full disk.
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Full,
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn disk_quota_and_file_size_errors_are_full() {
        // ENOSPC, EDQUOT and EFBIG.
        for code in [Errno::NOSPC, Errno::DQUOT, Errno::FBIG] {
            let error = io::Error::from(code);
            assert_eq!(StorageError::from(error), StorageError::Full, "{code}");
        }
        let error = io::Error::from(Errno::ACCESS);
        assert!(matches!(StorageError::from(error), StorageError::Unavailable(_)));
    }
}
