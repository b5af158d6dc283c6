//! `GET /tools/sandbox`: which numbers force which outcome in the sandbox.

use crate::attribute::SERVICE;
use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::order::Service;
use domain::sandbox::TestNumber;

/// Which test numbers are requested.
#[derive(Debug, Clone, Copy)]
pub struct TestNumbersQuery {
    service: Option<Service>,
    pub paging: Paging<OrderWord>,
}

const LAYOUT: Layout<TestNumber> = Layout {
    path: "/tools/sandbox",
    plural: "testNumbers",
    singular: "testNumber",
    orders: &[
        ListingOrder {
            word: "digits",
            compare: |one, other| one.digits().cmp(other.digits()),
        },
        ListingOrder {
            word: "outcome",
            compare: |one, other| one.code().cmp(other.code()),
        },
    ],
    entry: |test| view_one(*test),
};

/// What the sandbox does for each, and what a merchant sees.
const WORDS: [(TestNumber, &str, &str); 32] = [
    (
        TestNumber::Declined,
        "refuses",
        "200, Failed; the price is released",
    ),
    (
        TestNumber::DeliveredLater,
        "pending; delivers shortly after",
        "the answer waits for it: 200, Successful",
    ),
    (
        TestNumber::AnswerLost,
        "delivers; its answer is lost",
        "200, Successful: the provider was asked what became of it",
    ),
    (
        TestNumber::RequestLost,
        "never receives the request",
        "202, Pending; Failed once that is proven, or a person decides",
    ),
    (
        TestNumber::ServerError,
        "delivers; answers 500",
        "200, Successful: the provider was asked what became of it",
    ),
    (
        TestNumber::UnreadableAnswer,
        "does not deliver; its answer cannot be read",
        "202, Pending; Failed once that is proven, or a person decides",
    ),
    (
        TestNumber::Slow,
        "delivers after a while that is longer than a request waits",
        "202, Pending; then Successful",
    ),
    (
        TestNumber::OtherAmount,
        "answers with another amount",
        "202, Pending: a person decides",
    ),
    (
        TestNumber::Reversed,
        "delivers; takes it back shortly after",
        "200, Successful; then Reversed, and the price is returned",
    ),
    (
        TestNumber::Pending,
        "pending without end",
        "202, Pending; after a day a person decides",
    ),
    (
        TestNumber::DuplicateReference,
        "delivers; answers that the reference was used before",
        "200, Successful: the provider was asked what became of it",
    ),
    (
        TestNumber::Down,
        "cannot be reached",
        "200, Failed, and nothing was sent; 503 where something is looked up first",
    ),
    (
        TestNumber::TokenLater,
        "vends without the token, which comes shortly after",
        "200, Successful with the token, or 202 until it is there",
    ),
    (
        TestNumber::UnknownCustomer,
        "does not know the customer",
        "200, Failed; 404 where the customer is looked up first",
    ),
    (
        TestNumber::Undelivered,
        "sends; the message, or a part of it, cannot be delivered",
        "200, Successful; dlvStatus ends Undelivered, of WhatsApp and RCS Failed, with \
         smsFallback Delivered",
    ),
    (
        TestNumber::Expired,
        "sends; the handset is not reached in time",
        "200, Successful; dlvStatus Buffered, then Expired",
    ),
    (
        TestNumber::Buffered,
        "sends; the network keeps the message for the handset",
        "200, Successful; dlvStatus stays Buffered",
    ),
    (
        TestNumber::AccountRefused,
        "refuses, for the account of the gateway there is spent",
        "200, Failed; the message says that the service is not available",
    ),
    (
        TestNumber::Busy,
        "refuses, for it is too busy",
        "200, Failed; the message says that the service is not available",
    ),
    (
        TestNumber::Lookalike,
        "refuses, for it looks like an earlier order",
        "200, Failed; the price is released",
    ),
    (
        TestNumber::Ported,
        "as a register: ported to Airtel",
        "airtime without network: Airtel, where the sandbox is asked",
    ),
    (
        TestNumber::PortedElsewhere,
        "as a register: ported, and not known to which network",
        "airtime without network: 400, code 820, where the sandbox is asked",
    ),
    (
        TestNumber::SlowRegister,
        "as a register: answers after a while that is longer than a lookup waits",
        "airtime without network: the holder of the block",
    ),
    (
        TestNumber::WalletClosed,
        "keeps the wallet closed",
        "enquiry: accountStatus unavailable; transfer: 404",
    ),
    (
        TestNumber::Unread,
        "sends; the person does not look at the message",
        "200, Successful; dlvStatus stays Delivered",
    ),
    (
        TestNumber::NoAnswer,
        "calls; no person answers",
        "200, Failed; dlvStatus NoAnswer, the price is released",
    ),
    (
        TestNumber::LineBusy,
        "calls; the line is busy",
        "200, Failed; dlvStatus Busy, the price is released",
    ),
    (
        TestNumber::KeyPressed,
        "calls; the person answers and presses 1",
        "200, Successful; digits 1",
    ),
    (
        TestNumber::Replies,
        "sends; the person replies",
        "200, Successful; the reply in /messaging/incoming, and an event message.received",
    ),
    (
        TestNumber::ConversationClosed,
        "sends templates; the person has not written to the sender within 24 hours",
        "text and media: 400; template: 200, Successful",
    ),
    (
        TestNumber::NoRecord,
        "looks up; there is no record of the number",
        "200, Failed; lkpStatus noRecord, the price is released",
    ),
    (
        TestNumber::Unreachable,
        "looks up; the device is out of reach",
        "200, Failed; lkpStatus unreachable, the price is released",
    ),
];

