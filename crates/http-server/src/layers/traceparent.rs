//! The trace that a caller says its request belongs to: the header `traceparent` of W3C Trace
//! Context. It must accept only the one form it has, since its text is logged and exported.

use http::header::{HeaderMap, HeaderName};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Whether a request belongs to the trace that its caller names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallerTraces {
    /// The header is not read.
    #[default]
    Ignored,
    /// It does.
    TakenUp,
}

impl CallerTraces {
    /// The header of a request, where it is one and is read.
    pub(crate) fn of(self, headers: &HeaderMap) -> Option<&str> {
        match self {
            Self::Ignored => None,
            Self::TakenUp => {
                let text = headers.get(TRACEPARENT)?.to_str().ok()?;
                is_traceparent(text).then_some(text)
            }
        }
    }
}

/// Whether a text is the header in version 00: the ids of a trace and of a span, neither of them
/// zero, and flags. A header of a later version is passed over.
fn is_traceparent(text: &str) -> bool {
    let is_hex = |part: &str, digits: usize| {
        let fits = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        part.len() == digits && part.bytes().all(fits)
    };
    let is_id = |part: &str, digits| is_hex(part, digits) && part.bytes().any(|b| b != b'0');
    let parts: Vec<&str> = text.splitn(5, '-').collect();
    match parts.as_slice() {
        ["00", trace, span, flags] => is_id(trace, 32) && is_id(span, 16) && is_hex(flags, 2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    const CALLED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_header_of_the_one_form_is_read_where_the_settings_say_so() {
        let headers = HeaderMap::from_iter([(TRACEPARENT, HeaderValue::from_static(CALLED))]);
        assert_eq!(CallerTraces::TakenUp.of(&headers), Some(CALLED));
        assert_eq!(CallerTraces::Ignored.of(&headers), None);
        assert_eq!(CallerTraces::TakenUp.of(&HeaderMap::new()), None);
    }

    #[test]
    fn anything_else_is_passed_over() {
        assert!(is_traceparent(CALLED));
        for text in [
            "",
            "00",
            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-08031234567-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        ] {
            assert!(!is_traceparent(text), "{text}");
        }
    }
}
