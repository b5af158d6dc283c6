//! `POST /transfer/bulk/cancel`. It must name the batch and nothing else.

use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::violations::Violations;
use domain::reference::MerchantReference;

/// Reads which batch is to be cancelled.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<MerchantReference, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    reader.finish(|| reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    #[test]
    fn a_batch_is_cancelled_by_its_reference() {
        let read = |pairs| parse(&body(pairs), Handling::Strict);
        assert_eq!(
            read(&[("mrcReference", "\"run-1\"")]).unwrap().as_str(),
            "run-1"
        );
        let refused = faults(read(&[("items", "[]")]));
        insta::assert_snapshot!(refused, @r"
        400 -
        mrcReference: is required; add it to the body
        items: is not an attribute of this request; leave it out
        ");
    }
}
