//! Checks the DNS records by which other mail servers recognize mails of the sender.

use crate::ops::doctor::Check;
use crate::platform::config::Settings;
use hickory_resolver::TokioResolver;
use hickory_resolver::proto::rr::{RData, RecordType};
use std::time::Duration;

const NAME: &str = "mail records";
/// How long one request to a name server may take, and how often it is sent.
const TIMEOUT: Duration = Duration::from_secs(2);
const ATTEMPTS: usize = 2;

/// Looks up SPF, DKIM and DMARC records; `None` without a mail server or a public sender.
pub(super) async fn mail_records(settings: &Settings) -> Option<Check> {
    let domain = sender_domain(&settings.mail_from)?;
    if settings.smtp_url.is_empty() {
        return None;
    }
    let resolver = TokioResolver::builder_tokio().and_then(|mut builder| {
        builder.options_mut().timeout = TIMEOUT;
        builder.options_mut().attempts = ATTEMPTS;
        builder.build()
    });
    Some(match resolver {
        Ok(resolver) => check_records(&resolver, &domain).await,
        Err(error) => unknown(&domain, &error.to_string()),
    })
}

/// Returns the domain of an email in `Name <email>`; `None` if it is one of this machine.
fn sender_domain(sender: &str) -> Option<String> {
    let (_, domain) = sender.trim_end_matches('>').rsplit_once('@')?;
    domain.contains('.').then(|| domain.to_ascii_lowercase())
}

fn unknown(domain: &str, error: &str) -> Check {
    Check::warn(
        NAME,
        format!("the records of {domain} cannot be looked up: {error}"),
        "Run this where DNS works, or look them up: `dig TXT` of the domain, `_dmarc` and `_domainkey` before it.",
    )
}

async fn check_records(resolver: &TokioResolver, domain: &str) -> Check {
    let records = async {
        let spf = load_texts(resolver, domain).await?;
        let dmarc = find_dmarc(resolver, domain).await?;
        let has_keys = exists(resolver, &format!("_domainkey.{domain}")).await?;
        Ok::<_, String>((spf, dmarc, has_keys))
    };
    let (texts, dmarc, has_keys) = match records.await {
        Ok(records) => records,
        Err(error) => return unknown(domain, &error),
    };
    let spf = texts.iter().filter(|text| is_version(text, "v=spf1")).count();
    let mut missing = Vec::new();
    let mut advice = Vec::new();
    if spf == 0 {
        missing.push("no SPF record");
        advice.push(
            "a TXT record of the domain such as `v=spf1 mx -all`, which names your mail server",
        );
    } else if spf > 1 {
        missing.push("several SPF records, which count as none");
        advice.push("one SPF record instead of several");
    }
    if !has_keys {
        missing.push("no DKIM key");
        advice.push("the TXT record below `_domainkey` that your mail server or provider names, and signatures there");
    }
    if !dmarc {
        missing.push("no DMARC record");
        advice.push("a TXT record of `_dmarc` before the domain such as `v=DMARC1; p=quarantine`");
    }
    if missing.is_empty() {
        return Check::ok(NAME, format!("{domain} has records for SPF, DKIM and DMARC"));
    }
    Check::warn(
        NAME,
        format!("{domain} has {}: its mails may be rejected or marked as spam", missing.join(", ")),
        format!("Create {}.", advice.join("; ")),
    )
}

/// Checks whether a record begins with a version.
fn is_version(text: &str, version: &str) -> bool {
    let (head, rest) = text.split_at_checked(version.len()).unwrap_or_default();
    head.eq_ignore_ascii_case(version) && !rest.starts_with(|next: char| next.is_alphanumeric())
}

/// Looks for a policy of the domain, or else of one that contains it.
async fn find_dmarc(resolver: &TokioResolver, domain: &str) -> Result<bool, String> {
    let mut domain = domain;
    while domain.contains('.') {
        let texts = load_texts(resolver, &format!("_dmarc.{domain}")).await?;
        if texts.iter().any(|text| is_version(text, "v=DMARC1")) {
            return Ok(true);
        }
        domain = domain.split_once('.').map_or("", |(_, parent)| parent);
    }
    Ok(false)
}

