//! Preferences of a client beyond the interface: `Prefer: handling=strict` (RFC 7240). An unknown
//! preference must change nothing.

use super::list;
use http::header::{HeaderMap, HeaderName};
use wire::reader::Handling;

/// The request's header.
pub(crate) const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The header of answers to requests whose preference was applied.
pub(crate) const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// How a request wants its unknown attributes handled. Where a preference is given twice, the first
/// counts (RFC 7240 §2).
pub(crate) fn handling(headers: &HeaderMap) -> Handling {
    let wish = headers
        .get_all(PREFER)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(list::elements)
        .filter_map(|element| list::parts(element).next().map(list::parameter))
        .find(|(name, _)| name.eq_ignore_ascii_case("handling"));
    match wish {
        Some((_, value)) if value.eq_ignore_ascii_case("strict") => Handling::Strict,
        Some(_) | None => Handling::Lenient,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use proptest::prelude::*;

    fn check(prefer: &str, expected: Handling) {
        let value = HeaderValue::from_str(prefer).unwrap();
        let headers = HeaderMap::from_iter([(PREFER, value)]);
        assert_eq!(handling(&headers), expected, "{prefer:?}");
    }

    #[test]
    fn strict_handling_is_found_among_other_preferences() {
        for prefer in [
            "handling=strict",
            "Handling=Strict",
            "handling=\"strict\"",
            "handling = strict",
            "respond-async, wait=100; x=\"a,b\", handling=strict; foo=bar",
        ] {
            check(prefer, Handling::Strict);
        }
    }

    #[test]
    fn anything_else_is_lenient() {
        for prefer in [
            "",
            "handling",
            "handling=lenient, handling=strict",
            "strict",
            "x=\"handling=strict\"",
            "a; handling=strict",
        ] {
            check(prefer, Handling::Lenient);
        }
        assert_eq!(handling(&HeaderMap::new()), Handling::Lenient);
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(prefer in proptest::collection::vec(32_u8..=255, 0..80)) {
            if let Ok(value) = HeaderValue::from_bytes(&prefer) {
                let _ = handling(&HeaderMap::from_iter([(PREFER, value)]));
            }
        }
    }
}
