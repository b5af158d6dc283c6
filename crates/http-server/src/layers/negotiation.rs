//! Chooses the format of an answer. Only formats that can be rendered may be variants of
//! [`AnswerFormat`].

use super::list;
use http::header::{ACCEPT, HeaderMap, HeaderValue};

/// A format of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum AnswerFormat {
    /// `application/json`.
    #[default]
    Json,
    /// `application/xml`.
    Xml,
}

/// The client accepts no available format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Accept must allow application/json or application/xml, the formats there are")]
pub(crate) struct NotAcceptable;

/// A quality in thousandths, from 0 (not acceptable) to 1000 (RFC 9110 §12.4.2).
type Quality = u16;

impl AnswerFormat {
    /// Every format; among equals the first is chosen.
    const ALL: [Self; 2] = [Self::Json, Self::Xml];

    /// Type and subtype, lower case.
    const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            Self::Xml => ("application", "xml"),
        }
    }

    /// Another name some clients use for the format, never the one answers carry (RFC 7303 §9.2
    /// makes the two of XML equivalent).
    const fn alias(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Json => None,
            Self::Xml => Some(("text", "xml")),
        }
    }

    /// The value of `Content-Type`. Neither format needs a charset: JSON has but one, and XML
    /// declares its own in its first line.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Xml => "application/xml",
        }
    }
}

/// Files that some operations answer where `format` or the end of their path asks for them: the
/// word and the type.
const FILES: [(&str, (&str, &str)); 3] = [
    ("csv", ("text", "csv")),
    ("pdf", ("application", "pdf")),
    ("calendar", ("text", "calendar")),
];

/// Chooses the format the client prefers; without a preference it is the first. A client that asks
/// for a file and accepts nothing else is answered errors in the first.
pub(crate) fn choose(
    headers: &HeaderMap,
    (path, query): (&str, Option<&str>),
) -> Result<AnswerFormat, NotAcceptable> {
    let values = headers.get_all(ACCEPT);
    if values.iter().all(HeaderValue::is_empty) {
        return Ok(AnswerFormat::default());
    }
    let ranges: Vec<Range<'_>> = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(list::elements)
        .filter_map(Range::parse)
        .collect();
    let best = AnswerFormat::ALL
        .into_iter()
        .map(|format| (quality(&ranges, format), format))
        .rev()
        .max_by_key(|(quality, _)| *quality);
    match best {
        Some((1.., format)) => Ok(format),
        Some((0, _)) | None if asks_for_file(&ranges, (path, query)) => Ok(AnswerFormat::default()),
        Some((0, _)) | None => Err(NotAcceptable),
    }
}

