//! Where requests go: the base address of a provider's interface. It must never be without
//! encryption on the way to another machine.

use rustls_pki_types::ServerName;
use url::{Host, Url};

/// Whether a target may do without encryption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainHttp {
    /// Never.
    Refused,
    /// On this machine, for a sandbox or a proxy that encrypts.
    ToLoopback,
}

/// The base address of a provider's interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundTarget {
    pub(crate) encrypted: bool,
    pub(crate) host: Host<String>,
    pub(crate) port: u16,
    /// What the `Host` header says.
    pub(crate) authority: String,
    /// The path of the base, with a slash at its end.
    path: String,
}

/// Why a text is no base address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidOutboundTarget {
    /// It is no address with a host.
    #[error("must be an address such as https://provider.example/api/")]
    Unreadable,
    /// It is neither https nor http.
    #[error("must begin with https://")]
    Scheme,
    /// It would send secrets in the clear.
    #[error("must begin with https://; http:// is for this machine, and only where it is allowed")]
    Plain,
    /// It holds more than where to.
    #[error("must not hold a user, a password, a query or a fragment")]
    Excess,
}

impl OutboundTarget {
    /// Reads a base address. Paths of requests are appended to its path.
    pub fn parse(text: &str, plain: PlainHttp) -> Result<Self, InvalidOutboundTarget> {
        let url = Url::parse(text).map_err(|_| InvalidOutboundTarget::Unreadable)?;
        let encrypted = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(InvalidOutboundTarget::Scheme),
        };
        let host = url.host().ok_or(InvalidOutboundTarget::Unreadable)?;
        let allowed = match plain {
            PlainHttp::Refused => encrypted,
            PlainHttp::ToLoopback => encrypted || is_this_machine(&host),
        };
        if !allowed {
            return Err(InvalidOutboundTarget::Plain);
        }
        let is_bare = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        if !is_bare {
            return Err(InvalidOutboundTarget::Excess);
        }
        let port = url.port_or_known_default();
        let authority = url
            .port()
            .map_or_else(|| host.to_string(), |port| format!("{host}:{port}"));
        Ok(Self {
            encrypted,
            port: port.ok_or(InvalidOutboundTarget::Unreadable)?,
            authority,
            host: host.to_owned(),
            path: format!("{}/", url.path().trim_end_matches('/')),
        })
    }

    /// The path of a request below the base.
    pub(crate) fn path_of(&self, relative: &str) -> String {
        format!("{}{}", self.path, relative.trim_start_matches('/'))
    }

    /// What the certificate must be for; `None` where the host is no name that one can be for.
    pub(crate) fn server_name(&self) -> Option<ServerName<'static>> {
        match &self.host {
            Host::Domain(name) => ServerName::try_from(name.clone()).ok(),
            Host::Ipv4(ip) => Some(ServerName::IpAddress((*ip).into())),
            Host::Ipv6(ip) => Some(ServerName::IpAddress((*ip).into())),
        }
    }
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_and_a_path_make_the_path_of_a_request() {
        for (base, path) in [
            ("https://provider.example", "/pay"),
            ("https://provider.example/api", "/api/pay"),
            ("https://provider.example/api/", "/api/pay"),
        ] {
            let target = OutboundTarget::parse(base, PlainHttp::Refused).unwrap();
            assert_eq!(target.path_of("pay"), path);
            assert_eq!(target.path_of("/pay"), path);
            assert_eq!(
                (target.authority.as_str(), target.port),
                ("provider.example", 443)
            );
        }
        let odd = OutboundTarget::parse("https://[::1]:8443/", PlainHttp::Refused).unwrap();
        assert_eq!((odd.authority.as_str(), odd.port), ("[::1]:8443", 8443));
    }

    #[test]
    fn nothing_goes_to_another_machine_in_the_clear() {
        let parse = |text, plain| OutboundTarget::parse(text, plain).map(|target| target.encrypted);
        for text in [
            "http://localhost:8080/api",
            "http://127.0.0.1/",
            "http://[::1]/",
        ] {
            assert_eq!(parse(text, PlainHttp::ToLoopback), Ok(false), "{text}");
            let refused = parse(text, PlainHttp::Refused);
            assert_eq!(refused, Err(InvalidOutboundTarget::Plain), "{text}");
        }
        for text in [
            "http://provider.example/",
            "http://10.0.0.1/",
            "http://localhost.example/",
            "http://127.0.0.1.example/",
        ] {
            let refused = parse(text, PlainHttp::ToLoopback);
            assert_eq!(refused, Err(InvalidOutboundTarget::Plain), "{text}");
        }
    }

    #[test]
    fn an_address_that_says_more_than_where_to_is_refused() {
        let refused = |text| OutboundTarget::parse(text, PlainHttp::Refused).unwrap_err();
        for text in [
            "https://user@provider.example/",
            "https://:secret@provider.example/",
            "https://provider.example/?key=1",
            "https://provider.example/#top",
        ] {
            assert_eq!(refused(text), InvalidOutboundTarget::Excess, "{text}");
        }
        assert_eq!(
            refused("ftp://provider.example/"),
            InvalidOutboundTarget::Scheme
        );
        for text in ["provider.example", "", "https://"] {
            assert_eq!(refused(text), InvalidOutboundTarget::Unreadable, "{text}");
        }
    }
}
