//! Connections to PostgreSQL that nobody on the way can read, on a real server with a certificate of
//! our own making.

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
    params
        .distinguished_name
        .push(rcgen::DnType::CommonName, name);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A plain connection of the tests' account, which may do anything.
async fn superuser() -> tokio_postgres::Client {
    let cluster = std::env::var("KITH_TEST_POSTGRES").unwrap();
    let (client, connection) = tokio_postgres::connect(&cluster, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// How many connections to a database are encrypted, as the server sees it.
async fn encrypted_connections(database: &str) -> i64 {
    let seen = "select count(*) from pg_stat_ssl join pg_stat_activity using (pid) \
        where ssl and datname = $1";
    let row = superuser().await.query_one(seen, &[&database]).await;
    row.unwrap().get(0)
}

/// Lets the server of the tests show a certificate for `localhost` alone. Plain connections stay.
async fn let_it_show(authority: &Authority) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, authority).unwrap();
    let client = superuser().await;
    // The files must be the server's own, which may run under another account.
    for (file, pem) in [
        ("tls.crt", certificate.pem()),
        ("tls.key", key.serialize_pem()),
    ] {
        let program = format!("umask 077; cat > {file}");
        let copy = format!(
            "copy (select unnest(string_to_array('{pem}', e'\\n'))) to program '{program}'"
        );
        client.batch_execute(&copy).await.unwrap();
    }
    for setting in [
        "ssl_cert_file = 'tls.crt'",
        "ssl_key_file = 'tls.key'",
        "ssl = on",
    ] {
        let change = format!("alter system set {setting}");
        client.batch_execute(&change).await.unwrap();
    }
    client
        .batch_execute("select pg_reload_conf()")
        .await
        .unwrap();
    // The process that takes connections reads its settings when it gets to it.
    // A new connection is a child of that process.
    for _ in 0..1_000 {
        let row = superuser().await.query_one("show ssl", &[]).await.unwrap();
        if row.get::<_, &str>(0) == "on" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("PostgreSQL does not take its certificate");
}

/// The addresses of a new database by name and by number, both with this query.
async fn addresses(query: &str) -> (String, String) {
    let plain = postgres_url().await;
    let by_name = plain.replace("127.0.0.1", "localhost");
    (format!("{by_name}?{query}"), format!("{plain}?{query}"))
}

fn file_of(folder: &TempDir, name: &str, authority: &Authority) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, authority.pem()).unwrap();
    path
}

async fn refusal(url: &str) -> String {
    let opened = Db::open(&Config::postgres(url), SCHEMA).await;
    opened.map(drop).unwrap_err().to_string()
}

/// proves: operate-postgres-tls
#[tokio::test]
async fn a_certificate_is_held_against_name_and_issuer() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, other) = (authority("Ours"), authority("Another"));
    let_it_show(&ours).await;
    let ours = file_of(&folder, "ours.pem", &ours);
    let query = format!("sslmode=verify-full&sslrootcert={}", ours.display());
    let (by_name, by_number) = addresses(&query).await;
    let db = Db::open(&Config::postgres(&by_name), SCHEMA).await.unwrap();
    assert_eq!(count(&db).await, 0);
    let name = by_name.split(['/', '?']).nth(3).unwrap();
    assert_eq!(encrypted_connections(name).await, 1);

    let said = refusal(&by_number).await;
    assert!(said.contains("not valid for name"), "{said}");
    let other = file_of(&folder, "other.pem", &other);
    let query = format!("sslmode=require&sslrootcert={}", other.display());
    let said = refusal(&addresses(&query).await.0).await;
    assert!(said.contains("UnknownIssuer"), "{said}");
    let said = refusal(&addresses("sslmode=require").await.0).await;
    assert!(
        said.contains("UnknownIssuer"),
        "no roots but the system's: {said}"
    );
    let said = refusal(&addresses("sslmode=require&sslrootcert=/nowhere").await.0).await;
    assert!(said.contains("/nowhere cannot be read"), "{said}");
}

/// A server that cannot speak TLS is left before it is told anything.
/// proves: operate-postgres-tls
#[tokio::test]
async fn nothing_falls_back_to_plain_text() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut asked = [0; 8];
        socket.read_exact(&mut asked).await.unwrap();
        socket.write_all(b"N").await.unwrap();
        let mut rest = Vec::new();
        socket.read_to_end(&mut rest).await.unwrap();
        (asked, rest)
    });
    let said = refusal(&format!(
        "postgres://kith:secret@127.0.0.1:{port}/kith?sslmode=require"
    ))
    .await;
    assert!(said.contains("does not support TLS"), "{said}");
    let (asked, rest) = server.await.unwrap();
    assert_eq!(asked, [0, 0, 0, 8, 4, 210, 22, 47], "the wish for TLS");
    assert_eq!(rest, b"", "nothing after it");
}
