//! `POST /webhook/test`. It must not claim that the test event arrived: its delivery shows that.

use super::{DELIVERIES, endpoint_id};
use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::webhook::{EndpointId, WebhookEventId};

/// Reads which endpoint gets the test event.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<EndpointId, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let endpoint = reader.required(&attribute::WEBHOOK, endpoint_id);
    reader.finish(|| endpoint)
}

/// The test event that will be delivered.
pub fn view(endpoint: EndpointId, trial: &WebhookEventId) -> Object {
    Object::new()
        .with("whkIdentifier", endpoint.get())
        .with("evtIdentifier", trial.as_str())
}

/// The address of its delivery, for `Location`: the newest of the endpoint's.
pub fn path(endpoint: EndpointId) -> String {
    let (identifier, sort) = (attribute::WEBHOOK.name, attribute::SORT.name);
    format!("{DELIVERIES}?{identifier}={endpoint}&{sort}=desc")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, pretty, query};
    use crate::webhook::deliveries;
    use domain::reference::TransactionNumber;

    #[test]
    fn a_trial_leads_to_the_newest_deliveries_of_its_endpoint() {
        let read = parse(&body(&[("whkIdentifier", "42")]), Handling::Strict).unwrap();
        let location = path(read);
        let (path, text) = location.split_once('?').unwrap();
        assert_eq!(path, DELIVERIES);
        let asked = deliveries::parse(&query(text), Handling::Strict).unwrap();
        assert_eq!(asked.endpoint, Some(read));
        let trial = WebhookEventId::fresh(TransactionNumber::try_new(7_001).unwrap());
        insta::assert_snapshot!(pretty(&view(read, &trial).into()), @r#"
        {
          whkIdentifier: 42
          evtIdentifier: "evt_7001"
        }
        "#);
        let none = parse(&body(&[]), Handling::Strict);
        assert_eq!(
            faults(none),
            "400 -\nwhkIdentifier: is required; add it to the body"
        );
    }
}
