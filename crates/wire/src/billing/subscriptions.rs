//! `/billing/subscription` and what is below it. An order must be read by the parser of its family,
//! and a run be shown as bought only where its payment is there.

use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::bill;
use crate::page::{self, Paging};
use crate::reader::{BILLINGS, FieldReader, Handling, InvalidField};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::BillCategory;
use domain::recurring::{
    NewRecurring, OnRunFailure, RECURRING_RUNS_MAX, RecurringInterval, RecurringOrder,
    RecurringPayment, RecurringSchedule, RecurringService, RecurringVersion,
};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::sms::MessageKind;
use domain::time::Timestamp;

pub(super) const PATH: &str = "/billing/subscription";

/// The only order: by the moment they were made.
const ORDERS: [(&str, ()); 1] = [("subCreated", ())];

const INTERVALS: [(&str, RecurringInterval); 3] = [
    (RecurringInterval::Day.code(), RecurringInterval::Day),
    (RecurringInterval::Week.code(), RecurringInterval::Week),
    (RecurringInterval::Month.code(), RecurringInterval::Month),
];

const FAILURES: [(&str, OnRunFailure); 3] = [
    (OnRunFailure::Retry.code(), OnRunFailure::Retry),
    (OnRunFailure::Skip.code(), OnRunFailure::Skip),
    (OnRunFailure::Stop.code(), OnRunFailure::Stop),
];

/// The attributes of a subscription itself; every other one is of its order.
const OWN: [&str; 5] = [
    attribute::SUBSCRIBED_SERVICE.name,
    attribute::SUBSCRIPTION_INTERVAL.name,
    attribute::SUBSCRIPTION_START.name,
    attribute::SUBSCRIPTION_COUNT.name,
    attribute::SUBSCRIPTION_ON_FAILURE.name,
];

/// The attributes that orders may have.
const ORDERED: [&Attribute; 19] = [
    &attribute::COUNTRY,
    &attribute::PHONE,
    &attribute::AMOUNT,
    &attribute::NETWORK,
    &attribute::PROVIDER,
    &attribute::PLAN,
    &attribute::DURATION,
    &attribute::CUSTOMER_PHONE,
    &attribute::DISCO,
    &attribute::SENDER,
    &attribute::MESSAGE,
    &attribute::PHONE_B,
    &attribute::SENDER_B,
    &attribute::MESSAGE_B,
    &attribute::BANK,
    &attribute::BANK_ACCOUNT,
    &attribute::TRANSFER_AMOUNT,
    &attribute::NARRATION,
    &attribute::CARD_TOKEN,
];

/// How a request names a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedSubscription {
    Number(TransactionNumber),
    Reference(MerchantReference),
}

/// The subscriptions that are requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionsQuery {
    /// The one that is requested; without it, a page of all of them.
    pub only: Option<NamedSubscription>,
    pub paging: Paging<()>,
}

/// A subscription, and when its next run is due.
#[derive(Debug, Clone, Copy)]
pub struct ShownSubscription<'a> {
    pub payment: &'a RecurringPayment,
    pub next: Option<Timestamp>,
}

/// A page of the subscriptions of an account.
#[derive(Debug, Clone, Copy)]
pub struct SubscriptionsPart<'a> {
    pub subscriptions: &'a [ShownSubscription<'a>],
    /// The number of subscriptions of the account.
    pub total: u64,
}

