//! Credentials issued by a role.

use std::time::Duration;

use kith_storage::{Credentials, Storage};

use crate::canned::{Canned, Reply, reply};
use crate::support::bytes;

/// Credentials that expire in `year`, as containers and virtual machines get them.
fn issued(year: u16) -> Reply {
    let keys = r#""AccessKeyId":"AKROLE","SecretAccessKey":"hidden-secret","Token":"a+token""#;
    reply(200, &format!(r#"{{{keys},"Expiration":"{year}-01-01T00:00:00Z"}}"#))
}

fn credentials(variables: &[(&str, &str)]) -> Credentials {
    let find = |name: &str| variables.iter().find(|variable| variable.0 == name);
    Credentials::from_variables(|name| find(name).map(|variable| variable.1.to_owned())).unwrap()
}

/// A credential server and its URL.
async fn server(replies: Vec<Reply>) -> (Canned, String) {
    let canned = Canned::start(replies).await;
    let origin = canned.storage.upload_origin().unwrap().to_owned();
    (canned, origin)
}

/// Writes twice and checks that both requests and a presigned URL carry the role's credentials.
async fn assert_signed_by_the_role(variables: &[(&str, &str)]) {
    let bucket = Canned::start_with(vec![reply(200, "")], credentials(variables)).await;
    for _ in 0..2 {
        bucket.storage.put("a", bytes(10)).await.unwrap();
    }
    assert_eq!(bucket.request_count(), 2);
    for request in bucket.requests() {
        assert!(request.contains("credential=akrole/"), "{request}");
        assert!(request.contains("x-amz-security-token: a+token"), "{request}");
    }
    let minute = Duration::from_mins(1);
    let presigned = bucket.storage.presign_put("a", 1, "image/webp", minute, 0).await;
    let url = presigned.unwrap().unwrap().url;
    assert!(url.contains("AKROLE") && url.contains("X-Amz-Security-Token=a%2Btoken"), "{url}");
}

#[tokio::test]
async fn a_virtual_machine_uses_its_role() {
    let (machine, origin) = server(vec![reply(200, "t"), reply(200, "media"), issued(2999)]).await;
    assert_signed_by_the_role(&[("AWS_METADATA_ENDPOINT", &origin)]).await;
    let requests = machine.requests();
    assert_eq!(requests.len(), 3, "credentials are cached until they expire");
    assert!(requests[0].starts_with("put /latest/api/token "));
    assert!(requests[2].starts_with("get /latest/meta-data/iam/security-credentials/media "));
}

#[tokio::test]
async fn a_container_uses_its_role() {
    let (container, origin) = server(vec![issued(2999)]).await;
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "who-this-is").unwrap();
    assert_signed_by_the_role(&[
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", &format!("{origin}/keys")),
        ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token.to_str().unwrap()),
    ])
    .await;
    let requests = container.requests();
    assert_eq!(requests.len(), 1, "credentials are cached until they expire");
    let request = &requests[0];
    assert!(request.contains("authorization: who-this-is"), "{request}");
}

#[tokio::test]
async fn a_web_identity_is_exchanged_for_credentials() {
    let keys = "<SessionToken>a+token</SessionToken><SecretAccessKey>b</SecretAccessKey>\
        <AccessKeyId>AKROLE</AccessKeyId><Expiration>2999-01-01T00:00:00Z</Expiration>";
    let result = format!("<Credentials>{keys}</Credentials>");
    let result =
        format!("<AssumeRoleWithWebIdentityResult>{result}</AssumeRoleWithWebIdentityResult>");
    let answer =
        format!("<AssumeRoleWithWebIdentityResponse>{result}</AssumeRoleWithWebIdentityResponse>");
    let (exchange, origin) = server(vec![reply(200, &answer)]).await;
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "who-this-is").unwrap();
    assert_signed_by_the_role(&[
        ("AWS_WEB_IDENTITY_TOKEN_FILE", token.to_str().unwrap()),
        ("AWS_ROLE_ARN", "arn:aws:iam::1:role/media"),
        ("AWS_ENDPOINT_URL_STS", &origin),
    ])
    .await;
    assert!(exchange.requests()[0].contains("webidentitytoken=who-this-is"));
}

#[tokio::test]
async fn expired_credentials_are_fetched_again() {
    let fetched = [reply(200, "t"), reply(200, "media"), issued(2001)];
    let (machine, origin) = server([fetched.clone(), fetched].concat()).await;
    let credentials = credentials(&[("AWS_METADATA_ENDPOINT", &origin)]);
    let bucket = Canned::start_with(vec![reply(200, "")], credentials).await;
    bucket.storage.put("a", bytes(10)).await.unwrap();
    bucket.storage.put("a", bytes(10)).await.unwrap();
    assert_eq!(machine.request_count(), 6);
}

#[tokio::test]
async fn a_missing_role_is_reported() {
    let (_machine, origin) = server(vec![reply(404, "")]).await;
    let credentials = credentials(&[("AWS_METADATA_ENDPOINT", &origin)]);
    let bucket = Canned::start_with(vec![reply(200, "")], credentials).await;
    let minute = Duration::from_mins(1);
    let failures = [
        bucket.storage.put("a", bytes(1)).await.unwrap_err(),
        bucket.storage.size("a").await.unwrap_err(),
        bucket.storage.list(None, 1).await.unwrap_err(),
        bucket.storage.presign_put("a", 1, "image/webp", minute, 0).await.unwrap_err(),
    ];
    for failure in failures {
        let text = failure.to_string();
        assert!(text.contains("/latest/api/token") && text.contains("404"), "{text}");
    }
    assert_eq!(bucket.request_count(), 0);
}

/// The metadata service's IP address belongs to another machine outside AWS.
#[tokio::test]
async fn a_bucket_outside_aws_needs_explicit_credentials() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |url| Storage::open_s3(url, credentials(&[]), folder.path()).await;
    let error = open("s3://kith?endpoint=https://s3.example.org").await.unwrap_err();
    assert!(error.starts_with("S3 needs AWS_ACCESS_KEY_ID and "), "{error}");
    open("s3://kith?region=eu-west-1").await.unwrap();
}