/// The words of `service`, for its documentation.
pub fn services() -> Vec<&'static str> {
    words().into_iter().map(|(word, _)| word).collect()
}

fn words() -> Vec<(&'static str, Service)> {
    let served = Service::all().filter(|service| service.has_provider());
    served.map(|service| (service.code(), service)).collect()
}

/// Reads which are requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<TestNumbersQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let service = reader.choice(&SERVICE, &words());
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| {
        Ok(TestNumbersQuery {
            service: service?,
            paging: paging?,
        })
    })
}

/// The test numbers of a query.
pub fn listing(query: &TestNumbersQuery) -> Listing<TestNumber> {
    let of = |test: &TestNumber| query.service.is_none_or(|service| test.is_of(service));
    Listing {
        found: TestNumber::ALL.into_iter().filter(of).collect(),
        total: TestNumber::ALL.len(),
    }
}

/// A page of the list.
pub fn view(query: &TestNumbersQuery) -> Object {
    LAYOUT.view(&listing(query), &query.paging)
}

/// The `Link` header of the answer.
pub fn link_header(query: &TestNumbersQuery) -> String {
    let filters = query
        .service
        .map(|service| (&SERVICE, service.code().to_owned()));
    let filters: Vec<_> = filters.into_iter().collect();
    LAYOUT.link_header((&listing(query), &query.paging), &filters)
}

fn view_one(test: TestNumber) -> Object {
    let services = Service::all().filter(|service| test.is_of(*service));
    let services = services.map(|service| service.code().to_owned());
    let (provider, answer) = words_of(test);
    Object::new()
        .with("outcome", test.code())
        .with("digits", test.digits())
        .with("services", Node::texts("service", services))
        .with("effect", provider)
        .with("answer", answer)
        .with("canSimulate", super::simulate::is_simulated(test))
}

/// What the sandbox does, and what a merchant sees.
fn words_of(test: TestNumber) -> (&'static str, &'static str) {
    let mut all = WORDS.iter();
    let found = all.find(|(of, ..)| *of == test);
    found.map_or(("", ""), |(_, effect, answer)| (effect, answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, pretty, query};

    #[test]
    fn test_numbers_of_a_service_are_listed_by_their_digits() {
        let query = parse(&query("service=sms&offset=10&length=3"), Handling::Strict).unwrap();
        insta::assert_snapshot!(pretty(&view(&query).into()));
        assert!(link_header(&query).contains("service=sms"));
    }

    #[test]
    fn every_test_number_is_explained() {
        assert_eq!(WORDS.map(|(test, ..)| test), TestNumber::ALL);
    }

    #[test]
    fn a_service_without_a_provider_is_refused() {
        insta::assert_snapshot!(faults(parse(&query("service=wallet"), Handling::Lenient)));
    }
}
