//! The S3 URL of the storage setting.

use rusty_s3::{Bucket, UrlStyle};
use url::Url;

use crate::key::Key;

/// A bucket and the prefix of all keys in it.
#[derive(Debug, Clone)]
pub(crate) struct BucketConfig {
    pub(crate) bucket: Bucket,
    /// Empty, or ends with a slash.
    pub(crate) prefix: String,
}

/// Format of the URL, appended to every error.
const USAGE: &str = "give s3://BUCKET[/PREFIX]?region=REGION, or with &endpoint=https://HOST";

impl BucketConfig {
    /// Parses `s3://bucket[/prefix]?endpoint=…&region=…`. The error is one sentence that does not
    /// repeat the text, because it may contain a secret.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        read(text).map_err(|why| format!("{why}; {USAGE}"))
    }

    /// `scheme://host[:port]` of the bucket.
    pub(crate) fn origin(&self) -> String {
        self.bucket.base_url().origin().ascii_serialization()
    }

    pub(crate) fn is_at_aws(&self) -> bool {
        let host = self.bucket.base_url().host_str();
        host.is_some_and(|host| host.ends_with(".amazonaws.com"))
    }
}

fn read(text: &str) -> Result<BucketConfig, &'static str> {
    let url = Url::parse(text).map_err(|_| "this is not a URL")?;
    if url.scheme() != "s3" {
        return Err("this is not an S3 URL");
    }
    let other = [url.port().is_some(), url.fragment().is_some()].contains(&true);
    if other || !url.username().is_empty() || url.password().is_some() {
        return Err("an S3 URL has no port, no fragment and no key in it");
    }
    let name = url.host_str().filter(|name| is_bucket(name));
    let name = name.ok_or("a bucket's name has 3 to 63 of a-z, 0-9, - and .")?;
    let prefix = prefix(url.path())?;
    let (endpoint, region) = options(&url)?;
    let (endpoint, style, region) = match (endpoint, region) {
        (Some(endpoint), region) => {
            (endpoint, UrlStyle::Path, region.unwrap_or_else(|| "us-east-1".to_owned()))
        }
        (None, Some(region)) => {
            // The wildcard certificate covers one label before the region.
            let style = if name.contains('.') { UrlStyle::Path } else { UrlStyle::VirtualHost };
            let endpoint = format!("https://s3.{region}.amazonaws.com");
            (Url::parse(&endpoint).map_err(|_| "this is not a region")?, style, region)
        }
        (None, None) => return Err("the region or the endpoint is missing"),
    };
    let bucket = Bucket::new(endpoint, style, name.to_owned(), region);
    let bucket = bucket.map_err(|_| "the bucket has no URL there")?;
    Ok(BucketConfig { bucket, prefix })
}

/// Whether every S3 server accepts the bucket name.
fn is_bucket(name: &str) -> bool {
    let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let ends = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = name.as_bytes();
    (3..=63).contains(&bytes.len())
        && bytes.iter().copied().all(allowed)
        && ends(bytes.first())
        && ends(bytes.last())
        && !name.contains("..")
}

fn prefix(path: &str) -> Result<String, &'static str> {
    let path = path.trim_matches('/');
    if path.is_empty() {
        return Ok(String::new());
    }
    Key::new(path).map_err(|_| "the prefix is made of a-z, 0-9, /, _, - and .")?;
    Ok(format!("{path}/"))
}

fn options(url: &Url) -> Result<(Option<Url>, Option<String>), &'static str> {
    let (mut endpoint, mut region) = (None, None);
    for (name, value) in url.query_pairs() {
        match name.as_ref() {
            "endpoint" if endpoint.is_none() => endpoint = Some(read_endpoint(&value)?),
            "region" if region.is_none() => {
                if !is_region(&value) {
                    return Err("a region is made of a-z, 0-9 and -");
                }
                region = Some(value.into_owned());
            }
            _ => return Err("only `endpoint` and `region` may follow the question mark, once"),
        }
    }
    Ok((endpoint, region))
}

fn is_region(text: &str) -> bool {
    let allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=40).contains(&text.len()) && text.bytes().all(allowed)
}

fn read_endpoint(text: &str) -> Result<Url, &'static str> {
    const WRONG: &str = "the endpoint is http:// or https://, a host and perhaps a port";
    let url = Url::parse(text).map_err(|_| WRONG)?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    plain.then_some(url).ok_or(WRONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> String {
        let address = BucketConfig::parse(text).expect(text);
        let key = format!("{}k", address.prefix);
        format!("{} {}", address.bucket.object_url(&key), address.bucket.region())
    }

    #[test]
    fn urls_are_parsed() {
        for (text, expected) in [
            ("s3://kith?region=eu-west-1", "https://kith.s3.eu-west-1.amazonaws.com/k eu-west-1"),
            (
                "s3://my.kith?region=eu-west-1",
                "https://s3.eu-west-1.amazonaws.com/my.kith/k eu-west-1",
            ),
            ("s3://kith/a/b/?region=x", "https://kith.s3.x.amazonaws.com/a/b/k x"),
            ("s3://kith?endpoint=http://127.0.0.1:9000", "http://127.0.0.1:9000/kith/k us-east-1"),
            ("s3://kith?endpoint=http://[::1]:9000", "http://[::1]:9000/kith/k us-east-1"),
            (
                "s3://kith/p?endpoint=https%3A%2F%2Fs3.example.org/&region=auto",
                "https://s3.example.org/kith/p/k auto",
            ),
        ] {
            assert_eq!(object(text), expected, "{text}");
        }
    }

    #[test]
    fn the_origin_is_that_of_uploads() {
        let origin = |text: &str| BucketConfig::parse(text).expect(text).origin();
        assert_eq!(origin("s3://kith?region=eu-west-1"), "https://kith.s3.eu-west-1.amazonaws.com");
        assert_eq!(
            origin("s3://kith?endpoint=https://s3.example.org:443"),
            "https://s3.example.org"
        );
        assert_eq!(origin("s3://kith?endpoint=http://localhost:9000"), "http://localhost:9000");
    }

    #[test]
    fn invalid_urls_are_rejected_without_being_repeated() {
        for text in [
            "kith",
            "s3:",
            "s3://",
            "s3:///secret",
            "http://secret/",
            "s3://ab?region=x",
            "s3://KITH?region=x",
            "s3://-kith?region=x",
            "s3://kith",
            "s3://kith?region=",
            "s3://kith?region=a.b",
            "s3://kith?region=x&region=y",
            "s3://kith?secret=1&region=x",
            "s3://key:secret@kith?region=x",
            "s3://kith:9000?region=x",
            "s3://kith?region=x#secret",
            "s3://kith/a..b?region=x",
            "s3://kith/A?region=x",
            "s3://kith?endpoint=secret",
            "s3://kith?endpoint=ftp://secret",
            "s3://kith?endpoint=https://a:secret@b",
            "s3://kith?endpoint=https://b/secret",
            "s3://kith?endpoint=https://b?secret",
        ] {
            let error = BucketConfig::parse(text).expect_err(text);
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
