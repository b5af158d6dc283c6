//! What a newcomer is shown: where it runs, an account to use, and commands to paste. It must be
//! shown once: the key stands in it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use domain::sms::SenderSerial;

use crate::commands::account::OpenedAccount;
use crate::tls::CA_FILE;

/// What the text is about.
#[derive(Debug)]
pub(crate) struct Welcome<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) data: &'a Path,
    /// Whether clients must trust the gateway's own authority.
    pub(crate) local_certificate: bool,
    pub(crate) opened: &'a OpenedAccount,
    /// The accounts at live providers that routes lead to.
    pub(crate) live: &'a [&'a str],
    /// An approved sender of the account.
    pub(crate) sender: &'a SenderSerial,
}

impl Welcome<'_> {
    /// Whether real money can move.
    fn providers(&self) -> String {
        match self.live {
            [] => "with a sandbox in the place of real providers".to_owned(),
            live => format!(
                "and its routes lead live accounts to {}: what they buy there costs REAL MONEY",
                live.join(", ")
            ),
        }
    }

    pub(crate) fn text(&self) -> String {
        let OpenedAccount {
            identity,
            key,
            balance,
            ..
        } = self.opened;
        let url = format!("https://{}", reachable(self.address));
        let data = self.data.display();
        let trust = self.trust();
        let curl = format!("curl {trust}-u {identity}:{key}");
        let providers = self.providers();
        let json = "-H 'Content-Type: application/json'";
        format!(
            "Manilla {version} runs in {data}, {providers}.\n\n\
             A test account with NGN {balance} was opened. Its key is shown this once:\n\n  \
             mrcIdentity  {identity}\n  mrcAPIKey    {key}\n\n\
             Buy airtime, read its report, buy an electricity token, send a message, see the \
             balance:\n\n\
             {curl} {url}/payment/airtime {json} \\\n  -d '{AIRTIME}'\n\n\
             {curl} '{url}/payment/airtime/transaction?mrcReference=first-airtime'\n\n\
             {curl} {url}/payment/electricity {json} \\\n  -d '{ELECTRICITY}'\n\n\
             {curl} {url}/messaging/sms {json} \\\n  -d '{message}'\n\n\
             {curl} {url}/account/balance\n\n\
             Or do it in a browser: {url}/docs\n\n\
             {authority}\
             The last four digits of a number force an outcome: 0001 is refused, 0002 is delivered \
             some seconds later and the answer waits for it.\n",
            message = message(self.sender),
            authority = self.authority(),
            version = env!("CARGO_PKG_VERSION"),
        )
    }

    /// How other clients are made to trust the certificate.
    fn authority(&self) -> String {
        if self.local_certificate {
            let file = self.data.join(CA_FILE);
            format!(
                "The certificate is signed by an authority of this folder, {file}. Import that \
                 file into the trust store of your browser or system, or name it to your client \
                 (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE); do not turn verification off.\n\n",
                file = file.display()
            )
        } else {
            String::new()
        }
    }

    /// How `curl` trusts the certificate.
    fn trust(&self) -> String {
        if self.local_certificate {
            let file = self.data.join(CA_FILE);
            format!("--cacert {} ", shell_word(&file.to_string_lossy()))
        } else {
            String::new()
        }
    }
}

fn message(sender: &SenderSerial) -> String {
    format!(
        "{{\"mrcReference\":\"first-message\",\"countryCode\":566,\"number\":\"2348031234567\",\
         \"sender\":\"{sender}\",\"type\":\"text\",\"message\":\"Hello\"}}"
    )
}

const AIRTIME: &str = concat!(
    r#"{"mrcReference":"first-airtime","countryCode":566,"number":"2348031234567","#,
    r#""amount":"100.00","billing":"prepaid"}"#,
);

const ELECTRICITY: &str = concat!(
    r#"{"mrcReference":"first-token","disco":"101","number":"04123456789","#,
    r#""amount":"5000.00","billing":"prepaid"}"#,
);

/// The address a client on this machine reaches the server by.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip @ (IpAddr::V4(_) | IpAddr::V6(_)) => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// A text as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_');
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_of_every_interface_is_reached_by_the_loopback_one() {
        let shown = |address: &str| reachable(address.parse().unwrap()).to_string();
        for (address, expected) in [
            ("0.0.0.0:8443", "127.0.0.1:8443"),
            ("[::]:8443", "[::1]:8443"),
            ("192.0.2.7:8443", "192.0.2.7:8443"),
            ("[2001:db8::7]:8443", "[2001:db8::7]:8443"),
        ] {
            assert_eq!(shown(address), expected);
        }
    }

    fn serial() -> SenderSerial {
        SenderSerial::parse("482913560177").unwrap()
    }

    fn text(data: &str, local_certificate: bool) -> String {
        text_with(data, local_certificate, &[])
    }

    fn text_with(data: &str, local_certificate: bool, live: &[&str]) -> String {
        let opened = OpenedAccount {
            identity: "mrc_a".into(),
            key: "mk_test_b".into(),
            name: "Sandbox".into(),
            environment: "test",
            balance: "1,000,000.00".into(),
            currency: "NGN",
            time_zone: "Africa/Lagos".into(),
        };
        let welcome = Welcome {
            address: "0.0.0.0:8443".parse().unwrap(),
            data: Path::new(data),
            local_certificate,
            opened: &opened,
            live,
            sender: &serial(),
        };
        welcome.text()
    }

    #[test]
    fn every_line_to_paste_has_the_trust_the_key_and_a_reachable_address() {
        let text = text("data", true);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("curl"))
            .collect();
        assert_eq!(lines.len(), 5);
        for line in lines {
            assert!(
                line.starts_with("curl --cacert data/ca.pem -u mrc_a:mk_test_b "),
                "{line}"
            );
            assert!(line.contains("https://127.0.0.1:8443/"), "{line}");
        }
        assert!(text.contains("an authority of this folder, data/ca.pem. Import that file"));
        for body in [AIRTIME, ELECTRICITY, &*message(&serial())] {
            serde_json::from_str::<serde_json::Value>(body).unwrap();
        }
    }

    #[test]
    fn routes_to_live_providers_are_named_before_anything_is_bought() {
        assert!(text("data", true).contains("with a sandbox in the place of real providers."));
        let text = text_with("data", true, &["vtpass", "bank"]);
        let first = text.lines().next().unwrap();
        assert!(
            first.contains("vtpass, bank: ") && first.contains("REAL MONEY"),
            "{first}"
        );
    }

    #[test]
    fn a_brought_certificate_needs_no_trust() {
        assert!(!text("data", false).contains("ca.pem"));
    }

    #[test]
    fn a_folder_with_a_space_stays_one_word() {
        assert!(text("my 'data'", true).contains(r"--cacert 'my '\''data'\''/ca.pem'"));
    }
}
