//! `POST /collection/suspend`, `/collection/resume` and `/collection/close`. They must say which
//! version was seen where the merchant says it.

use super::identifier;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::reference::TransactionNumber;

/// A collection, and the version of it that was seen.
pub type SeenInBody = (TransactionNumber, Option<u32>);

/// Reads which collection is to be changed.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<SeenInBody, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let number = identifier(&mut reader);
    let seen = reader.version();
    reader.finish(|| Ok((number?, seen?)))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::fixtures::faults;

    #[test]
    fn a_step_is_read_and_everything_that_is_wrong_is_named() {
        let wanted = |pairs: &[(&str, &str)]| read(pairs, |all| parse(all, Handling::Strict));
        let (number, seen) = wanted(&[("colIdentifier", "7"), ("version", "2")]).unwrap();
        assert_eq!((number.get(), seen), (7, Some(2)));
        assert_eq!(wanted(&[("colIdentifier", "\"7\"")]).unwrap().1, None);
        let named = faults(wanted(&[
            ("colIdentifier", "0"),
            ("version", "0"),
            ("x", "1"),
        ]));
        for name in ["colIdentifier", "version", "x"] {
            assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
        }
    }
}
