//! `GET /webhook/deliveries`. It must not sort or filter: the deliveries come in the order shown.

use super::{DELIVERIES, endpoint_id};
use crate::attribute;
use crate::attributes::Attributes;
use crate::page::{self, PageWindow, Paging, sort_word};
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::statement::Sort;
use domain::webhook::{Attempt, Delivery, DeliveryState, EndpointId, EventPayload};

const PARKED: &str = "Parked";

/// The only order: by the time of the event.
const ORDERS: [(&str, ()); 1] = [("evtDate", ())];

/// The deliveries that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveriesQuery {
    /// To this endpoint only.
    pub endpoint: Option<EndpointId>,
    /// Only those that are parked until the merchant acts.
    pub parked: bool,
    pub offset: u64,
    pub length: u32,
    pub sort: Sort,
}

/// A page of the deliveries.
#[derive(Debug, Clone, Copy)]
pub struct DeliveriesPart<'a> {
    /// Each with its attempts.
    pub deliveries: &'a [(Delivery, Vec<Attempt>)],
    /// The number of deliveries of the account.
    pub total: u64,
    /// The number of them that satisfy the filters.
    pub found: u64,
}

/// Reads which deliveries are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<DeliveriesQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = Paging::read(&mut reader, &ORDERS);
    let endpoint = reader.optional(&attribute::WEBHOOK, endpoint_id);
    let parked = reader.choice(&attribute::DELIVERY_STATUS, &[(PARKED, ())]);
    reader.finish(|| {
        let paging = paging?;
        Ok(DeliveriesQuery {
            endpoint: endpoint?,
            parked: parked?.is_some(),
            offset: paging.offset,
            length: paging.length,
            sort: paging.sort,
        })
    })
}

/// A page of the deliveries.
pub fn view(part: DeliveriesPart<'_>, query: &DeliveriesQuery, zone: &Zone) -> Object {
    let entries = part.deliveries.iter();
    let entries = entries.map(|(delivery, attempts)| entry(delivery, attempts, zone));
    Object::new()
        .with("deliveries", Node::objects("delivery", entries))
        .with("metadata", page::metadata(part.deliveries.len()))
        .with("query", page::query(&window(part, query)))
}

/// The `Link` header of the answer (RFC 8288): the neighbouring pages under the same filters.
pub fn link_header(part: DeliveriesPart<'_>, query: &DeliveriesQuery) -> String {
    page::link_header(&window(part, query), |offset| address(query, offset))
}

const fn window(part: DeliveriesPart<'_>, query: &DeliveriesQuery) -> PageWindow {
    PageWindow {
        offset: query.offset,
        length: query.length,
        total: part.total,
        found: part.found,
    }
}

fn entry(delivery: &Delivery, attempts: &[Attempt], zone: &Zone) -> Object {
    let event = &delivery.event;
    let transaction = transaction(&event.subject);
    let (status, date) = match delivery.state {
        DeliveryState::Due(at) => ("Pending", at),
        DeliveryState::Delivered(at) => ("Delivered", at),
        DeliveryState::Parked(at) => (PARKED, at),
    };
    // The newest comes last. Its answer suffices to see the current error; the answers of twenty
    // attempts of a hundred deliveries would be too much to read.
    let newest = attempts.len().saturating_sub(1);
    let attempts = attempts.iter().enumerate();
    let attempts = attempts.map(|(index, made)| attempt(made, index == newest, zone));
    Object::new()
        .with("evtIdentifier", event.id.as_str())
        .with("evtType", event.topic.code())
        .with("evtSequence", u64::from(event.sequence))
        .with("evtDate", zone.date_time(event.at))
        .with("whkIdentifier", delivery.endpoint.get())
        .with("txnReference", transaction.map(|(number, _)| number.get()))
        .with(
            "mrcReference",
            transaction.map(|(_, reference)| reference.as_str()),
        )
        .with("dlvStatus", status)
        .with("dlvDate", zone.date_time(date))
        .with("dlvAttempts", Node::objects("dlvAttempt", attempts))
}

/// The transaction the event is about or was caused by.
fn transaction(subject: &EventPayload) -> Option<(TransactionNumber, &MerchantReference)> {
    match subject {
        EventPayload::Transaction(transaction) => {
            Some((transaction.number, &transaction.reference))
        }
        EventPayload::Credit(line) | EventPayload::LowBalance { line, .. } => {
            let (number, reference) = line.transaction.as_ref()?;
            Some((*number, reference))
        }
        EventPayload::Endpoint(_)
        | EventPayload::Report(_)
        | EventPayload::Incoming(_)
        | EventPayload::Ping => None,
    }
}

fn attempt(attempt: &Attempt, with_answer: bool, zone: &Zone) -> Object {
    let answer = attempt.result.as_ref().ok();
    let excerpt = answer.map(|answer| answer.excerpt.as_str());
    let excerpt = excerpt.filter(|excerpt| with_answer && !excerpt.is_empty());
    let failure = attempt.result.as_ref().err();
    let took = u64::try_from(attempt.took.as_millis()).unwrap_or(u64::MAX);
    Object::new()
        .with("attDate", zone.date_time(attempt.at))
        .with("attDuration", took)
        .with("attStatus", answer.map(|answer| answer.status))
        .with("attFailure", failure.map(|failure| failure.code()))
        .with("attAnswer", excerpt)
}

