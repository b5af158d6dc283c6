//! The precondition of a request: `If-Match` (RFC 9110 §13.1.1) over the versions of what it
//! changes. A tag that is none of ours must match nothing.

use http::header::{ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH};

/// The versions in which alone a request is to be done; `None` where it says nothing, or `*`.
pub(crate) fn read(headers: &HeaderMap) -> Option<Vec<u32>> {
    let values = headers.get_all(IF_MATCH);
    let mut tags = values
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .map(<[u8]>::trim_ascii)
        .peekable();
    tags.peek()?;
    let tags: Vec<_> = tags.collect();
    let is_any = tags.iter().any(|tag| *tag == b"*");
    (!is_any).then(|| tags.into_iter().filter_map(version).collect())
}

/// The header of an answer that shows an object of a version.
pub(crate) fn tag(version: u32) -> (HeaderName, Option<HeaderValue>) {
    (ETAG, HeaderValue::from_str(&format!("\"{version}\"")).ok())
}

fn version(tag: &[u8]) -> Option<u32> {
    let digits = tag.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let is_number = digits.iter().all(u8::is_ascii_digit);
    let text = str::from_utf8(digits).ok().filter(|_| is_number)?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&'static str]) -> Option<Vec<u32>> {
        let values = values.iter();
        let header = |value: &&'static str| (IF_MATCH, HeaderValue::from_static(value));
        read(&values.map(header).collect())
    }

    #[test]
    fn versions_are_read_and_foreign_tags_match_nothing() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["*"]), None);
        assert_eq!(of(&["\"3\""]), Some(vec![3]));
        assert_eq!(of(&["\"3\", \"4\"", "\"5\""]), Some(vec![3, 4, 5]));
        for foreign in [
            "",
            "3",
            "W/\"3\"",
            "\"\"",
            "\"+3\"",
            "\"x\"",
            "\"4294967296\"",
        ] {
            assert_eq!(of(&[foreign]), Some(vec![]), "{foreign}");
        }
    }

    #[test]
    fn a_tag_is_read_back() {
        let (name, value) = tag(7);
        assert_eq!(name, ETAG);
        let headers = HeaderMap::from_iter([(IF_MATCH, value.unwrap())]);
        assert_eq!(read(&headers), Some(vec![7]));
    }
}
