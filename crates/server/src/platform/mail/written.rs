//! What became of the mail that a job asks for.

use crate::platform::clock::Millis;
use crate::platform::mail::Letter;

/// What there is to send.
#[derive(Debug)]
pub enum Written {
    /// A mail.
    Letter(Letter),
    /// A mail, but later.
    NotBefore(Millis),
    /// Nothing any more.
    Nothing,
}

impl From<Option<Letter>> for Written {
    fn from(letter: Option<Letter>) -> Self {
        letter.map_or(Self::Nothing, Self::Letter)
    }
}
