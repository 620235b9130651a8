//! Requesting links and reading the outbox.

use super::{Browser, Server};
use std::path::PathBuf;
use std::time::Duration;

impl Server {
    /// Requests a login link and returns the API path behind the mailed link.
    pub(crate) async fn request_login_link(&self, browser: &Browser, name: &str) -> String {
        let email = format!("{name}@example.org");
        browser
            .post("/api/auth/request-login-link", serde_json::json!({"email": email}))
            .await
            .expect(200);
        self.mailed_link(&email).await
    }

    /// Requests a sign-up link and returns the API path behind the mailed link.
    pub(crate) async fn request_sign_up_link(
        &self,
        browser: &Browser,
        name: &str,
        code: &str,
    ) -> String {
        let email = format!("{name}@example.org");
        let body = serde_json::json!({"email": email, "inviteCode": code});
        browser.post("/api/auth/request-magic-link", body).await.expect(200);
        self.mailed_link(&email).await
    }

    /// Waits for a login mail to an email address and returns the API path behind its link. Other mails to the email,
    /// which may be sent in another order, are removed.
    pub(crate) async fn mailed_link(&self, email: &str) -> String {
        loop {
            let mail = self.mail_to(email).await;
            if mail.contains("/auth/verify?") {
                return link_in(&mail);
            }
        }
    }

    /// Waits up to twenty seconds for the newest mail to an email address and returns it decoded.
    pub(crate) async fn mail_to(&self, email: &str) -> String {
        for _ in 0..2_000 {
            if let Some((path, text)) =
                self.mails().into_iter().find(|(_, text)| text.contains(&format!("To: {email}")))
            {
                std::fs::remove_file(path).unwrap();
                return text;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no mail to {email}");
    }

    /// Returns every mail in the outbox folder.
    pub(crate) fn mails(&self) -> Vec<(PathBuf, String)> {
        let folder = std::fs::read_dir(self.data.path().join("outbox")).unwrap();
        let paths = folder
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "eml"));
        paths
            .map(|path| {
                let text = decode(&std::fs::read_to_string(&path).unwrap());
                (path, text)
            })
            .collect()
    }

    /// Waits until the mail worker has emptied its queue.
    pub(crate) async fn wait_for_mail_queue(&self) {
        const WAITING: kith_db::Sql = kith_db::sql!("select count(*) from jobs");
        self.wait_for_count(&WAITING, &[], 0).await;
    }
}

/// Returns the API path behind the link in a mail.
pub(crate) fn link_in(mail: &str) -> String {
    let mut lines = mail.lines();
    let line = lines.find(|line| line.contains("/auth/verify?")).unwrap();
    api_path_of(line.trim())
}

/// Returns the API path that the verification page requests for a link.
pub(crate) fn api_path_of(link: &str) -> String {
    let (_, query) = link.split_once('?').unwrap();
    format!("/api/auth/verify?{query}")
}

/// Decodes quoted-printable, as far as Kith's mails use it.
fn decode(mail: &str) -> String {
    mail.replace("=\r\n", "").replace("=3D", "=").replace("\r\n", "\n")
}