/// Loads the texts of a name, whose parts are joined; empty if there are none.
async fn load_texts(resolver: &TokioResolver, name: &str) -> Result<Vec<String>, String> {
    let found = match resolver.lookup(format!("{name}."), RecordType::TXT).await {
        Ok(found) => found,
        Err(error) if error.is_no_records_found() => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let texts = found.answers().iter().filter_map(|record| match &record.data {
        RData::TXT(text) => Some(String::from_utf8_lossy(&text.txt_data.concat()).into_owned()),
        _ => None,
    });
    Ok(texts.collect())
}

/// Checks whether a name or one below it has records: the names of DKIM keys are known to the mail server only.
async fn exists(resolver: &TokioResolver, name: &str) -> Result<bool, String> {
    match resolver.lookup(format!("{name}."), RecordType::TXT).await {
        Ok(_) => Ok(true),
        Err(error) if error.is_nx_domain() => Ok(false),
        Err(error) if error.is_no_records_found() => Ok(true),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::doctor::Verdict;
    use hickory_resolver::config::{NameServerConfig, ResolverConfig};
    use hickory_resolver::net::runtime::TokioRuntimeProvider;
    use hickory_resolver::proto::op::{Message, ResponseCode};
    use hickory_resolver::proto::rr::Record;
    use hickory_resolver::proto::rr::rdata::TXT;
    use tokio::net::UdpSocket;

    type Zone = &'static [(&'static str, &'static str)];

    /// Serves the texts of a zone and returns a resolver that asks this server alone.
    async fn serve(zone: Zone) -> TokioResolver {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        tokio::spawn(async move {
            let mut buffer = [0; 1_500];
            while let Ok((length, client)) = socket.recv_from(&mut buffer).await {
                let response = respond(zone, &buffer[..length]);
                socket.send_to(&response, client).await.unwrap();
            }
        });
        let mut server = NameServerConfig::udp(address.ip());
        server.connections[0].port = address.port();
        let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
        TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()).build().unwrap()
    }

    fn respond(zone: Zone, request: &[u8]) -> Vec<u8> {
        let request = Message::from_vec(request).unwrap();
        let query = request.queries[0].clone();
        let name = query.name().to_utf8();
        let name = name.trim_end_matches('.');
        let below = format!(".{name}");
        let mut response = request.into_response();
        if !zone.iter().any(|(known, _)| *known == name || known.ends_with(&below)) {
            response.metadata.response_code = ResponseCode::NXDomain;
        }
        for (_, text) in zone.iter().filter(|(known, _)| *known == name) {
            // A long record has several parts.
            let (first, second) = text.split_at(text.len() / 2);
            let text = TXT::new(vec![first.to_owned(), second.to_owned()]);
            let record = Record::from_rdata(query.name().clone(), 60, RData::TXT(text));
            response.add_answer(record);
        }
        response.to_vec().unwrap()
    }

    /// proves: operate-doctor-mail-records
    #[tokio::test]
    async fn missing_records_of_the_sender_are_reported() {
        const SPF: (&str, &str) = ("mail.kith.example", "v=spf1 mx -all");
        const KEY: (&str, &str) = ("k1._domainkey.mail.kith.example", "v=DKIM1; p=abc");
        const DMARC: (&str, &str) = ("_dmarc.kith.example", "v=DMARC1; p=reject");
        const OTHER: (&str, &str) = ("mail.kith.example", "v=spf10 is something else");
        let cases: [(Zone, &str); 6] = [
            (&[SPF, OTHER, KEY, DMARC], "has records for SPF, DKIM and DMARC"),
            (&[OTHER, KEY, DMARC], "has no SPF record:"),
            (&[SPF, SPF, KEY, DMARC], "has several SPF records"),
            (&[SPF, DMARC], "has no DKIM key:"),
            (&[SPF, KEY], "has no DMARC record:"),
            (&[], "has no SPF record, no DKIM key, no DMARC record:"),
        ];
        for (zone, found) in cases {
            let check = check_records(&serve(zone).await, "mail.kith.example").await;
            assert!(check.found.contains(found), "{found}: {check:?}");
            assert_eq!(check.verdict == Verdict::Ok, check.advice.is_empty(), "{check:?}");
        }
    }

    #[test]
    fn the_domain_is_that_of_the_email() {
        let domain = sender_domain;
        assert_eq!(domain("Kith <kith@Kith.Example>").as_deref(), Some("kith.example"));
        assert_eq!(domain("kith@kith.example").as_deref(), Some("kith.example"));
        assert_eq!(domain("Kith <kith@localhost>"), None);
    }
}