/// Whether a query or a path asks for a file of a type that is accepted by its name.
fn asks_for_file(ranges: &[Range<'_>], (path, query): (&str, Option<&str>)) -> bool {
    let mut pairs = query.unwrap_or_default().split('&');
    let asked = pairs.find_map(|pair| pair.strip_prefix("format="));
    let asked = asked.or(path.rsplit('/').next());
    let file = FILES.iter().find(|(word, _)| Some(*word) == asked);
    let accepted = |name| ranges.iter().any(|it| it.quality > 0 && it.names(name));
    file.is_some_and(|(_, name)| accepted(*name))
}

/// The quality given to a format by the most specific range that covers it.
fn quality(ranges: &[Range<'_>], format: AnswerFormat) -> Quality {
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
    /// Reads a range; `None` for anything else. Parameters other than the quality are ignored: no
    /// format here has any.
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
    fn precision(&self, format: AnswerFormat) -> Option<u8> {
        let (kind, _) = format.name();
        match (self.kind, self.subtype) {
            ("*", "*") => Some(0),
            (asked, "*") if asked.eq_ignore_ascii_case(kind) => Some(1),
            _ if self.names(format.name()) => Some(3),
            // Refusing the alias refuses a type that is never sent.
            _ if self.quality > 0 => format.alias().is_some_and(|it| self.names(it)).then_some(2),
            _ => None,
        }
    }

    fn names(&self, (kind, subtype): (&str, &str)) -> bool {
        self.kind.eq_ignore_ascii_case(kind) && self.subtype.eq_ignore_ascii_case(subtype)
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

    fn check(accept: &str, expected: Result<AnswerFormat, NotAcceptable>) {
        let value = HeaderValue::from_str(accept).unwrap();
        let headers = HeaderMap::from_iter([(ACCEPT, value)]);
        assert_eq!(choose(&headers, ("/", None)), expected, "{accept:?}");
    }

    #[test]
    fn who_asks_for_a_file_may_accept_nothing_else() {
        let choose = |accept, query| {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            super::choose(&headers, ("/transfer/bulk/transaction", Some(query)))
        };
        let json = Ok(AnswerFormat::Json);
        let pages = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/pdf"))]);
        let named = ("/billing/invoice/pdf", Some("mrcReference=a"));
        assert_eq!(super::choose(&pages, named), json);
        let other = ("/billing/invoice/pdf", Some("format=csv"));
        assert_eq!(super::choose(&pages, other), Err(NotAcceptable));
        assert_eq!(choose("text/csv", "mrcReference=a&format=csv"), json);
        assert_eq!(choose("application/pdf;q=0.5", "format=pdf"), json);
        assert_eq!(choose("text/calendar", "format=calendar"), json);
        for (accept, query) in [
            ("text/csv", "mrcReference=a"),
            ("text/csv", "format=pdf"),
            ("text/csv", "format=json"),
            ("text/csv;q=0", "format=csv"),
            ("text/html", "format=csv"),
        ] {
            assert_eq!(
                choose(accept, query),
                Err(NotAcceptable),
                "{accept} {query}"
            );
        }
    }

    #[test]
    fn json_is_chosen_where_nothing_is_liked_better() {
        assert_eq!(
            choose(&HeaderMap::new(), ("/", None)),
            Ok(AnswerFormat::Json)
        );
        for accept in [
            "",
            "*/*",
            "application/*",
            "application/json",
            "APPLICATION/JSON",
            "application/json; charset=utf-8",
            "text/html, application/xhtml+xml, */*;q=0.8",
            "application/xml, application/json",
            "application/xml, */*",
            "application/xml;q=0.5, application/json;q=0.5",
            "application/xml;q=0.1, application/json;q=0.2",
            "application/xml;q=0.5, */*;q=0.6",
            "text/xml;q=0.5, */*;q=0.6",
            "application/xml;q=0.3, text/xml, application/json;q=0.4",
            "*/*, application/xml;q=0",
            "*/*;q=0, application/json",
            "application/json;q=1.000",
            "nonsense, application/json",
            "application/json;profile=\"a,b;q=0\"",
        ] {
            check(accept, Ok(AnswerFormat::Json));
        }
    }

    #[test]
    fn xml_is_chosen_where_it_is_liked_better() {
        for accept in [
            "application/xml",
            "Application/XML; charset=utf-8",
            "text/xml",
            "TEXT/XML;q=0.2",
            "application/xml;q=0.001",
            "application/xml, application/json;q=0.999",
            "application/xml, */*;q=0.1",
            "text/xml, application/*;q=0.5",
            "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
            "application/json;q=0, */*;q=0.1",
            "application/json;q=0, application/*",
            "application/json;q=0, text/xml;q=0, application/*",
            "text/xml;q=0, application/xml",
            "*/*;q=0, text/xml",
        ] {
            check(accept, Ok(AnswerFormat::Xml));
        }
    }

    #[test]
    fn a_client_that_accepts_no_format_we_have_is_refused() {
        for accept in [
            "text/html",
            "text/*",
            "application/json;q=0",
            "application/xml;q=0",
            "*/*;q=0.0",
            "application/*;q=0, */*",
            "*/*, application/json;q=0, application/xml;q=0",
            "text/xml, application/xml;q=0",
            "text/xml;q=0",
            "application/jsonp",
            "application/xhtml+xml",
            "application/xml-dtd",
            "json",
            "xml",
            "application/json;q=2",
            ", ,",
        ] {
            check(accept, Err(NotAcceptable));
        }
    }

    #[test]
    fn a_client_without_a_common_format_is_answered_with_all_there_are() {
        let reported = NotAcceptable.to_string();
        for format in AnswerFormat::ALL {
            assert!(reported.contains(format.content_type()), "{reported}");
        }
    }

    #[test]
    fn ranges_in_several_headers_are_one_list() {
        let headers = HeaderMap::from_iter([
            (ACCEPT, HeaderValue::from_static("text/html")),
            (ACCEPT, HeaderValue::from_static("application/json;q=0.1")),
            (ACCEPT, HeaderValue::from_static("application/xml;q=0.2")),
        ]);
        assert_eq!(choose(&headers, ("/", None)), Ok(AnswerFormat::Xml));
    }

    proptest! {
        #[test]
        fn no_header_makes_it_panic(accept in proptest::collection::vec(32_u8..=255, 0..80)) {
            if let Ok(value) = HeaderValue::from_bytes(&accept) {
                let _ = choose(&HeaderMap::from_iter([(ACCEPT, value)]), ("/", None));
            }
        }
    }
}
