//! Detects requests that another site makes a browser send, by an image or a link, with the
//! credentials the browser stores. It must not reject a program or a CORS request.

use http::header::{HeaderMap, HeaderName};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Whether the browser reports that another site caused the request and no script of it may read
/// the answer (Fetch Metadata). Programs and older browsers send no such headers.
pub(crate) fn is_forced(headers: &HeaderMap) -> bool {
    let says = |name: &HeaderName, word: &str| {
        let mut values = headers.get_all(name).iter();
        values.any(|value| value.as_bytes().eq_ignore_ascii_case(word.as_bytes()))
    };
    says(&SITE, "cross-site") && headers.contains_key(MODE) && !says(&MODE, "cors")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    #[test]
    fn only_a_browser_that_another_site_sends_without_cors_is_forced() {
        for (site, mode, forced) in [
            (Some("cross-site"), Some("no-cors"), true),
            (Some("cross-site"), Some("navigate"), true),
            (Some("Cross-Site"), Some("No-Cors"), true),
            (Some("cross-site"), Some("cors"), false),
            (Some("cross-site"), None, false),
            (Some("same-site"), Some("no-cors"), false),
            (Some("same-origin"), Some("navigate"), false),
            (Some("none"), Some("navigate"), false),
            (None, Some("no-cors"), false),
            (None, None, false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(SITE, site), (MODE, mode)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            assert_eq!(is_forced(&headers), forced, "{site:?} {mode:?}");
        }
    }
}
