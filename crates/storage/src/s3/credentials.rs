//! The keys of a bucket.

use std::fmt;

/// What signs requests to S3. Neither `Debug` nor anything else prints it.
#[derive(Clone)]
pub struct Credentials(pub(crate) rusty_s3::Credentials);

impl Credentials {
    /// An access key, its secret, and a session's token when the keys are temporary.
    #[must_use]
    pub fn new(key: &str, secret: &str, token: Option<&str>) -> Self {
        Self(match token {
            Some(token) => rusty_s3::Credentials::new_with_token(key, secret, token),
            None => rusty_s3::Credentials::new(key, secret),
        })
    }

    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if set, `AWS_SESSION_TOKEN` of the
    /// environment. An error is one sentence.
    pub fn from_env() -> Result<Self, String> {
        rusty_s3::Credentials::from_env().map(Self).ok_or_else(|| {
            "S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment".to_owned()
        })
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Credentials")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_not_printed() {
        let printed = format!("{:?}", Credentials::new("AKID", "secret", Some("token")));
        assert_eq!(printed, "Credentials");
    }
}