/// Reads a subscription; its order is read by the parser of its service, from the attributes that
/// are not of the subscription itself.
pub fn parse(
    attributes: &Attributes,
    (handling, zone): (Handling, &Zone),
    order: impl FnOnce(RecurringService, &Attributes) -> Result<RecurringOrder, Violations>,
) -> Result<NewRecurring, Violations> {
    let own = attributes.with_names(|name| OWN.contains(&name));
    let mut reader = FieldReader::new(&own, handling);
    let service = reader.required(&attribute::SUBSCRIBED_SERVICE, service);
    let interval = reader.word(&attribute::SUBSCRIPTION_INTERVAL, &INTERVALS);
    let start = reader.required(&attribute::SUBSCRIPTION_START, |text| zone.parse(text));
    let runs = 1..=u64::from(RECURRING_RUNS_MAX);
    let count = reader.integer(&attribute::SUBSCRIPTION_COUNT, runs);
    let on_failure = reader.word(&attribute::SUBSCRIPTION_ON_FAILURE, &FAILURES);
    let order = match service {
        Ok(service) => ordered(attributes, service, order),
        Err(_) => Err(without_service(attributes, handling)),
    };
    let (order, of_order) = match order {
        Ok(order) => (Some(order), Violations::default()),
        Err(violations) => (None, violations),
    };
    let own = reader.finish(|| {
        let _ = service?;
        Ok((interval?, start?, count?, on_failure?))
    });
    match (own, order) {
        (Ok((interval, start, count, on_failure)), Some(order)) => Ok(NewRecurring {
            order,
            schedule: RecurringSchedule {
                interval,
                start,
                count: count.and_then(|count| u32::try_from(count).ok()),
            },
            on_failure,
        }),
        (Ok(_), None) => Err(of_order),
        (Err(own), _) => Err(of_order.and(own)),
    }
}

/// The order of a run. What goes by a quote of minutes or by one bill cannot be bought again.
fn ordered(
    attributes: &Attributes,
    service: RecurringService,
    order: impl FnOnce(RecurringService, &Attributes) -> Result<RecurringOrder, Violations>,
) -> Result<RecurringOrder, Violations> {
    let of_order = attributes.with_names(|name| !OWN.contains(&name));
    let mut wrong = Violations::default();
    if attributes.get(attribute::QUOTE.name).is_some() {
        let message = "is honoured for minutes, and each run is charged the price of its day; \
                       leave it out";
        wrong.add(&attribute::QUOTE, message.to_owned());
    }
    let is_of_bill = matches!(service, RecurringService::Bill(_));
    if is_of_bill && attributes.get(attribute::BILL_REFERENCE.name).is_some() {
        let message = "names one bill, and each run pays the one that is open then; leave it out";
        wrong.add(&attribute::BILL_REFERENCE, message.to_owned());
    }
    match order(service, &of_order) {
        Ok(order) if wrong.is_empty() => Ok(order),
        Ok(_) => Err(wrong),
        Err(violations) => Err(violations.and(wrong)),
    }
}

/// What is wrong beside the service. Which of the attributes of orders belong to it is not known
/// then, so that none of them is refused.
fn without_service(attributes: &Attributes, handling: Handling) -> Violations {
    let of_order = attributes.with_names(|name| !OWN.contains(&name));
    let mut reader = FieldReader::new(&of_order, handling);
    let reference = reader.reference();
    let _ = reader.choice(&attribute::BILLING, &BILLINGS);
    let _ = reader.choice(&attribute::SUBSCRIBE, &[("instant", ()), ("topup", ())]);
    let kinds = MessageKind::ALL.map(|kind| (kind.code(), ()));
    for attribute in [&attribute::MESSAGE_TYPE, &attribute::MESSAGE_TYPE_B] {
        let _ = reader.choice(attribute, &kinds);
    }
    for attribute in ORDERED {
        let _ = reader.optional(attribute, |_| Ok::<_, String>(()));
    }
    for field in BillCategory::all().flat_map(|category| category.definition().fields) {
        let _ = reader.optional(&bill::field(field), |_| Ok::<_, String>(()));
    }
    let read = reader.finish(|| reference.map(drop));
    read.err().unwrap_or_default()
}

/// Reads which subscriptions are requested.
pub fn parse_list(
    attributes: &Attributes,
    handling: Handling,
) -> Result<SubscriptionsQuery, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let only = optional_name(&mut reader);
    let paging = Paging::read(&mut reader, &ORDERS);
    reader.finish(|| {
        Ok(SubscriptionsQuery {
            only: only?,
            paging: paging?,
        })
    })
}

/// Reads which subscription is changed, from which version.
pub fn parse_change(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(NamedSubscription, RecurringVersion), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = name(&mut reader);
    let version = reader.required(&attribute::VERSION, |text| {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let version = text.parse().ok().filter(|_| digits);
        version.and_then(RecurringVersion::new).ok_or(
            "must be the version of the subscription as you have seen it, from 1 to 4294967295",
        )
    });
    reader.finish(|| Ok((name?, version?)))
}

