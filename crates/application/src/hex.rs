//! Bytes as text. It must write two small digits for each byte.

use std::fmt::Write as _;

/// The bytes in hexadecimal.
pub(crate) fn hex<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hex(&[0, 9, 0xAB, 0xFF]), "0009abff");
        assert_eq!(hex(&[]), "");
    }
}
