//! What a provider of the protocol sends by itself: that an attempt moved on, signed with the keys
//! that both sides share. It must never be more than a hint.

use crate::provider::HttpProvider;
use domain::reference::ProviderReference;
use ports::callbacks::{CallbackHint, CallbackRefused, Callbacks, ProviderCallback};
use provider_protocol::{
    ATTEMPT_CHANGED, AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER,
    CALLBACK_TIMESTAMP_HEADER, CallbackParts, is_authentic_callback, read, read_reference,
};

impl Callbacks for HttpProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<Vec<CallbackHint>, CallbackRefused> {
        let text = |name| {
            let value = callback.header(name)?;
            std::str::from_utf8(value).ok()
        };
        let id = text(CALLBACK_ID_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let timestamp = text(CALLBACK_TIMESTAMP_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let signature = text(CALLBACK_SIGNATURE_HEADER).ok_or(CallbackRefused::NotAuthentic)?;
        let parts = CallbackParts {
            id,
            timestamp,
            body: callback.body,
        };
        let now = callback.received_at.as_millis().div_euclid(1_000);
        if !is_authentic_callback(&self.keys, parts, (signature, now)) {
            return Err(CallbackRefused::NotAuthentic);
        }
        let sent: AttemptCallback = read(callback.body).map_err(|_| CallbackRefused::Unreadable)?;
        if sent.kind != ATTEMPT_CHANGED {
            return Ok(Vec::new());
        }
        let reference = sent.data.reference;
        if read_reference(&reference).is_err() {
            return Err(CallbackRefused::Unreadable);
        }
        Ok(vec![CallbackHint {
            reference: ProviderReference::from_echo(reference),
        }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::HttpProviderSettings;
    use domain::provider::ProviderId;
    use domain::time::Timestamp;
    use outbound_http::PlainHttp;
    use provider_protocol::sign_callback;
    use provider_protocol::signature::SignatureKeys;
    use std::net::{IpAddr, Ipv4Addr};
    use testkit::clock::ManualClock;

    const KEYS: &str = "key-1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    fn provider() -> HttpProvider {
        let settings = HttpProviderSettings {
            id: ProviderId::parse("far").unwrap(),
            url: "http://127.0.0.1:9".to_owned(),
            plain: PlainHttp::ToLoopback,
            authorities: Vec::new(),
            keys: SignatureKeys::parse(KEYS).unwrap(),
            review_after: std::time::Duration::from_hours(24),
        };
        HttpProvider::new(settings, ManualClock::start()).unwrap()
    }

    /// What a callback with this body comes to, with one header left out or sent twice.
    fn read_of(
        body: &str,
        change: impl Fn(&mut Vec<(&'static str, Vec<u8>)>),
    ) -> Result<Vec<CallbackHint>, CallbackRefused> {
        let parts = CallbackParts {
            id: "cb_1",
            timestamp: "1768467600",
            body: body.as_bytes(),
        };
        let signature = sign_callback(&SignatureKeys::parse(KEYS).unwrap(), parts);
        let mut headers = vec![
            (CALLBACK_ID_HEADER, b"cb_1".to_vec()),
            (CALLBACK_TIMESTAMP_HEADER, b"1768467600".to_vec()),
            (CALLBACK_SIGNATURE_HEADER, signature.into_bytes()),
        ];
        change(&mut headers);
        let headers: Vec<(&str, &[u8])> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_slice()))
            .collect();
        let callback = ProviderCallback {
            headers: &headers,
            body: body.as_bytes(),
            source: IpAddr::V4(Ipv4Addr::LOCALHOST),
            received_at: Timestamp::from_millis(1_768_467_600_999),
        };
        provider().read(&callback)
    }

    fn unchanged(_: &mut Vec<(&'static str, Vec<u8>)>) {}

    #[test]
    fn a_callback_names_an_attempt_and_whatever_else_it_says_is_skipped() {
        let body = r#"{"type":"attempt.changed","data":{"reference":"a.1","state":"delivered"},
                       "more":1}"#;
        let hints = read_of(body, unchanged).unwrap();
        assert_eq!(hints.len(), 1);
        assert_eq!(hints[0].reference.as_str(), "a.1");
        let other = r#"{"type":"float.low","data":{"reference":"a.1"}}"#;
        assert_eq!(read_of(other, unchanged), Ok(Vec::new()));
    }

    #[test]
    fn what_is_authentic_and_no_callback_is_unreadable() {
        for body in [
            "",
            "{}",
            r#"{"type":"attempt.changed"}"#,
            r#"{"type":"attempt.changed","data":{}}"#,
            r#"{"type":"attempt.changed","data":{"reference":"a b"}}"#,
            r#"{"type":"attempt.changed","data":{"reference":""}}"#,
        ] {
            let read = read_of(body, unchanged);
            assert_eq!(read, Err(CallbackRefused::Unreadable), "{body}");
        }
    }

    #[test]
    fn a_header_that_is_missing_or_there_twice_proves_nothing() {
        let body = r#"{"type":"attempt.changed","data":{"reference":"a.1"}}"#;
        for at in 0..3 {
            let without = read_of(body, |headers| drop(headers.remove(at)));
            assert_eq!(without, Err(CallbackRefused::NotAuthentic), "{at}");
            let twice = read_of(body, |headers| headers.push(headers[at].clone()));
            assert_eq!(twice, Err(CallbackRefused::NotAuthentic), "{at}");
        }
    }
}
