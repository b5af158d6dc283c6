//! Logos: pictures that the gateway serves, named by the brand. The name alone must suffice to find
//! one.

use crate::tree::Node;

/// The path of the gateway's pictures.
pub const FOLDER: &str = "/logos/";

/// The longest name of a picture.
pub const NAME_LENGTH_MAX: usize = 64;

/// The path of the logo of a brand.
pub(crate) fn shown(brand: &str) -> Node {
    Node::from(format!("{FOLDER}{}", name(brand)))
}

/// The name of the picture of a brand: its letters and digits in lower case, with a hyphen for
/// everything between them.
fn name(brand: &str) -> String {
    let small = brand.to_ascii_lowercase();
    let words = small.split(|character: char| !character.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut name = words.join("-");
    name.truncate(NAME_LENGTH_MAX);
    name
}

/// Whether a text is the name of a picture.
pub fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= NAME_LENGTH_MAX && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brand_has_a_picture_of_its_name() {
        for (brand, expected) in [
            ("Ikeja Electric", "ikeja-electric"),
            ("  9mobile ", "9mobile"),
            ("Smile 4G/LTE", "smile-4g-lte"),
            ("\u{1ECC}", ""),
        ] {
            assert_eq!(name(brand), expected);
            assert!(is_name(&name(brand)));
        }
        assert_eq!(name(&"a b".repeat(60)).len(), NAME_LENGTH_MAX);
        for odd in ["../x", "a.svg", "A", "a b", &"a".repeat(65)] {
            assert!(!is_name(odd), "{odd}");
        }
    }
}
