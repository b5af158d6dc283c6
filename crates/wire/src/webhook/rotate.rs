//! `POST /webhook/rotate`. It must show until when deliveries are also signed with the previous
//! secret.

use super::endpoint::{secret_text, view as endpoint_view};
use super::endpoint_id;
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::webhook::{Endpoint, EndpointId, SECRET_ROTATION_OVERLAP, Secret};

/// Reads which endpoint gets a new secret.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<EndpointId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let endpoint = reader.required(&attribute::WEBHOOK, endpoint_id);
    reader.finish(|| endpoint)
}

/// The endpoint with its new secret, which is shown only in this answer, and until when deliveries
/// are also signed with the previous one.
pub fn view(endpoint: &Endpoint, secret: &Secret, zone: &Zone) -> Object {
    let until = endpoint
        .rotated_at
        .map(|at| at.plus(SECRET_ROTATION_OVERLAP));
    endpoint_view(endpoint, zone)
        .with("whkSecret", secret_text(secret))
        .with("whkOverlap", until.map(|at| zone.date_time(at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, endpoint, faults, lagos, pretty};
    use testkit::builders::START;

    #[test]
    fn a_rotation_shows_the_new_secret_and_how_long_the_old_one_counts() {
        let rotated = Endpoint {
            rotated_at: Some(START),
            ..endpoint(42)
        };
        let shown = view(&rotated, &Secret([0x5A; 32]), &lagos());
        insta::assert_snapshot!("rotated", pretty(&shown.into()));
        let read = |literal| parse(&body(&[("whkIdentifier", literal)]), Handling::Strict);
        assert_eq!(read("42"), Ok(rotated.id));
        assert!(faults(read("true")).contains("must be a string or a number"));
    }
}