/// The same request for another page. No value in it needs encoding in a query.
fn address(query: &DeliveriesQuery, offset: u64) -> String {
    let mut filters = vec![
        (attribute::OFFSET, offset.to_string()),
        (attribute::LENGTH, query.length.to_string()),
        (attribute::SORT, sort_word(query.sort).to_owned()),
    ];
    if let Some(endpoint) = query.endpoint {
        filters.push((attribute::WEBHOOK, endpoint.to_string()));
    }
    if query.parked {
        filters.push((attribute::DELIVERY_STATUS, PARKED.to_owned()));
    }
    let pairs = filters.iter();
    let pairs = pairs.map(|(attribute, value)| format!("{}={value}", attribute.name));
    format!("{DELIVERIES}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, links_ask_for_the_same, pretty, query as attributes};
    use domain::account::AccountId;
    use domain::reference::TransactionNumber;
    use domain::webhook::{DeliveryFailure, EndpointAnswer, Topic, WebhookEvent, WebhookEventId};
    use std::time::Duration;
    use testkit::builders::{START, airtime};

    fn read(text: &str) -> Result<DeliveriesQuery, Violations> {
        parse(&attributes(text), Handling::Strict)
    }

    fn delivery(subject: EventPayload, state: DeliveryState) -> Delivery {
        Delivery {
            account: AccountId::parse("shop").unwrap(),
            endpoint: EndpointId::new(42).unwrap(),
            event: WebhookEvent {
                id: WebhookEventId::fresh(TransactionNumber::try_new(7_001).unwrap()),
                topic: match subject {
                    EventPayload::Transaction(_) => Topic::TransactionPending,
                    EventPayload::Credit(_)
                    | EventPayload::LowBalance { .. }
                    | EventPayload::Endpoint(_)
                    | EventPayload::Report(_)
                    | EventPayload::Incoming(_)
                    | EventPayload::Ping => Topic::Ping,
                },
                sequence: 1,
                at: START,
                subject,
            },
            attempts: 2,
            round: 0,
            state,
        }
    }

    fn attempts() -> Vec<Attempt> {
        let answer = EndpointAnswer {
            status: 503,
            retry_after: None,
            excerpt: "<h1>down\u{1b}".into(),
        };
        [
            Ok(answer.clone()),
            Err(DeliveryFailure::TimedOut),
            Ok(answer),
        ]
        .map(|result| Attempt {
            at: START,
            took: Duration::from_secs(15),
            result,
        })
        .into()
    }

    #[test]
    fn deliveries_are_filtered_by_endpoint_and_by_being_parked() {
        let all = DeliveriesQuery {
            endpoint: None,
            parked: false,
            offset: 0,
            length: 100,
            sort: Sort::Ascending,
        };
        assert_eq!(read(""), Ok(all));
        let some = DeliveriesQuery {
            endpoint: EndpointId::new(42),
            parked: true,
            offset: 5,
            length: 10,
            sort: Sort::Descending,
        };
        let text = "whkIdentifier=42&dlvStatus=Parked&offset=5&length=10&sort=desc&orderby=evtDate";
        assert_eq!(read(text), Ok(some));
        insta::assert_snapshot!(faults(read("whkIdentifier=0&dlvStatus=park&length=101&x=1")), @r"
        400 -
        length: must be a whole number from 1 to 100
        whkIdentifier: must be the number of an endpoint; GET /webhook/endpoint lists those you have
        dlvStatus: must be Parked, or left out
        x: is not an attribute of this request; leave it out
        ");
    }

    #[test]
    fn a_delivery_shows_its_event_where_it_stands_and_what_was_tried() {
        let reported = EventPayload::Transaction(Box::new(airtime().transaction()));
        let deliveries = [
            (delivery(reported, DeliveryState::Parked(START)), attempts()),
            (
                delivery(EventPayload::Ping, DeliveryState::Delivered(START)),
                Vec::new(),
            ),
            (
                delivery(EventPayload::Ping, DeliveryState::Due(START)),
                Vec::new(),
            ),
        ];
        let part = DeliveriesPart {
            deliveries: &deliveries,
            total: 9,
            found: 7,
        };
        let query = read("length=3").unwrap();
        insta::assert_snapshot!("deliveries", pretty(&view(part, &query, &lagos()).into()));
    }

    #[test]
    fn the_links_keep_the_filters_and_can_be_read_again() {
        let part = DeliveriesPart {
            deliveries: &[],
            total: 9,
            found: 9,
        };
        let query = read("whkIdentifier=42&dlvStatus=Parked&offset=2&length=2&sort=desc").unwrap();
        let header = link_header(part, &query);
        let without_offset = |query| DeliveriesQuery { offset: 0, ..query };
        let again = |attributes: &Attributes| parse(attributes, Handling::Strict);
        links_ask_for_the_same((DELIVERIES, &header), query, again, without_offset);
    }
}
