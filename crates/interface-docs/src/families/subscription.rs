//! Subscriptions. It must not document what no sample shows.

use crate::operation::{Operation, OperationFamily, Parameter, optional, required};
use crate::states::{Sample, lagos, sample};
use domain::bill::BillCategory;
use domain::order::Order;
use domain::recurring::{
    RecurringPayment, RecurringRunState, RecurringService, RecurringStatus, RunRefusal,
};
use domain::sms::MessageKind;
use domain::statement::Sort;
use testkit::builders::{airtime, at, recurring_of, reference};
use wire::attribute::{
    AMOUNT, BANK, BANK_ACCOUNT, BILLING, CARD_TOKEN, COUNTRY, CUSTOMER_PHONE, DISCO, DURATION,
    MESSAGE, MESSAGE_B, MESSAGE_TYPE, MESSAGE_TYPE_B, METER, NARRATION, NETWORK, PHONE, PHONE_B,
    PLAN, PROVIDER, PROVIDER_IDENTIFIER, REFERENCE, SENDER, SENDER_B, SMARTCARD, SUBSCRIBE,
    SUBSCRIBED_SERVICE, SUBSCRIPTION, SUBSCRIPTION_COUNT, SUBSCRIPTION_INTERVAL,
    SUBSCRIPTION_ON_FAILURE, SUBSCRIPTION_START, TRANSFER_AMOUNT, VERSION,
};
use wire::billing::subscription_runs::{self, RunsPart, ShownRun};
use wire::billing::subscriptions::{self, ShownSubscription, SubscriptionsPart};
use wire::page::{LENGTH_MAX, Paging};

const ID: &str = "7213340031";
const NUMBER: u64 = 7_213_340_031;

/// When the first run of the examples is due: it is over, so that a reader puts another one there.
const START: &str = "31-01-2026 09:00:00";

const PAGING: Paging<()> = Paging {
    offset: 0,
    length: LENGTH_MAX,
    order: None,
    sort: Sort::Ascending,
};

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "subscription",
        name: "Subscriptions",
        about: "Orders that are bought on a schedule: airtime, data, television, electricity and \
                other bills, messages, and transfers to banks, wallets and cards. Each run is a \
                payment of its own, at the price of its day, under the limits of the account.",
        operations: vec![
            create(),
            list(),
            runs(),
            change(
                ("pause", "pauseSubscription"),
                "Pause a subscription",
                PAUSED,
                "monthly-airtime-0",
            ),
            change(
                ("resume", "resumeSubscription"),
                "Resume a subscription",
                RESUMED,
                "monthly-cabletv-0",
            ),
            change(
                ("cancel", "cancelSubscription"),
                "Cancel a subscription",
                CANCELLED,
                "monthly-internet-0",
            ),
        ],
    }
}

const PAUSED: &str = "No run is bought until it is resumed. A run that is being paid for comes to \
                      its end; one that has failed is not bought again.";
const RESUMED: &str = "From the next run on: what was due while it was paused is skipped.";
const CANCELLED: &str = "No run is bought any more. What was bought stays as it is.";
const SEEN: &str = " Name it by `subIdentifier` or `mrcReference`. `version` is the one you have \
                    seen: where it has another by now, the answer is 409 and nothing is changed. \
                    With `If-Match` and the `ETag` of the subscription it is 412. What is so \
                    already is answered as it is.";

fn create() -> Operation {
    let mut described = Operation::post("/billing/subscription", "createSubscription", "Subscribe")
        .detailed(
            "`subService` says what is bought, and the other attributes are those of its own \
             operation, without a quote. The order is looked up as for a payment, and nothing is \
             charged before the first run. Run `n` is due `n - 1` intervals after `subStart`, \
             counted in the time zone of the account: a month without the day has its last one. A \
             run is bought once. While its payment is Pending it is not bought again, whatever \
             `subOnFailure` says; only where it has definitely failed, or was refused before a \
             payment existed, `retry` buys it again, three times at most and an hour apart, `skip` \
             waits for the next run, and `stop` ends the subscription. A run that cannot be bought \
             within 24 hours is skipped, and of several that were missed the latest alone is \
             bought. An account has 1,000 subscriptions at most that are not over. The answer has \
             an `ETag` with the `version`.",
        );
    for service in RecurringService::all() {
        for (nth, order) in orders(service).into_iter().enumerate() {
            let name = match (service, nth) {
                (_, 0) => service.service().code(),
                (RecurringService::Sms, _) => "sms, set B",
                (_, _) => "cabletv, a plan",
            };
            described = described.takes_as(name, with_schedule(service, (nth, order)));
        }
    }
    described
        .creates("Subscription", shown(201, "active", &made()))
        .creates("Subscription", shown(200, "ended", &ended()))
        .refused(&[404, 409, 502])
}

