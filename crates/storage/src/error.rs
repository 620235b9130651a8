//! What can go wrong with an object.

use std::io;

/// Why a call did not do what it says. None of the texts holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The object has more bytes than the caller takes.
    #[error("the object is larger than allowed")]
    TooLarge,
    /// The disk, the quota or the bucket takes no more.
    #[error("the object storage is full")]
    Full,
    /// The storage cannot serve now, and this is why; trying later may work.
    #[error("the object storage is not available: {0}")]
    Unavailable(String),
    /// The stream that was to be stored failed before its end.
    #[error("the staging object broke off")]
    BodyAborted,
    /// Not a key: a defect in the program, for members never choose keys.
    #[error("an object's key {0}")]
    InvalidKey(&'static str),
}

impl From<io::Error> for StorageError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // A limit on the size of files is one more way in which there is no room.
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
    fn every_way_of_having_no_room_is_full() {
        // ENOSPC, EDQUOT and EFBIG.
        for code in [Errno::NOSPC, Errno::DQUOT, Errno::FBIG] {
            let error = io::Error::from(code);
            assert_eq!(StorageError::from(error), StorageError::Full, "{code}");
        }
        let error = io::Error::from(Errno::ACCESS);
        assert!(matches!(
            StorageError::from(error),
            StorageError::Unavailable(_)
        ));
    }
}
