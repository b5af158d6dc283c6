//! What keeps answers out of caches, frames and guesses. It must not weaken what an
//! answer says itself: a page that runs scripts says from where.

use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

/// How a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransportSecurity {
    /// Encrypted: to us, or to a proxy whose word counts.
    Tls,
    /// In the clear; it is refused.
    Plain,
}

/// Adds the headers. A plain HTTP answer carries no Strict-Transport-Security, because an attacker
/// on the way could have added it (RFC 6797 §7.2).
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
