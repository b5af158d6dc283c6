//! Checks the host a request names against the hosts the gateway serves. A page of another site
//! whose name resolves here (DNS rebinding) names its own host. The check must run after the
//! request is known to name exactly one host.

use http::Request;
use http::header::{HOST, HeaderName};
use rustls_pki_types::ServerName;
use std::net::IpAddr;
use tokio_rustls::rustls::client::verify_server_name;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::server::ParsedCertificate;

/// The header in which a proxy passes on the host its client named.
const X_FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// The host a request names, with its port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedHost(pub(crate) String);

impl NamedHost {
    /// The host of a request. The host reported by a proxy counts where the operator trusts the
    /// proxy.
    pub(crate) fn of<B>(request: &Request<B>, is_from_proxy: bool) -> Option<Self> {
        let headers = request.headers();
        let forwarded = headers.get(X_FORWARDED_HOST).filter(|_| is_from_proxy);
        let authority = match (request.uri().authority(), forwarded.or(headers.get(HOST))) {
            // An absolute target overrides Host (RFC 9112 §3.2.2).
            (Some(authority), None) => authority.as_str(),
            (Some(authority), Some(_)) if forwarded.is_none() => authority.as_str(),
            (_, Some(value)) => value.to_str().unwrap_or("?"),
            (None, None) => return None,
        };
        Some(Self(authority.trim().to_owned()))
    }
}

/// The hosts a request may name.
#[derive(Debug, Clone)]
pub struct ServedHosts {
    names: Vec<String>,
    certificate: Option<CertificateDer<'static>>,
}

impl ServedHosts {
    /// These names, in lower case, and those the certificate is for. `localhost` and addresses are
    /// always allowed: DNS rebinding needs a name of its own.
    pub const fn new(names: Vec<String>, certificate: Option<CertificateDer<'static>>) -> Self {
        Self { names, certificate }
    }

    /// The host of a request's authority, where it is not served.
    pub(crate) fn foreign(&self, named: Option<&NamedHost>) -> Option<String> {
        let name = name_of(&named?.0).to_ascii_lowercase();
        (!self.serves(&name)).then_some(name)
    }

    fn serves(&self, name: &str) -> bool {
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let is_always = name == "localhost" || bare.parse::<IpAddr>().is_ok();
        is_always || self.names.iter().any(|served| served == name) || self.is_certified(name)
    }

    /// Whether the certificate is for a name or an address.
    pub fn is_certified(&self, name: &str) -> bool {
        let certificate = self.certificate.as_ref();
        let certificate = certificate.and_then(|der| ParsedCertificate::try_from(der).ok());
        let (Some(certificate), Ok(name)) = (certificate, ServerName::try_from(name)) else {
            return false;
        };
        verify_server_name(&certificate, &name).is_ok()
    }
}

/// The host of an authority, without its port.
fn name_of(authority: &str) -> &str {
    let authority = authority.trim();
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !host.ends_with(':') => {
            host
        }
        Some(_) | None => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served() -> ServedHosts {
        let names = vec!["pay.shop.test".to_owned(), "*.wild.test".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        ServedHosts::new(vec!["also.test".into()], Some(made.cert.der().clone()))
    }

    fn foreign(pairs: &[(&str, &str)], is_from_proxy: bool) -> Option<String> {
        let request = pairs
            .iter()
            .fold(Request::builder(), |request, (name, value)| {
                request.header(*name, *value)
            });
        let named = NamedHost::of(&request.body(()).unwrap(), is_from_proxy);
        served().foreign(named.as_ref())
    }

    #[test]
    fn a_host_is_served_by_setting_by_certificate_and_as_an_address() {
        for host in [
            "localhost",
            "LocalHost:8443",
            "127.0.0.1:8443",
            "10.1.2.3",
            "[::1]:8443",
            "[::1]",
            "also.test",
            "Pay.Shop.Test:443",
            "any.wild.test",
        ] {
            assert_eq!(foreign(&[("host", host)], false), None, "{host}");
        }
        for host in [
            "evil.test",
            "evil.test:8443",
            "",
            "shop.test",
            "a.b.wild.test",
            "localhost.evil.test",
            "127.0.0.1.evil.test",
            "also.test.",
        ] {
            assert!(foreign(&[("host", host)], false).is_some(), "{host}");
        }
    }

    #[test]
    fn a_forwarded_host_counts_from_a_proxy_alone() {
        let asked = [("host", "also.test"), ("x-forwarded-host", "evil.test")];
        assert_eq!(foreign(&asked, false), None);
        assert_eq!(foreign(&asked, true).as_deref(), Some("evil.test"));
        let asked = [("host", "upstream"), ("x-forwarded-host", "also.test")];
        assert_eq!(foreign(&asked, true), None);
        assert_eq!(foreign(&asked, false).as_deref(), Some("upstream"));
    }
}