fn with_schedule(
    service: RecurringService,
    (nth, order): (usize, Vec<Parameter>),
) -> Vec<Parameter> {
    let code = service.service().code();
    let named = format!("monthly-{code}-{nth}").leak();
    let mut all = vec![
        required(&REFERENCE, named),
        required(&SUBSCRIBED_SERVICE, code).one_of(&[code]),
    ];
    all.extend(order);
    all.extend([
        required(&SUBSCRIPTION_INTERVAL, "month").one_of(&["day", "week", "month"]),
        required(&SUBSCRIPTION_START, START),
        optional(&SUBSCRIPTION_COUNT),
        required(&SUBSCRIPTION_ON_FAILURE, "retry").one_of(&["retry", "skip", "stop"]),
    ]);
    all
}

/// What the order of a service is made of, beside its reference.
fn orders(service: RecurringService) -> Vec<Vec<Parameter>> {
    vec![match service {
        RecurringService::Airtime => vec![
            required(&COUNTRY, "566"),
            required(&PHONE, "2348031234567"),
            required(&AMOUNT, "1,000.00"),
            required(&BILLING, "prepaid").one_of(&["prepaid", "postpaid"]),
            optional(&NETWORK),
        ],
        RecurringService::CableTv => return television(),
        RecurringService::Electricity => vec![
            required(&DISCO, "101"),
            required(&METER, "04123456789"),
            required(&AMOUNT, "5,000.00"),
            required(&BILLING, "prepaid").one_of(&["prepaid", "postpaid"]),
            optional(&CUSTOMER_PHONE),
        ],
        RecurringService::Internet => {
            vec![required(&PLAN, "30101"), required(&PHONE, "2348031234567")]
        }
        RecurringService::Sms => return messages(),
        RecurringService::Bank => vec![
            required(&BANK, "NGNIP000013"),
            required(&BANK_ACCOUNT, "0123476789"),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Rent"),
        ],
        RecurringService::MobileMoney => vec![
            required(&COUNTRY, "566"),
            required(&PROVIDER_IDENTIFIER, "901"),
            required(&PHONE, "2348031236789"),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Prize"),
        ],
        RecurringService::Card => vec![
            required(&CARD_TOKEN, "tok_visa_6789"),
            required(&TRANSFER_AMOUNT, "10,000.00"),
            required(&NARRATION, "Prize"),
        ],
        RecurringService::Bill(category) => bill(category),
    }]
}

fn television() -> Vec<Vec<Parameter>> {
    vec![
        vec![
            required(&PROVIDER, "201"),
            required(&SMARTCARD, "7012345678"),
            required(&SUBSCRIBE, "topup").one_of(&["topup"]),
            required(&AMOUNT, "2,500.00"),
            optional(&PLAN),
            optional(&DURATION),
            optional(&CUSTOMER_PHONE),
        ],
        vec![
            required(&PROVIDER, "201"),
            required(&SMARTCARD, "7012345678"),
            required(&SUBSCRIBE, "instant").one_of(&["instant"]),
            required(&PLAN, "20103"),
            required(&DURATION, "1"),
            optional(&AMOUNT),
            optional(&CUSTOMER_PHONE),
        ],
    ]
}

fn messages() -> Vec<Vec<Parameter>> {
    let words = MessageKind::ALL.map(MessageKind::code);
    vec![
        vec![
            required(&COUNTRY, "566"),
            required(&PHONE, "2348031234567"),
            required(&SENDER, "482913560177"),
            required(&MESSAGE_TYPE, "text").one_of(&words),
            required(&MESSAGE, "Your bill is due."),
        ],
        vec![
            required(&COUNTRY, "566"),
            required(&PHONE_B, "2348031234567"),
            required(&SENDER_B, "482913560177"),
            required(&MESSAGE_TYPE_B, "text").one_of(&words),
            required(&MESSAGE_B, "Your bill is due."),
        ],
    ]
}

fn bill(category: BillCategory) -> Vec<Parameter> {
    let mut all = super::bill::customer(category);
    all.extend([required(&AMOUNT, "5,000.00"), optional(&CUSTOMER_PHONE)]);
    let has_plans = category
        .definition()
        .billers
        .iter()
        .any(|it| !it.plans.is_empty());
    if has_plans {
        all.extend([optional(&PLAN), optional(&DURATION)]);
    }
    all
}

