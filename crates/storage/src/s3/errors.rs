//! Error responses of S3.

use http::{Method, StatusCode};

use crate::StorageError;

/// Error codes of full servers.
const FULL_CODES: &[&str] = &[
    "InsufficientStorage",
    "QuotaExceeded",
    "XMinioAdminBucketQuotaExceeded",
    "XMinioStorageFull",
];

/// The error code in the response's body, such as `NoSuchKey`.
pub(super) fn find_code(body: &[u8]) -> Option<String> {
    let body = std::str::from_utf8(body).ok()?;
    let (code, _) = body.split_once("<Code>")?.1.split_once("</Code>")?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
    let code = code.trim();
    ((1..=80).contains(&code.len()) && code.bytes().all(plain)).then(|| code.to_owned())
}

/// Maps an error response of `host` to a [`StorageError`].
pub(super) fn response_error(
    host: &str,
    method: &Method,
    status: StatusCode,
    code: Option<&str>,
) -> StorageError {
    if status == StatusCode::INSUFFICIENT_STORAGE
        || code.is_some_and(|code| FULL_CODES.contains(&code))
    {
        return StorageError::Full;
    }
    let answered = format!("{host} answered {} to a {method}", status.as_u16());
    let answered = code.map_or(answered.clone(), |code| format!("{answered} ({code})"));
    match hint(status, code) {
        Some(hint) => StorageError::Unavailable(format!("{answered}: {hint}")),
        None => StorageError::Unavailable(answered),
    }
}

/// The likely cause, for the operator.
fn hint(status: StatusCode, code: Option<&str>) -> Option<&'static str> {
    Some(match code.unwrap_or_default() {
        "InvalidAccessKeyId" => "AWS_ACCESS_KEY_ID is not known there",
        "SignatureDoesNotMatch" => "AWS_SECRET_ACCESS_KEY or the region is not right",
        "ExpiredToken" | "InvalidToken" => "AWS_SESSION_TOKEN is not valid, or no longer",
        "RequestTimeTooSkewed" => "the clock of this machine is wrong",
        "AccessDenied" => "the keys may not do this there",
        "NoSuchBucket" => "there is no such bucket",
        "AuthorizationHeaderMalformed" => "the region is not right",
        _ if status.is_redirection() => "the bucket has another region or endpoint",
        _ if status == StatusCode::FORBIDDEN => "the keys are wrong, or may not do this there",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_and_nothing_else() {
        let body =
            "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code><Message>a</Message></Error>";
        assert_eq!(find_code(body.as_bytes()).as_deref(), Some("NoSuchKey"));
        for body in ["", "<Code>", "<Code></Code>", "<Code>a b</Code>", "<html>502</html>"] {
            assert_eq!(find_code(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn error_responses_become_sentences() {
        let text = |status, code| response_error("S3", &Method::GET, status, code).to_string();
        assert_eq!(
            text(StatusCode::FORBIDDEN, Some("InvalidAccessKeyId")),
            "the object storage is not available: S3 answered 403 to a GET (InvalidAccessKeyId): \
             AWS_ACCESS_KEY_ID is not known there"
        );
        assert_eq!(
            text(StatusCode::SERVICE_UNAVAILABLE, None),
            "the object storage is not available: S3 answered 503 to a GET"
        );
        let moved = text(StatusCode::TEMPORARY_REDIRECT, None);
        assert!(moved.ends_with("the bucket has another region or endpoint"), "{moved}");
    }

    #[test]
    fn no_room_is_full() {
        let full =
            |status, code| response_error("S3", &Method::PUT, status, code) == StorageError::Full;
        assert!(full(StatusCode::INSUFFICIENT_STORAGE, None));
        assert!(full(StatusCode::FORBIDDEN, Some("QuotaExceeded")));
        assert!(!full(StatusCode::FORBIDDEN, Some("AccessDenied")));
    }
}
