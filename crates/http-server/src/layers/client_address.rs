//! The client address of a request and whether its connection was encrypted, from the connection or
//! from forwarding headers. Only the proxies named by the operator may be trusted.

use super::list;
use super::security_headers::TransportSecurity;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The header that lists the addresses a request was forwarded for, the last of them nearest to
/// this server.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The header with the scheme the client uses towards the proxy.
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// The transport of the connection itself.
    pub(crate) transport: TransportSecurity,
}

/// The client that sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// The transport of the request, the connection to a proxy included.
    pub(crate) transport: TransportSecurity,
}

/// The addresses of trusted proxies.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    pub(crate) fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        // An IPv4 client of a dual-stack socket appears as an IPv6 address.
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The client of a request that came over a connection with these headers.
    pub(crate) fn client(&self, peer: Peer, headers: &HeaderMap) -> Client {
        let address = peer.address.to_canonical();
        let transport = peer.transport;
        if !self.trust(address) {
            return Client { address, transport };
        }
        Client {
            address: self.first_stranger(address, headers),
            transport: claimed_transport(headers).unwrap_or(transport),
        }
    }

    /// Each proxy appends the address it got the request from. So the list is followed backwards
    /// for as long as the addresses are trusted proxies; entries before that may have been written
    /// by anyone.
    fn first_stranger(&self, nearest: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut known = nearest;
        for value in headers.get_all(X_FORWARDED_FOR).iter().rev() {
            for element in value.to_str().unwrap_or("?").rsplit(',') {
                let Some(address) = address(element.trim()) else {
                    return known;
                };
                known = address;
                if !self.trust(known) {
                    return known;
                }
            }
        }
        known
    }
}

/// The transport the proxies report; encrypted only where all of them report it.
fn claimed_transport(headers: &HeaderMap) -> Option<TransportSecurity> {
    let all = headers.get_all(X_FORWARDED_PROTO);
    let is_https = |value: &HeaderValue| {
        let mut schemes = list::elements(value.to_str().unwrap_or("?")).peekable();
        schemes.peek().is_some() && schemes.all(|scheme| scheme.eq_ignore_ascii_case("https"))
    };
    all.iter().next()?;
    Some(if all.iter().all(is_https) {
        TransportSecurity::Tls
    } else {
        TransportSecurity::Plain
    })
}

/// An address, with or without brackets and port: proxies differ.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare.parse().ok();
    let address = address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()));
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PROXY: &str = "10.0.0.1";

    fn proxies() -> TrustedProxies {
        let networks = ["10.0.0.0/8", "2001:db8::/32"].map(|network| network.parse().unwrap());
        TrustedProxies::new(networks.to_vec())
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).unwrap();
        let pairs = pairs.iter();
        let pairs = pairs.map(|(name, text)| (name.clone(), value(text)));
        let mut headers = HeaderMap::new();
        pairs.for_each(|(name, value)| {
            headers.append(name, value);
        });
        headers
    }

    fn peer(address: &str, transport: TransportSecurity) -> Peer {
        let address = address.parse().unwrap();
        Peer { address, transport }
    }

    fn came_from(peer_address: &str, forwarded: &[&str]) -> String {
        let pairs = forwarded.iter().map(|text| (X_FORWARDED_FOR, *text));
        let pairs: Vec<_> = pairs.collect();
        let client = proxies().client(peer(peer_address, TransportSecurity::Tls), &headers(&pairs));
        client.address.to_string()
    }

    fn came_over(peer: Peer, protos: &[&str]) -> TransportSecurity {
        let pairs = protos.iter().map(|text| (X_FORWARDED_PROTO, *text));
        let pairs: Vec<_> = pairs.collect();
        proxies().client(peer, &headers(&pairs)).transport
    }

    #[test]
    fn the_client_is_the_last_one_a_trusted_proxy_names_that_is_none() {
        assert_eq!(came_from(PROXY, &[]), PROXY);
        assert_eq!(came_from(PROXY, &["192.0.2.7"]), "192.0.2.7");
        // Everything before an untrusted address is unverified.
        let forged = "203.0.113.1, 10.9.9.9, 192.0.2.7, 10.0.0.2";
        assert_eq!(came_from(PROXY, &[forged]), "192.0.2.7");
        assert_eq!(came_from(PROXY, &["192.0.2.7", "10.0.0.2"]), "192.0.2.7");
        assert_eq!(came_from(PROXY, &["203.0.113.1", "192.0.2.7"]), "192.0.2.7");
        assert_eq!(came_from(PROXY, &["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
        assert_eq!(came_from("::ffff:10.0.0.1", &["192.0.2.7"]), "192.0.2.7");
    }

    #[test]
    fn a_stranger_names_only_itself() {
        assert_eq!(came_from("192.0.2.9", &["192.0.2.7"]), "192.0.2.9");
        let client = TrustedProxies::default().client(
            peer(PROXY, TransportSecurity::Plain),
            &headers(&[(X_FORWARDED_PROTO, "https")]),
        );
        assert_eq!(client.transport, TransportSecurity::Plain);
    }

    #[test]
    fn addresses_may_have_brackets_and_ports_and_nothing_else() {
        assert_eq!(came_from(PROXY, &["192.0.2.7:4711"]), "192.0.2.7");
        assert_eq!(came_from(PROXY, &["[2001:db9::1]:4711"]), "2001:db9::1");
        assert_eq!(came_from(PROXY, &["[2001:db9::1]"]), "2001:db9::1");
        assert_eq!(came_from(PROXY, &["2001:db9::1"]), "2001:db9::1");
        for unreadable in ["unknown", "", "192.0.2.7,", "192.0.2", "_hidden", "\u{e9}"] {
            assert_eq!(came_from(PROXY, &[unreadable]), PROXY, "{unreadable:?}");
        }
    }

    #[test]
    fn a_trusted_proxy_says_how_the_client_came() {
        let plain = peer(PROXY, TransportSecurity::Plain);
        assert_eq!(came_over(plain, &["https"]), TransportSecurity::Tls);
        assert_eq!(came_over(plain, &["HTTPS, https"]), TransportSecurity::Tls);
        let encrypted = peer(PROXY, TransportSecurity::Tls);
        assert_eq!(came_over(encrypted, &[]), TransportSecurity::Tls);
        assert_eq!(came_over(encrypted, &["http"]), TransportSecurity::Plain);
    }

    #[test]
    fn anything_but_https_all_the_way_is_in_the_clear() {
        let plain = peer(PROXY, TransportSecurity::Plain);
        assert_eq!(came_over(plain, &[]), TransportSecurity::Plain);
        for protos in [
            &["http"][..],
            &[""],
            &["https, http"],
            &["http, https"],
            &["https", "http"],
            &["https", ""],
            &["httpss"],
            &["on"],
        ] {
            assert_eq!(
                came_over(plain, protos),
                TransportSecurity::Plain,
                "{protos:?}"
            );
        }
        let stranger = peer("192.0.2.9", TransportSecurity::Plain);
        assert_eq!(came_over(stranger, &["https"]), TransportSecurity::Plain);
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(text in proptest::collection::vec(32_u8..=255, 0..80)) {
            if let Ok(value) = HeaderValue::from_bytes(&text) {
                let both = [X_FORWARDED_FOR, X_FORWARDED_PROTO].map(|name| (name, value.clone()));
                let headers = HeaderMap::from_iter(both);
                proxies().client(peer(PROXY, TransportSecurity::Plain), &headers);
            }
        }
    }
}