fn list() -> Operation {
    let (made, ended) = (made(), ended());
    let all = [view_of(&made), view_of(&ended)];
    let part = SubscriptionsPart {
        subscriptions: &all,
        total: 2,
    };
    let fields = subscriptions::view(part, &PAGING, &lagos());
    Operation::get(
        "/billing/subscription",
        "listSubscriptions",
        "List your subscriptions",
    )
    .detailed(
        "With `subIdentifier` or `mrcReference` the answer is that one subscription, with an \
             `ETag`.",
    )
    .takes([optional(&SUBSCRIPTION), optional(&REFERENCE)])
    .in_parts(&["subCreated"])
    .lists(
        "Subscriptions",
        vec![sample("all", "The subscriptions.", fields)],
    )
    .answers("Subscription", shown(200, "active", &made))
    .refused(&[404])
}

fn runs() -> Operation {
    let payment = airtime().transaction();
    let references = [1, 2, 3, 4].map(|run| reference(&format!("sub-{NUMBER}-{run}")));
    let refused = RecurringRunState::Refused(RunRefusal::Balance);
    let other = RecurringRunState::Refused(RunRefusal::Customer);
    let bought = RecurringRunState::Bought;
    let states = [
        (Some(bought), true),
        (None, false),
        (Some(refused), false),
        (Some(other), false),
    ];
    let all: Vec<_> = (1..)
        .zip(states.iter().zip(&references))
        .map(|(number, ((state, is_paid), reference))| ShownRun {
            number,
            due_at: at(u64::from(number) * 3_600),
            reference,
            state: *state,
            retries: if *state == Some(refused) { 3 } else { 0 },
            is_open: false,
            payment: is_paid.then_some(&payment),
        })
        .collect();
    let part = RunsPart {
        runs: &all,
        total: 4,
    };
    let number = made().terms.number;
    let fields = subscription_runs::view_runs((number, part), &PAGING, &lagos());
    Operation::get(
        "/billing/subscription/runs",
        "listRuns",
        "List the runs of a subscription",
    )
    .detailed(
        "Those that are over or in hand, by number. `runStatus` is that of the payment, whose \
             report is found by `mrcReference`; `Refused` or `Skipped` where there is none.",
    )
    .takes_as(
        "by number",
        [required(&SUBSCRIPTION, ID), optional(&REFERENCE)],
    )
    .takes_as(
        "by reference",
        [
            required(&REFERENCE, "monthly-airtime-0"),
            optional(&SUBSCRIPTION),
        ],
    )
    .in_parts(&["runNumber"])
    .lists("SubscriptionRuns", vec![sample("all", "The runs.", fields)])
    .refused(&[404])
}

fn change(
    (act, id): (&'static str, &'static str),
    summary: &'static str,
    about: &'static str,
    named: &'static str,
) -> Operation {
    let path: &'static str = format!("/billing/subscription/{act}").leak();
    let about: &'static str = format!("{about}{SEEN}").leak();
    Operation::post(path, id, summary)
        .detailed(about)
        .takes_as(
            "by number",
            [
                required(&SUBSCRIPTION, ID),
                optional(&REFERENCE),
                required(&VERSION, "1"),
            ],
        )
        .takes_as(
            "by reference",
            [
                required(&REFERENCE, named),
                optional(&SUBSCRIPTION),
                required(&VERSION, "1"),
            ],
        )
        .answers("Subscription", shown(200, "active", &made()))
        .refused(&[404, 409, 412])
}

fn order() -> Order {
    airtime().transaction().order
}

fn made() -> RecurringPayment {
    let mut made = recurring_of("shop", (NUMBER, "monthly-airtime-0"), order()).payment;
    made.terms.schedule.count = None;
    made
}

/// One whose runs are over.
fn ended() -> RecurringPayment {
    let mut ended = recurring_of("shop", (NUMBER, "monthly-airtime-0"), order()).payment;
    ended.progress.status = RecurringStatus::Ended;
    ended.progress.bought = 30;
    ended.progress.last_at = Some(at(90_000));
    ended
}

fn view_of(payment: &RecurringPayment) -> ShownSubscription<'_> {
    let next = payment.terms.schedule.start;
    ShownSubscription {
        payment,
        next: payment.progress.status.is_live().then_some(next),
    }
}

fn shown(status: u16, name: &'static str, payment: &RecurringPayment) -> Vec<Sample> {
    let fields = subscriptions::view_one(view_of(payment), &lagos());
    vec![Sample {
        status,
        ..sample(name, "The subscription.", fields)
    }]
}