pub(super) fn name(reader: &mut FieldReader<'_>) -> Result<NamedSubscription, InvalidField> {
    match optional_name(reader)? {
        Some(name) => Ok(name),
        None => reader
            .required(&attribute::SUBSCRIPTION, number)
            .map(NamedSubscription::Number),
    }
}

/// By its number, or by the merchant's reference where no number is sent.
fn optional_name(reader: &mut FieldReader<'_>) -> Result<Option<NamedSubscription>, InvalidField> {
    let number = reader.optional(&attribute::SUBSCRIPTION, number);
    let reference = reader.optional(&attribute::REFERENCE, MerchantReference::parse);
    let (number, reference) = (number?, reference?);
    let number = number.map(NamedSubscription::Number);
    Ok(number.or(reference.map(NamedSubscription::Reference)))
}

fn number(text: &str) -> Result<TransactionNumber, &'static str> {
    crate::transaction::number(text)
        .ok_or("must be the number of a subscription; GET /billing/subscription lists yours")
}

fn service(text: &str) -> Result<RecurringService, String> {
    let mut all = RecurringService::all();
    let named = all.find(|it| it.service().code().eq_ignore_ascii_case(text));
    named.ok_or_else(|| {
        let words: Vec<_> = RecurringService::all()
            .map(|it| it.service().code())
            .collect();
        format!("must be one of {}", words.join(", "))
    })
}

/// A subscription.
pub fn view_one(shown: ShownSubscription<'_>, zone: &Zone) -> Object {
    let (terms, progress) = (&shown.payment.terms, &shown.payment.progress);
    let moment = |at: Option<Timestamp>| at.map(|at| zone.date_time(at));
    Object::new()
        .with("mrcReference", terms.reference.as_str())
        .with("subIdentifier", terms.number.get())
        .with("subService", terms.order.service().code())
        .with("subOrder", terms.order.narration())
        .with("subStatus", progress.status.code())
        .with("subInterval", terms.schedule.interval.code())
        .with("subStart", zone.date_time(terms.schedule.start))
        .with("subCount", terms.schedule.count.map(u64::from))
        .with("subOnFailure", terms.on_failure.code())
        .with("subNext", moment(shown.next))
        .with("subLast", moment(progress.last_at))
        .with("subRuns", u64::from(progress.bought))
        .with("subCreated", zone.date_time(terms.created_at))
        .with("version", u64::from(shown.payment.version.get()))
}

/// A page of the subscriptions.
pub fn view(part: SubscriptionsPart<'_>, query: &Paging<()>, zone: &Zone) -> Object {
    let all = part.subscriptions.iter().map(|it| view_one(*it, zone));
    Object::new()
        .with("subscriptions", Node::objects("subscription", all))
        .with("metadata", page::metadata(part.subscriptions.len()))
        .with("query", page::query(&query.window(part.total)))
}

