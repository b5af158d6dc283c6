//! Headers that keep answers out of caches and frames and prevent content sniffing. It must not
//! weaken what an answer sets itself: a page that runs scripts has a policy of its own.

use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

/// The transport of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransportSecurity {
    /// Encrypted: to this server, or to a trusted proxy.
    Tls,
    /// Unencrypted; it is refused.
    Plain,
}

/// Adds the headers. An unencrypted answer does not ask for encryption from now on: an attacker on
/// the way could have added that header (RFC 6797 §7.2).
pub(crate) fn apply(headers: &mut HeaderMap, transport: TransportSecurity) {
    const HEADERS: [(http::HeaderName, &str); 5] = [
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
    ];
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if transport == TransportSecurity::Tls {
        let two_years = HeaderValue::from_static("max-age=63072000");
        headers.insert(STRICT_TRANSPORT_SECURITY, two_years);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_is_asked_for_on_encrypted_answers_only() {
        let (mut tls, mut plain) = (HeaderMap::new(), HeaderMap::new());
        apply(&mut tls, TransportSecurity::Tls);
        apply(&mut plain, TransportSecurity::Plain);
        assert_eq!(tls[STRICT_TRANSPORT_SECURITY], "max-age=63072000");
        assert!(!plain.contains_key(STRICT_TRANSPORT_SECURITY));
        assert_eq!(plain[CACHE_CONTROL], "no-store");
    }
}
