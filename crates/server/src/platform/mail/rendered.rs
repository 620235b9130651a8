//! Result of rendering the mail of a job.

use crate::platform::clock::Millis;
use crate::platform::mail::Mail;

/// Mail of a job, or the reason to send none now.
#[derive(Debug)]
pub enum RenderedMail {
    /// Send this mail now.
    Mail(Mail),
    /// Delay the job until this time.
    NotBefore(Millis),
    /// Delete the job, because its mail is obsolete.
    Obsolete,
}

impl From<Option<Mail>> for RenderedMail {
    fn from(mail: Option<Mail>) -> Self {
        mail.map_or(Self::Obsolete, Self::Mail)
    }
}
