//! Credentials for a bucket: fixed keys or a role.

use std::fmt;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};

/// Variables that name keys or a role; without any, it is the role of a virtual machine.
const VARIABLES: [&str; 11] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_ENDPOINT_URL_STS",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_METADATA_ENDPOINT",
];

/// Credentials that sign requests to S3: fixed keys, or a role whose keys are fetched and renewed before they
/// expire. Neither `Debug` nor anything else prints keys.
#[derive(Clone)]
pub struct Credentials {
    pub(super) builder: AmazonS3Builder,
    /// Whether any variable is set.
    pub(super) named: bool,
}

impl Credentials {
    /// An access key, its secret, and a session's token when the keys are temporary.
    #[must_use]
    pub fn new(key: &str, secret: &str, token: Option<&str>) -> Self {
        let builder = AmazonS3Builder::new().with_access_key_id(key).with_secret_access_key(secret);
        Self {
            builder: match token {
                Some(token) => builder.with_token(token),
                None => builder,
            },
            named: true,
        }
    }

    /// Reads the environment's variables by `variable`: fixed keys, or else those by which AWS names
    /// a role (web identity, container, metadata service). An empty variable counts as missing.
    /// An error is one sentence.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let (mut builder, mut named) = (AmazonS3Builder::new(), false);
        for name in VARIABLES {
            let Some(value) = variable(name).filter(|value| !value.is_empty()) else {
                continue;
            };
            // The library panics when no header can hold a key.
            if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
                return Err(format!("{name} has a character that cannot be sent"));
            }
            let key = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>();
            let key = key.map_err(|_| format!("{name} cannot be used"))?;
            builder = builder.with_config(key, value);
            named = true;
        }
        Ok(Self { builder, named })
    }

    /// [`from_variables`](Self::from_variables) of this process.
    pub fn from_env() -> Result<Self, String> {
        Self::from_variables(|name| std::env::var(name).ok())
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

    #[test]
    fn variables_are_taken_unless_they_are_empty() {
        let read = |given: &[(&str, &str)]| {
            let find = |name: &str| given.iter().find(|(given, _)| *given == name);
            let read = Credentials::from_variables(|name| find(name).map(|one| one.1.to_owned()));
            read.map(|read| {
                let key = &AmazonS3ConfigKey::AccessKeyId;
                (read.named, read.builder.get_config_value(key))
            })
        };
        let [key, secret] = [("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b")];
        assert_eq!(read(&[key, secret]), Ok((true, Some("a".to_owned()))));
        for nothing in [&[][..], &[("AWS_ACCESS_KEY_ID", "")]] {
            assert_eq!(read(nothing), Ok((false, None)));
        }
        assert!(read(&[key, ("AWS_SECRET_ACCESS_KEY", "b\n")]).is_err());
    }
}
