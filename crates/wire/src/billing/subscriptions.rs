//! `/billing/subscription` and what is below it. An order must be read by the parser of its family,
//! and a run be shown as bought only where its payment is there.

use crate::attribute::{self, Attribute};
use crate::attributes::Attributes;
use crate::bill;
use crate::format;
use crate::page::{self, Paging};
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::service_code::ServiceCode;
use crate::tree::{Node, Object};
use crate::violations::Violations;
use crate::zone::Zone;
use domain::bill::BillCategory;
use domain::recurring::{
    NewRecurring, OnRunFailure, RECURRING_RUNS_MAX, RecurringInterval, RecurringOrder,
    RecurringPayment, RecurringRunState, RecurringSchedule, RecurringService, RecurringVersion,
    RunRefusal,
};
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use domain::transaction::Transaction;

const PATH: &str = "/billing/subscription";

/// The only order: by the moment they were made.
const ORDERS: [(&str, ()); 1] = [("subCreated", ())];

/// The only order of runs: by number.
const RUN_ORDERS: [(&str, ()); 1] = [("runNumber", ())];

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
const ORDERED: [&Attribute; 23] = [
    &attribute::COUNTRY,
    &attribute::PHONE,
    &attribute::AMOUNT,
    &attribute::BILLING,
    &attribute::NETWORK,
    &attribute::PROVIDER,
    &attribute::SUBSCRIBE,
    &attribute::PLAN,
    &attribute::DURATION,
    &attribute::CUSTOMER_PHONE,
    &attribute::DISCO,
    &attribute::SENDER,
    &attribute::MESSAGE_TYPE,
    &attribute::MESSAGE,
    &attribute::PHONE_B,
    &attribute::SENDER_B,
    &attribute::MESSAGE_TYPE_B,
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

/// A run that is over or in hand.
#[derive(Debug, Clone, Copy)]
pub struct ShownRun<'a> {
    pub number: u32,
    pub due_at: Timestamp,
    pub reference: &'a MerchantReference,
    /// Where it stands; `None` of one that was skipped.
    pub state: Option<RecurringRunState>,
    /// How often it was begun again.
    pub retries: u8,
    /// Whether it is in hand.
    pub is_open: bool,
    pub payment: Option<&'a Transaction>,
}

/// A page of the runs of a subscription.
#[derive(Debug, Clone, Copy)]
pub struct RunsPart<'a> {
    pub runs: &'a [ShownRun<'a>],
    /// The number of runs that are over or in hand.
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

/// Reads whose runs are requested.
pub fn parse_runs(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(NamedSubscription, Paging<()>), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = name(&mut reader);
    let paging = Paging::read(&mut reader, &RUN_ORDERS);
    reader.finish(|| Ok((name?, paging?)))
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

fn name(reader: &mut FieldReader<'_>) -> Result<NamedSubscription, InvalidField> {
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
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    let number = number.and_then(|number| TransactionNumber::try_new(number).ok());
    number.ok_or("must be the number of a subscription; GET /billing/subscription lists yours")
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

/// A page of the runs.
pub fn view_runs(
    (number, part): (TransactionNumber, RunsPart<'_>),
    query: &Paging<()>,
    zone: &Zone,
) -> Object {
    let runs = part.runs.iter().map(|run| view_run(run, zone));
    Object::new()
        .with("subIdentifier", number.get())
        .with("runs", Node::objects("run", runs))
        .with("metadata", page::metadata(part.runs.len()))
        .with("query", page::query(&query.window(part.total)))
}

fn view_run(run: &ShownRun<'_>, zone: &Zone) -> Object {
    let refusal = run.state.and_then(RecurringRunState::refusal);
    let refusal = refusal.filter(|_| run.payment.is_none());
    let code = refusal.and_then(service_code).map(ServiceCode::number);
    Object::new()
        .with("runNumber", u64::from(run.number))
        .with("runDue", zone.date_time(run.due_at))
        .with("mrcReference", run.reference.as_str())
        .with("runStatus", run_status(run))
        .with("runRetries", u64::from(run.retries))
        .with("runCode", code.map(u64::from))
        .with("runReason", refusal.map(reason))
        .with("txnReference", run.payment.map(|it| it.number.get()))
}

/// What became of a run: the status of its payment, where there is one.
fn run_status(run: &ShownRun<'_>) -> &'static str {
    match (run.payment, run.state) {
        (Some(payment), _) => format::status(payment.status()),
        (None, Some(RecurringRunState::Refused(_))) => "Refused",
        (None, Some(RecurringRunState::Begun | RecurringRunState::Bought)) if run.is_open => {
            "Pending"
        }
        (
            None,
            None
            | Some(
                RecurringRunState::Begun
                | RecurringRunState::Bought
                | RecurringRunState::Failed
                | RecurringRunState::Missed,
            ),
        ) => "Skipped",
    }
}

const fn service_code(why: RunRefusal) -> Option<ServiceCode> {
    match why {
        RunRefusal::Balance => Some(ServiceCode::AccountBalance),
        RunRefusal::Limit | RunRefusal::Amount => Some(ServiceCode::Amount),
        RunRefusal::Product => Some(ServiceCode::ServiceProvider),
        RunRefusal::Sender => Some(ServiceCode::SenderId),
        RunRefusal::Customer | RunRefusal::Reference | RunRefusal::Settled | RunRefusal::Other => {
            None
        }
    }
}

const fn reason(why: RunRefusal) -> &'static str {
    match why {
        RunRefusal::Balance => "the balance did not cover the price",
        RunRefusal::Limit => "a limit of the account did not allow it",
        RunRefusal::Amount => "the amount is not one that may be bought any more",
        RunRefusal::Customer => "the provider does not know the customer any more",
        RunRefusal::Product => "what is ordered is not sold any more",
        RunRefusal::Sender => "the sender of the message is not approved",
        RunRefusal::Reference => "another payment of yours has the reference of the run",
        RunRefusal::Settled => "it was delivered before the database was restored, and settled",
        RunRefusal::Other => "it cannot be bought",
    }
}

/// The `Link` header of a page of subscriptions (RFC 8288).
pub fn link_header(part: SubscriptionsPart<'_>, query: &Paging<()>) -> String {
    query.link_header(PATH, part.total)
}

/// The `Link` header of a page of runs.
pub fn runs_link_header(number: TransactionNumber, query: &Paging<()>, total: u64) -> String {
    let name = attribute::SUBSCRIPTION.name;
    query.link_header_of(&format!("{PATH}/runs?{name}={number}"), total)
}

/// The address of a subscription, for `Location`.
pub fn path(number: TransactionNumber) -> String {
    format!("{PATH}?{}={number}", attribute::SUBSCRIPTION.name)
}

/// The address of the subscription of a reference, for `Location`.
pub fn path_of_reference(reference: &MerchantReference) -> String {
    format!("{PATH}?{}={reference}", attribute::REFERENCE.name)
}
