//! Reads the credentials of a request from the `Authorization` header (interface §5). Neither the
//! header nor a part of it may be logged or returned.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use std::fmt;

/// The challenge for a request without valid credentials.
pub(crate) const CHALLENGE: HeaderValue =
    HeaderValue::from_static("Basic realm=\"Manilla\", charset=\"UTF-8\"");

/// Longest identity and key together, in bytes: a key has 44, an identity at most 32, and anything
/// longer belongs to no account.
const CREDENTIALS_BYTES_MAX: usize = 192;

/// Standard Base64, its padding optional: some clients omit it, and the text stays unambiguous.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a request has no usable credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoCredentials {
    /// No header, or several.
    #[error("send your credentials: Authorization: Basic <base64 of mrcIdentity:mrcAPIKey>")]
    Missing,
    /// Another scheme, broken Base64, no colon.
    #[error("Authorization must be Basic, a space and the Base64 of mrcIdentity:mrcAPIKey")]
    Malformed,
}

/// Identity and key as sent; they stay on the stack and are dropped with the request.
pub(crate) struct PresentedCredentials {
    bytes: [u8; CREDENTIALS_BYTES_MAX],
    length: usize,
}

/// Without what was sent.
impl fmt::Debug for PresentedCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresentedCredentials(..)")
    }
}

impl PresentedCredentials {
    /// Reads the credentials of a request.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, NoCredentials> {
        let mut values = headers.get_all(AUTHORIZATION).iter();
        let (Some(only), None) = (values.next(), values.next()) else {
            return Err(NoCredentials::Missing);
        };
        Self::parse(only.as_bytes()).ok_or(NoCredentials::Malformed)
    }

    fn parse(header: &[u8]) -> Option<Self> {
        let (scheme, encoded) = header.split_at_checked(6)?;
        if !scheme.eq_ignore_ascii_case(b"basic ") {
            return None;
        }
        let mut bytes = [0; CREDENTIALS_BYTES_MAX];
        let encoded = encoded.trim_ascii();
        let length = BASE64.decode_slice(encoded, &mut bytes).ok()?;
        let credentials = Self { bytes, length };
        credentials.pair().is_some().then_some(credentials)
    }

    /// Identity and key.
    pub(crate) fn pair(&self) -> Option<(&str, &str)> {
        std::str::from_utf8(self.bytes.get(..self.length)?)
            .ok()?
            .split_once(':')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
    use proptest::prelude::*;

    fn read(header: &str) -> Result<(String, String), NoCredentials> {
        let value = HeaderValue::from_str(header).unwrap();
        let headers = HeaderMap::from_iter([(AUTHORIZATION, value)]);
        let credentials = PresentedCredentials::of(&headers)?;
        let (identity, key) = credentials.pair().unwrap();
        Ok((identity.to_owned(), key.to_owned()))
    }

    #[test]
    fn identity_and_key_divide_at_the_first_colon() {
        let expected = Ok(("shop".to_owned(), "k:ey".to_owned()));
        assert_eq!(read("Basic c2hvcDprOmV5"), expected);
        assert_eq!(read("bAsIc  c2hvcDprOmV5 "), expected);
        let padded = format!("Basic {}", BASE64_STANDARD.encode("shop:key"));
        let bare = format!("Basic {}", BASE64_STANDARD_NO_PAD.encode("shop:key"));
        assert!(padded.ends_with('='));
        assert_eq!(read(&padded), read(&bare));
        assert!(read(&bare).is_ok());
    }

    #[test]
    fn what_is_not_basic_base64_with_a_colon_is_malformed() {
        let long = format!("Basic {}", BASE64_STANDARD.encode("x:".repeat(200)));
        for header in [
            "",
            "Basic",
            "Basic ",
            "Basic !!!",
            "Basic c2hvcA==",
            "Basic /w==",
            "Basic c2hv=cDpr",
            "Bearer c2hvcDprZXk=",
            "c2hvcDprZXk=",
            &long,
        ] {
            assert_eq!(read(header), Err(NoCredentials::Malformed), "{header:?}");
        }
    }

    #[test]
    fn no_header_and_two_headers_are_missing_credentials() {
        let none = PresentedCredentials::of(&HeaderMap::new()).err();
        assert_eq!(none, Some(NoCredentials::Missing));
        let value = HeaderValue::from_static("Basic c2hvcDprZXk=");
        let two = HeaderMap::from_iter([(AUTHORIZATION, value.clone()), (AUTHORIZATION, value)]);
        assert_eq!(
            PresentedCredentials::of(&two).err(),
            Some(NoCredentials::Missing)
        );
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_what_is_read(identity in "[A-Za-z0-9_-]{1,32}", key in "\\PC{0,30}") {
            let encoded = BASE64_STANDARD.encode(format!("{identity}:{key}"));
            prop_assert_eq!(read(&format!("Basic {encoded}")), Ok((identity, key)));
        }

        #[test]
        fn no_header_makes_it_panic(header in proptest::collection::vec(32_u8..=255, 0..300)) {
            if let Ok(value) = HeaderValue::from_bytes(&header) {
                let _ = PresentedCredentials::of(&HeaderMap::from_iter([(AUTHORIZATION, value)]));
            }
        }
    }
}
