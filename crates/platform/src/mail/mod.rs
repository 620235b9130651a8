//! Renders mails and sends them by SMTP or to the outbox folder.

mod account;
mod announcement;
mod bounded_stream;
mod digest;
mod invite;
mod language;
mod login;
mod moderation;
mod rendered;
mod smtp;
mod transport;

pub use account::{render_current_email_mail, render_deletion_mail, render_new_email_mail};
pub use announcement::render_announcement_mail;
pub use digest::{Digest, DigestPost, render_digest_mail};
pub use invite::{render_invite_mail, render_test_mail};
pub use language::Language;
pub use login::render_login_mail;
pub use moderation::{
    NoticeMail, ObjectionOutcome, SanctionType, render_notice_mail, render_objection_mail,
};
pub use rendered::{DEFAULT_NAME, Mail, MailIdentity, Recipient, RenderedMail};
pub use transport::{SendError, Transport, purge_outbox};
