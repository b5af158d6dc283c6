//! What a provider of the protocol sends by itself: that an attempt moved on, which must never be
//! more than a hint, and messages of people. Both are signed with the keys that both sides share.

use crate::provider::HttpProvider;
use domain::reference::ProviderReference;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, MessageReport, ProviderCallback,
};
use provider_protocol::{
    ATTEMPT_CHANGED, AttemptCallback, CALLBACK_ID_HEADER, CALLBACK_SIGNATURE_HEADER,
    CALLBACK_TIMESTAMP_HEADER, CallbackKind, CallbackParts, MESSAGE_RECEIVED, MessageCallback,
    is_authentic_callback, read, read_reference,
};

impl Callbacks for HttpProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
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
        let sent: CallbackKind = read(callback.body).map_err(unreadable)?;
        match sent.kind.as_str() {
            ATTEMPT_CHANGED => attempt(callback.body).map(|it| CallbackContent::about([it])),
            MESSAGE_RECEIVED => {
                message(callback.body).map(|it| CallbackContent::Messages(vec![it]))
            }
            _ => Ok(CallbackContent::about(None)),
        }
    }
}

fn attempt(body: &[u8]) -> Result<CallbackHint, CallbackRefused> {
    let sent: AttemptCallback = read(body).map_err(unreadable)?;
    let reference = sent.data.reference;
    read_reference(&reference).map_err(unreadable)?;
    Ok(CallbackHint {
        reference: ProviderReference::from_echo(reference),
    })
}

fn message(body: &[u8]) -> Result<MessageReport, CallbackRefused> {
    let sent: MessageCallback = read(body).map_err(unreadable)?;
    let (message, reference) = sent.data.message().map_err(unreadable)?;
    Ok(MessageReport { message, reference })
}

/// What is wrong with a body is not said in a log: it may quote what a person wrote.
fn unreadable<E>(_: E) -> CallbackRefused {
    CallbackRefused::Unreadable
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
    ) -> Result<CallbackContent, CallbackRefused> {
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
        let hints = read_of(body, unchanged).unwrap().into_attempts();
        assert_eq!(hints.len(), 1);
        assert_eq!(hints[0].reference.as_str(), "a.1");
        let other = r#"{"type":"float.low","data":{"reference":"a.1"}}"#;
        assert_eq!(read_of(other, unchanged), Ok(CallbackContent::about(None)));
    }

    #[test]
    fn a_message_of_a_person_is_read_with_what_it_replies_to() {
        let body = r#"{"type":"message.received","data":{"id":"in-1","channel":"sms",
            "number":"2348031234567","sender":"MyShop","content":"Hi","more":1,
            "receivedAt":"2026-01-15T09:00:00Z","reference":"a.1"}}"#;
        let Ok(CallbackContent::Messages(messages)) = read_of(body, unchanged) else {
            panic!("no message");
        };
        let [report] = messages.as_slice() else {
            panic!("{messages:?}");
        };
        assert_eq!(report.message.id.as_str(), "in-1");
        assert_eq!(report.message.sender.as_str(), "MyShop");
        assert_eq!(report.reference, Some(ProviderReference::from_echo("a.1")));
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
            r#"{"type":"message.received"}"#,
            r#"{"type":"message.received","data":{"reference":"a.1"}}"#,
            r#"{"type":"message.received","data":{"id":"1","channel":"fax","number":"2348031234567",
                "sender":"MyShop","content":"Hi","receivedAt":"2026-01-15T09:00:00Z"}}"#,
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
