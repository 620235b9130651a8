//! Secrets in files, as systemd and Docker hand them to a service.

use std::path::Path;

/// Reads a secret from the file that the setting `name` gives, without line breaks at its end. The error is a
/// sentence that does not repeat the content.
pub fn read_secret_file(name: &str, path: &Path) -> Result<String, String> {
    let shown = path.display();
    let text = std::fs::read(path)
        .map_err(|error| format!("{name}: the file {shown} cannot be read: {error}."))?;
    let text =
        String::from_utf8(text).map_err(|_| format!("{name}: the file {shown} is not UTF-8."))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(format!("{name}: the file {shown} is empty."));
    }
    Ok(secret.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: operate-secret-files
    #[test]
    fn line_breaks_at_the_end_are_removed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |content: &[u8]| {
            std::fs::write(file.path(), content).unwrap();
            read_secret_file("KITH_SMTP_URL_FILE", file.path())
        };
        for content in ["s3cret ", "s3cret \n", "s3cret \r\n\n"] {
            assert_eq!(read(content.as_bytes()).as_deref(), Ok("s3cret "));
        }
        for content in [&b""[..], b"\n", b"s3cret\xff"] {
            let error = read(content).unwrap_err();
            assert!(error.starts_with("KITH_SMTP_URL_FILE: the file /"), "{error}");
            assert!(!error.contains("s3cret"), "{error}");
        }
        let missing = read_secret_file("KITH_SMTP_URL_FILE", Path::new("/nowhere/smtp"));
        let expected = "KITH_SMTP_URL_FILE: the file /nowhere/smtp cannot be read: ";
        assert!(missing.is_err_and(|error| error.starts_with(expected)));
    }
}
