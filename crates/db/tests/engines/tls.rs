//! Encrypted connections to a real PostgreSQL server with a test certificate.

use crate::support::{SCHEMA, count, postgres_url};
use kith_db::{Config, Db};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority(name: &str) -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(rcgen::DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Connects without TLS as a superuser.
async fn superuser() -> tokio_postgres::Client {
    let cluster = std::env::var("KITH_TEST_POSTGRES").unwrap();
    let (client, connection) =
        tokio_postgres::connect(&cluster, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Counts the encrypted connections to a database, as the server reports them.
async fn encrypted_connections(database: &str) -> i64 {
    let seen = "select count(*) from pg_stat_ssl join pg_stat_activity using (pid) \
        where ssl and datname = $1";
    let row = superuser().await.query_one(seen, &[&database]).await;
    row.unwrap().get(0)
}

/// Gives the test server a certificate for `localhost` only. Plain connections keep working.
async fn enable_tls(authority: &Authority) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    let client = superuser().await;
    // The files must belong to the server's account.
    for (file, pem) in [("tls.crt", certificate.pem()), ("tls.key", key.serialize_pem())] {
        let program = format!("umask 077; cat > {file}");
        let copy = format!(
            "copy (select unnest(string_to_array('{pem}', e'\\n'))) to program '{program}'"
        );
        client.batch_execute(&copy).await.unwrap();
    }
    for setting in ["ssl_cert_file = 'tls.crt'", "ssl_key_file = 'tls.key'", "ssl = on"] {
        let change = format!("alter system set {setting}");
        client.batch_execute(&change).await.unwrap();
    }
    client.batch_execute("select pg_reload_conf()").await.unwrap();
    // The postmaster reloads its settings asynchronously, and new connections are its children.
    for _ in 0..1_000 {
        let row = superuser().await.query_one("show ssl", &[]).await.unwrap();
        if row.get::<_, &str>(0) == "on" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("PostgreSQL did not enable TLS");
}

/// Creates a database and returns its URLs by name and by IP address, with this query.
async fn urls(query: &str) -> (String, String) {
    let plain = postgres_url().await;
    let by_name = plain.replace("127.0.0.1", "localhost");
    (format!("{by_name}?{query}"), format!("{plain}?{query}"))
}

fn write_pem(folder: &TempDir, name: &str, authority: &Authority) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, authority.pem()).unwrap();
    path
}

async fn connect_error(url: &str) -> String {
    let opened = Db::open(&Config::postgres(url), SCHEMA).await;
    opened.map(drop).unwrap_err().to_string()
}

/// proves: operate-postgres-tls
#[tokio::test]
async fn certificates_are_checked_for_name_and_issuer() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, other) = (authority("Ours"), authority("Another"));
    enable_tls(&ours).await;
    let ours = write_pem(&folder, "ours.pem", &ours);
    let query = format!("sslmode=verify-full&sslrootcert={}", ours.display());
    let (by_name, by_ip) = urls(&query).await;
    let db = Db::open(&Config::postgres(&by_name), SCHEMA).await.unwrap();
    assert_eq!(count(&db).await, 0);
    let name = by_name.split(['/', '?']).nth(3).unwrap();
    assert_eq!(encrypted_connections(name).await, 1);

    let error = connect_error(&by_ip).await;
    assert!(error.contains("not valid for name"), "{error}");
    let other = write_pem(&folder, "other.pem", &other);
    let query = format!("sslmode=require&sslrootcert={}", other.display());
    let error = connect_error(&urls(&query).await.0).await;
    assert!(error.contains("UnknownIssuer"), "{error}");
    let error = connect_error(&urls("sslmode=require").await.0).await;
    assert!(error.contains("UnknownIssuer"), "only the system roots: {error}");
    let error = connect_error(&urls("sslmode=require&sslrootcert=/nowhere").await.0).await;
    assert!(error.contains("/nowhere cannot be read"), "{error}");
}

/// The client disconnects from a server without TLS before it sends anything.
/// proves: operate-postgres-tls
#[tokio::test]
async fn connections_never_fall_back_to_plain_text() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = [0; 8];
        socket.read_exact(&mut request).await.unwrap();
        socket.write_all(b"N").await.unwrap();
        let mut rest = Vec::new();
        socket.read_to_end(&mut rest).await.unwrap();
        (request, rest)
    });
    let error =
        connect_error(&format!("postgres://kith:secret@127.0.0.1:{port}/kith?sslmode=require"))
            .await;
    assert!(error.contains("does not support TLS"), "{error}");
    let (request, rest) = server.await.unwrap();
    assert_eq!(request, [0, 0, 0, 8, 4, 210, 22, 47], "SSLRequest");
    assert_eq!(rest, b"", "no data after SSLRequest");
}