/// The `Link` header of a page of subscriptions (RFC 8288).
pub fn link_header(part: SubscriptionsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The address of a subscription, for `Location`.
pub fn path(number: TransactionNumber) -> String {
    format!("{PATH}?{}={number}", attribute::SUBSCRIPTION.name)
}

/// The address of the subscription of a reference, for `Location`.
pub fn path_of_reference(reference: &MerchantReference) -> String {
    format!("{PATH}?{}={reference}", attribute::REFERENCE.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::electricity::pay;
    use crate::fixtures::{body, faults, lagos, pretty, query};
    use domain::money::Currency;
    use testkit::builders::{at, recurring, reference};

    const GOOD: [(&str, &str); 9] = [
        ("mrcReference", "\"monthly\""),
        ("subService", "\"Electricity\""),
        ("disco", "\"101\""),
        ("number", "\"04123456789\""),
        ("amount", "\"5,000.00\""),
        ("billing", "\"prepaid\""),
        ("subInterval", "\"month\""),
        ("subStart", "\"31-01-2026 09:00:00\""),
        ("subOnFailure", "\"retry\""),
    ];

    fn read(pairs: &[(&str, &str)]) -> Result<NewRecurring, Violations> {
        let order = |_, attributes: &Attributes| {
            let read = pay::parse(attributes, Handling::Strict, Currency::Ngn);
            read.map(RecurringOrder::Electricity)
        };
        parse(&body(pairs), (Handling::Strict, &lagos()), order)
    }

    #[test]
    fn a_subscription_is_read_with_the_order_of_its_service() {
        let wanted = read(&GOOD).unwrap();
        assert_eq!(wanted.order.reference(), &reference("monthly"));
        assert_eq!(wanted.order.service(), RecurringService::Electricity);
        assert_eq!(wanted.schedule.interval, RecurringInterval::Month);
        assert_eq!(wanted.schedule.count, None);
        let counted = [GOOD.as_slice(), &[("subCount", "12")]].concat();
        assert_eq!(read(&counted).unwrap().schedule.count, Some(12));
    }

    #[test]
    fn everything_that_is_wrong_is_named_at_once() {
        insta::assert_snapshot!(faults(read(&[("x", "1"), ("disco", "\"101\"")])), @r"
        400 -
        mrcReference: is required; add it to the body
        x: is not an attribute of this request; leave it out
        subService: is required; add it to the body
        subInterval: is required; add it to the body
        subStart: is required; add it to the body
        subOnFailure: is required; add it to the body
        ");
        let wrong = [
            ("mrcReference", "\"a b\""),
            ("subService", "\"electricity\""),
            ("disco", "\"x\""),
            ("number", "\"1\""),
            ("amount", "0"),
            ("billing", "\"cash\""),
            ("subInterval", "\"year\""),
            ("subCount", "0"),
            ("subOnFailure", "\"hope\""),
            ("x", "1"),
        ];
        insta::assert_snapshot!(faults(read(&wrong)), @r"
        400 820
        mrcReference: must be 1 to 64 characters out of A-Z a-z 0-9 . _ : -
        disco: must be the identifier of a distribution company, 1 to 9 digits
        number: must be a meter or account number of 6 to 15 digits
        amount: must be an amount above zero, such as 1234.00
        billing: must be prepaid or postpaid
        x: is not an attribute of this request; leave it out
        subInterval: must be day or week or month
        subStart: is required; add it to the body
        subCount: must be a whole number from 1 to 3660
        subOnFailure: must be retry or skip or stop
        ");
        let quoted = [GOOD.as_slice(), &[("qteIdentifier", "\"qte_x\"")]].concat();
        let quoted = faults(read(&quoted));
        assert!(
            quoted.contains("qteIdentifier: is honoured for minutes"),
            "{quoted}"
        );
        let change = |pairs| parse_change(&body(pairs), Handling::Strict);
        insta::assert_snapshot!(faults(change(&[("x", "1")])), @r"
        400 -
        subIdentifier: is required; add it to the body
        version: is required; add it to the body
        x: is not an attribute of this request; leave it out
        ");
        let listed = parse_list(&query("orderby=amount&subIdentifier=x"), Handling::Strict);
        insta::assert_snapshot!(faults(listed), @r"
        400 -
        subIdentifier: must be the number of a subscription; GET /billing/subscription lists yours
        orderby: must be subCreated, or left out
        ");
    }

    #[test]
    fn a_subscription_shows_its_order_and_its_next_run() {
        let payment = recurring("shop", 7, "daily").payment;
        let shown = ShownSubscription {
            payment: &payment,
            next: Some(at(60)),
        };
        insta::assert_snapshot!(pretty(&view_one(shown, &lagos()).into()), @r#"
        {
          mrcReference: "daily"
          subIdentifier: 7
          subService: "airtime"
          subOrder: "Airtime MTN 2348031234567"
          subStatus: "Active"
          subInterval: "day"
          subStart: "15-01-2026 10:01:00"
          subCount: 30
          subOnFailure: "retry"
          subNext: "15-01-2026 10:01:00"
          subLast: null
          subRuns: 0
          subCreated: "15-01-2026 10:00:00"
          version: 1
        }
        "#);
        assert_eq!(
            path(payment.terms.number),
            "/billing/subscription?subIdentifier=7"
        );
    }
}
