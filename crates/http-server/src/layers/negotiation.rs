//! Which format an answer is in. Only what can be rendered may be an arm of [`Format`].

use super::list;
use http::header::{ACCEPT, HeaderMap, HeaderValue};

/// A format answers are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// `application/json`.
    #[default]
    Json,
}

/// The client accepts no format there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Accept must allow application/json, the format there is")]
pub(crate) struct NotAcceptable;

/// A quality in thousandths, from 0 (not acceptable) to 1000 (RFC 9110 §12.4.2).
type Quality = u16;

impl Format {
    /// Every format, the one that is chosen among equals first.
    const ALL: [Self; 1] = [Self::Json];

    /// Type and subtype, lower case.
    const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
        }
    }

    /// The value of `Content-Type`.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
        }
    }
}

/// Chooses the format the client likes best; without a wish it is the first.
pub(crate) fn choose(headers: &HeaderMap) -> Result<Format, NotAcceptable> {
    let values = headers.get_all(ACCEPT);
    if values.iter().all(HeaderValue::is_empty) {
        return Ok(Format::default());
    }
    let ranges: Vec<Range<'_>> = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(list::elements)
        .filter_map(Range::parse)
        .collect();
    let best = Format::ALL
        .into_iter()
        .map(|format| (quality(&ranges, format), format))
        .rev()
        .max_by_key(|(quality, _)| *quality);
    match best {
        Some((1.., format)) => Ok(format),
        Some((0, _)) | None => Err(NotAcceptable),
    }
}

/// The quality the most specific range that covers a format gives it.
fn quality(ranges: &[Range<'_>], format: Format) -> Quality {
    let covering = ranges.iter().filter_map(|range| {
        let precision = range.precision(format)?;
        Some((precision, range.quality))
    });
    covering.max().map_or(0, |(_, quality)| quality)
}

/// One range of an `Accept` header.
#[derive(Debug, Clone, Copy)]
struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    quality: Quality,
}

impl<'a> Range<'a> {
    /// Reads a range; `None` for what is not one. Parameters other than the quality are not looked
    /// at: no format here has any.
    fn parse(element: &'a str) -> Option<Self> {
        let mut parts = list::parts(element);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let weight = parts
            .map(list::parameter)
            .find(|(name, _)| name.eq_ignore_ascii_case("q"));
        Some(Self {
            kind: kind.trim(),
            subtype: subtype.trim(),
            quality: weight.map_or(Some(1000), |(_, value)| parse_quality(value))?,
        })
    }

    /// How closely the range names a format, `None` where it does not cover it.
    fn precision(&self, format: Format) -> Option<u8> {
        let (kind, subtype) = format.name();
        match (self.kind, self.subtype) {
            ("*", "*") => Some(0),
            (asked, "*") if asked.eq_ignore_ascii_case(kind) => Some(1),
            (asked, asked_sub) => (asked.eq_ignore_ascii_case(kind)
                && asked_sub.eq_ignore_ascii_case(subtype))
            .then_some(2),
        }
    }
}

/// Reads `0`, `1`, `0.5`, `0.333`, `1.000`; `None` for anything else.
fn parse_quality(text: &str) -> Option<Quality> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !matches!(whole, "0" | "1") || fraction.len() > 3 || !digits(fraction) {
        return None;
    }
    let thousandths: Quality = format!("{whole}{fraction:0<3}").parse().ok()?;
    (thousandths <= 1000).then_some(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(accept: &str, expected: Result<Format, NotAcceptable>) {
        let value = HeaderValue::from_str(accept).unwrap();
        let headers = HeaderMap::from_iter([(ACCEPT, value)]);
        assert_eq!(choose(&headers), expected, "{accept:?}");
    }

    #[test]
    fn json_is_chosen_where_it_is_allowed() {
        assert_eq!(choose(&HeaderMap::new()), Ok(Format::Json));
        for accept in [
            "",
            "*/*",
            "application/*",
            "application/json",
            "APPLICATION/JSON",
            "application/json; charset=utf-8",
            "text/html, application/xhtml+xml, */*;q=0.8",
            "application/xml, application/json;q=0.1",
            "*/*;q=0, application/json",
            "application/json;q=1.000",
            "nonsense, application/json",
            "application/json;profile=\"a,b;q=0\"",
        ] {
            check(accept, Ok(Format::Json));
        }
    }

    #[test]
    fn a_client_that_allows_nothing_we_have_is_told_so() {
        for accept in [
            "application/xml",
            "text/*",
            "application/json;q=0",
            "*/*;q=0.0",
            "*/*, application/json;q=0",
            "application/jsonp",
            "json",
            "application/json;q=2",
            ", ,",
        ] {
            check(accept, Err(NotAcceptable));
        }
    }

    #[test]
    fn ranges_in_several_headers_are_one_list() {
        let headers = HeaderMap::from_iter([
            (ACCEPT, HeaderValue::from_static("text/html")),
            (ACCEPT, HeaderValue::from_static("application/json")),
        ]);
        assert_eq!(choose(&headers), Ok(Format::Json));
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(accept in proptest::collection::vec(32_u8..=255, 0..80)) {
            if let Ok(value) = HeaderValue::from_bytes(&accept) {
                let _ = choose(&HeaderMap::from_iter([(ACCEPT, value)]));
            }
        }
    }
}
