//! `POST /webhook/disable`, `/webhook/enable` and `/webhook/delete`: commands to one endpoint.
//! Nothing here may read more of a request than its endpoint.

use super::endpoint_id;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::webhook::EndpointId;

/// Reads the endpoint of the command.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<EndpointId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let endpoint = reader.required(&attribute::WEBHOOK, endpoint_id);
    reader.finish(|| endpoint)
}

/// The fields shown of a deleted endpoint.
pub fn deleted(endpoint: EndpointId) -> Object {
    Object::new().with("whkIdentifier", endpoint.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults};

    #[test]
    fn an_endpoint_is_named_by_its_number_as_a_number_or_a_text() {
        for literal in ["42", "\"42\"", "9007199254740991"] {
            let read = parse(&body(&[("whkIdentifier", literal)]), Handling::Strict);
            assert!(read.is_ok(), "{literal}: {read:?}");
        }
        for literal in [
            "0",
            "-1",
            "\"\"",
            "\"+1\"",
            "1.5",
            "9007199254740992",
            "\"٣\"",
        ] {
            let read = parse(&body(&[("whkIdentifier", literal)]), Handling::Lenient);
            let expected = "400 -\nwhkIdentifier: must be the number of an endpoint; \
                            GET /webhook/endpoint lists those you have";
            assert_eq!(faults(read), expected, "{literal}");
        }
        insta::assert_snapshot!(faults(parse(&body(&[("id", "1")]), Handling::Strict)), @r"
        400 -
        whkIdentifier: is required; add it to the body
        id: is not an attribute of this request; leave it out
        ");
    }
}
