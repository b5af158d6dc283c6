//! The signature of a delivery, as Standard Webhooks has it. It must never show a secret.

use base64::prelude::{BASE64_STANDARD, Engine};
use domain::time::Timestamp;
use domain::webhook::Secret;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What is signed.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// The name of the event: `webhook-id`.
    pub id: &'a str,
    /// When this attempt was made: `webhook-timestamp`, in whole seconds.
    pub at: Timestamp,
    /// The bytes that are sent.
    pub body: &'a [u8],
}

/// The moment of an attempt as it is sent and signed: whole seconds since 1970.
pub fn timestamp(at: Timestamp) -> i64 {
    at.as_millis().div_euclid(1000)
}

/// The header `webhook-signature`: one signature for each secret, of which a receiver needs to know
/// one.
pub fn signatures<'a>(signed: Signed<'_>, secrets: impl IntoIterator<Item = &'a Secret>) -> String {
    let each = secrets
        .into_iter()
        .filter_map(|Secret(key)| signature(signed, key));
    each.collect::<Vec<_>>().join(" ")
}

/// One signature with its version, as the header has it.
pub(crate) fn signature(signed: Signed<'_>, key: &[u8]) -> Option<String> {
    digest(signed, key).map(versioned)
}

/// The signature of a body without anything beside it, as a mistaken receiver makes it.
pub(crate) fn over(body: &[u8], key: &[u8]) -> Option<String> {
    mac(key, [body]).map(versioned)
}

/// The bytes of the signature.
pub(crate) fn digest(Signed { id, at, body }: Signed<'_>, key: &[u8]) -> Option<[u8; 32]> {
    let before = format!("{id}.{}.", timestamp(at));
    mac(key, [before.as_bytes(), body])
}

fn mac<const PARTS: usize>(key: &[u8], parts: [&[u8]; PARTS]) -> Option<[u8; 32]> {
    // A key of any length is one, so there always is a signature.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in parts {
        mac.update(part);
    }
    Some(mac.finalize().into_bytes().into())
}

fn versioned(digest: [u8; 32]) -> String {
    format!("v1,{}", BASE64_STANDARD.encode(digest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use standardwebhooks::Webhook;

    const AT: Timestamp = Timestamp::from_millis(1_614_265_330_999);

    fn signed(body: &[u8]) -> Signed<'_> {
        Signed {
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            at: AT,
            body,
        }
    }

    #[test]
    fn the_example_of_the_specification_comes_out_as_it_says() {
        let key = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let made = signature(signed(br#"{"test": 2432232314}"#), &key.unwrap());
        assert_eq!(
            made.as_deref(),
            Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        );
    }

    #[test]
    fn while_two_secrets_work_each_signs_and_the_present_one_first() {
        let (present, before) = (Secret([1; 32]), Secret([2; 32]));
        let both = signatures(signed(b"{}"), [&present, &before]);
        let alone = |secret| signatures(signed(b"{}"), [secret]);
        assert_eq!(both, format!("{} {}", alone(&present), alone(&before)));
        assert_ne!(alone(&present), alone(&before));
        assert!(both.starts_with("v1,"));
    }

    #[test]
    fn whatever_is_changed_on_the_way_changes_the_signature() {
        let secret = Secret([1; 32]);
        let of = |signed| signatures(signed, [&secret]);
        let whole = of(signed(b"{}"));
        assert_eq!(whole, of(signed(b"{}")));
        assert_ne!(whole, of(signed(b"{ }")));
        assert_ne!(
            whole,
            of(Signed {
                id: "evt_1_2",
                ..signed(b"{}")
            })
        );
        let later = Timestamp::from_millis(AT.as_millis() + 1);
        assert_ne!(
            whole,
            of(Signed {
                at: later,
                ..signed(b"{}")
            })
        );
    }

    #[test]
    fn moments_are_sent_in_whole_seconds() {
        assert_eq!(timestamp(AT), 1_614_265_330);
        assert_eq!(timestamp(Timestamp::from_millis(0)), 0);
    }

    proptest! {
        #[test]
        fn the_library_of_the_standard_signs_alike(
            key: [u8; 32],
            id in "evt_[0-9]{1,16}(_[0-9]{1,4})?",
            millis in 0..4_102_444_800_000_i64,
            body: String,
        ) {
            let at = Timestamp::from_millis(millis);
            let signed = Signed { id: &id, at, body: body.as_bytes() };
            let theirs = Webhook::from_bytes(key.to_vec()).unwrap();
            let theirs = theirs.sign(&id, timestamp(at), body.as_bytes()).unwrap();
            prop_assert_eq!(signatures(signed, [&Secret(key)]), theirs);
        }
    }
}
