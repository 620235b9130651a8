//! Credentials for a bucket: fixed keys or a role.

use std::fmt;
use std::path::Path;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};

use crate::secret_file::read_secret_file;

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

/// Variables whose value can be in a file, which the variable with `_FILE` at the end names.
const SECRETS: [&str; 3] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

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

    /// [`from_variables`](Self::from_variables) of this process, and the files that they name.
    pub fn from_env() -> Result<Self, String> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let secrets = read_secrets(variable)?;
        let secret = |name: &str| secrets.iter().find(|(known, _)| *known == name);
        Self::from_variables(|name| {
            secret(name).map(|(_, value)| value.clone()).or_else(|| variable(name))
        })
    }
}

/// Reads the files of secrets. An error is one sentence without a full stop.
fn read_secrets(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<(&'static str, String)>, String> {
    let mut secrets = Vec::new();
    for name in SECRETS {
        let file_variable = format!("{name}_FILE");
        let Some(path) = variable(&file_variable) else {
            continue;
        };
        if variable(name).is_some() {
            return Err(format!("{name} and {file_variable} are both set: unset one of them"));
        }
        let secret = read_secret_file(&file_variable, Path::new(&path));
        secrets.push((name, secret.map_err(|error| error.trim_end_matches('.').to_owned())?));
    }
    Ok(secrets)
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

    /// proves: operate-secret-files
    #[test]
    fn keys_can_be_in_files() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "s3cret\n").unwrap();
        let path = file.path().to_str().unwrap();
        let read = |given: &[(&str, &str)]| {
            let find = |name: &str| given.iter().find(|(given, _)| *given == name);
            read_secrets(|name| find(name).map(|one| one.1.to_owned()))
        };
        let given = ("AWS_SECRET_ACCESS_KEY_FILE", path);
        let expected = vec![("AWS_SECRET_ACCESS_KEY", "s3cret".to_owned())];
        assert_eq!(read(&[given]), Ok(expected));
        assert_eq!(read(&[]), Ok(Vec::new()));
        let both = read(&[given, ("AWS_SECRET_ACCESS_KEY", "other")]).unwrap_err();
        assert!(both.contains("AWS_SECRET_ACCESS_KEY_FILE are both set"), "{both}");
        let missing = read(&[("AWS_ACCESS_KEY_ID_FILE", "/nowhere/key")]).unwrap_err();
        assert!(missing.starts_with("AWS_ACCESS_KEY_ID_FILE: the file /nowhere/key"), "{missing}");
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
