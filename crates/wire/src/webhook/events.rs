//! `GET /webhook/events`. It must list every type of event, whatever an endpoint is subscribed to.

use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use domain::webhook::Topic;

const LAYOUT: Layout<Topic> = Layout {
    path: "/webhook/events",
    plural: "events",
    singular: "event",
    orders: &[ListingOrder {
        word: "evtType",
        compare: |one, other| by_name(one.code(), other.code()),
    }],
    entry: |topic| {
        Object::new()
            .with("evtType", topic.code())
            .with("evtDescription", description(*topic))
    },
};

/// Reads which page of the list is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Paging<OrderWord>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| paging)
}

/// Every type of event.
pub fn listing() -> Listing<Topic> {
    Listing::whole(Topic::ALL.to_vec())
}

/// A page of the list.
pub fn view(topics: &Listing<Topic>, paging: &Paging<OrderWord>) -> Object {
    LAYOUT.view(topics, paging)
}

/// The `Link` header of the answer.
pub fn link_header(topics: &Listing<Topic>, paging: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((topics, paging), &[])
}

/// The meaning of an event, in a sentence.
pub const fn description(topic: Topic) -> &'static str {
    match topic {
        Topic::TransactionPending => "A transaction waits for its outcome.",
        Topic::TransactionSuccessful => "A transaction was delivered.",
        Topic::TransactionFailed => {
            "A transaction was certainly not delivered, and its price was given back."
        }
        Topic::TransactionReversed => {
            "A successful transaction was taken back, and its price was given back."
        }
        Topic::TransactionReview => {
            "A person must decide what became of a transaction; it is Pending until then."
        }
        Topic::MessageStatus => "The network reported a new delivery status of a message.",
        Topic::TransactionRefunded => {
            "The gateway gave the price of a successful transaction back, or a part of it."
        }
        Topic::MessageReceived => "A person sent a message to a sender of yours.",
        Topic::AccountCredited => "Money was paid into your account.",
        Topic::AccountLowBalance => {
            "A payment took what you can spend below the low-balance threshold."
        }
        Topic::ReportReady => "The file of a report is there.",
        Topic::WebhookDisabled => {
            "An endpoint of yours failed for too long or is gone, and was disabled."
        }
        Topic::Ping => {
            "A test event you requested; an endpoint gets it whatever its subscriptions are."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{each, faults, pretty, query};

    #[test]
    fn every_kind_of_event_is_listed_with_what_it_means() {
        let paging = parse(&query(""), Handling::Strict).unwrap();
        let shown = view(&listing(), &paging);
        insta::assert_snapshot!("events", pretty(&shown.clone().into()));
        let shown = each("evtType", &shown);
        assert!(
            Topic::ALL.iter().all(|topic| shown.contains(topic.code())),
            "{shown}"
        );
    }

    #[test]
    fn a_part_of_the_list_is_asked_for_as_of_every_other() {
        let read = |text| parse(&query(text), Handling::Strict);
        let paging = read("offset=2&length=1&sort=desc&orderby=evtType").unwrap();
        assert_eq!(
            each("evtType", &view(&listing(), &paging)),
            "transaction.review"
        );
        let links = link_header(&listing(), &paging);
        let next = "</webhook/events?offset=3&length=1&orderby=evtType&sort=desc>; rel=\"next\"";
        assert!(links.contains(next), "{links}");
        insta::assert_snapshot!(faults(read("orderby=evtDate&evtType=ping")), @r"
        400 -
        orderby: must be evtType, or left out
        evtType: is not an attribute of this request; leave it out
        ");
    }
}
