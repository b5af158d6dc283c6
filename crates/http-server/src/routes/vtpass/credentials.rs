//! The credentials of a request in VTpass's shape, as the header that admission reads. Neither may
//! be logged or returned.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

const API_KEY: HeaderName = HeaderName::from_static("api-key");
const SECRET_KEY: HeaderName = HeaderName::from_static("secret-key");
const PUBLIC_KEY: HeaderName = HeaderName::from_static("public-key");

/// Identity and key as Basic credentials: those of `api-key` and its second header, which is
/// another for a GET, or without `api-key` the `Authorization` that VTpass takes as well.
pub(super) fn as_basic(headers: &HeaderMap, method: &Method) -> HeaderMap {
    let own = |value: HeaderValue| HeaderMap::from_iter([(AUTHORIZATION, value)]);
    if !headers.contains_key(API_KEY) {
        let sent = headers.get_all(AUTHORIZATION).iter().cloned();
        return sent.map(|value| (AUTHORIZATION, value)).collect();
    }
    let second = if method == Method::POST {
        SECRET_KEY
    } else {
        PUBLIC_KEY
    };
    let pair = only(headers, &API_KEY).zip(only(headers, &second));
    let basic = pair.and_then(|(identity, key)| {
        let pair = [identity.as_bytes(), b":", key.as_bytes()].concat();
        HeaderValue::try_from(format!("Basic {}", BASE64_STANDARD.encode(pair))).ok()
    });
    basic.map(own).unwrap_or_default()
}

/// Whether the credentials came in a header that a browser neither remembers nor adds to a form. Of
/// credentials in `Authorization` that is not known.
pub(super) fn are_of_no_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(API_KEY)
}

/// The value of a header that was sent once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h HeaderValue> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::authentication::PresentedCredentials;

    fn read(sent: &[(HeaderName, &'static str)], method: &Method) -> Option<(String, String)> {
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(name, HeaderValue::from_static(value));
        }
        let presented = PresentedCredentials::of(&as_basic(&headers, method)).ok()?;
        let (identity, key) = presented.pair()?;
        Some((identity.to_owned(), key.to_owned()))
    }

    #[test]
    fn the_second_header_is_another_for_a_get() {
        let shop = Some(("shop".to_owned(), "key".to_owned()));
        let (secret, public) = ((SECRET_KEY, "key"), (PUBLIC_KEY, "key"));
        let api = (API_KEY, "shop");
        assert_eq!(read(&[api.clone(), secret.clone()], &Method::POST), shop);
        assert_eq!(read(&[api.clone(), public.clone()], &Method::GET), shop);
        assert_eq!(read(&[api.clone(), secret.clone()], &Method::GET), None);
        assert_eq!(read(&[api.clone(), public], &Method::POST), None);
        assert_eq!(read(&[api.clone(), api, secret], &Method::POST), None);
        assert_eq!(read(&[], &Method::POST), None);
        let basic = (AUTHORIZATION, "Basic c2hvcDprZXk=");
        assert_eq!(read(&[basic], &Method::POST), shop);
    }
}
