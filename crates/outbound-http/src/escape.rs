//! Texts within the target of a request. It must not be used for a whole target.

use std::fmt::Write as _;

/// A text as one segment of a path or one value of a query: all but the unreserved characters are
/// escaped (RFC 3986, section 2.3).
pub fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            written.push(char::from(byte));
        } else {
            // Writing to a string never fails.
            let _ = write!(written, "%{byte:02X}");
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_one_segment() {
        assert_eq!(escaped("a-b_c.1~"), "a-b_c.1~");
        assert_eq!(escaped("../é?x=1 &"), "..%2F%C3%A9%3Fx%3D1%20%26");
    }
}
