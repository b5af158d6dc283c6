//! Checkout sessions. It must not document what no sample shows.

use crate::operation::{
    Operation, OperationFamily, Parameter, optional, optional_objects, required,
};
use crate::states::{Sample, lagos, sample};
use domain::collection::{
    CheckoutTerms, Collection, CollectionAdmission, CollectionKind, CollectionPaid,
    CollectionPayer, CollectionState, SALE_ITEMS_MAX,
};
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use domain::statement::Sort;
use domain::time::Timestamp;
use testkit::builders::{START, checkout, collected, naira, receiving_account, reference};
use wire::attribute::{
    AMOUNT, CHECKOUT_CHANNELS, CHECKOUT_EXPIRES, CURRENCY, CUSTOMER_EMAIL, CUSTOMER_NAME,
    CUSTOMER_TELEPHONE, ITEM_NAME, ITEM_QUANTITY, ITEMS, REDIRECT_URL, REFERENCE, VERSION,
};
use wire::checkout::{self as view, ShownCheckout, TRANSFER};
use wire::collection::CollectionContext;
use wire::page::{LENGTH_MAX, Paging};
use wire::tree::Object;

const NUMBER: u64 = 7_213_340_031;
const ORDER: &str = "order-2026-0001";
const ORDER_BY_PHONE: &str = "order-2026-0002";
const REDIRECT: &str = "https://shop.example/orders";

/// The last day of 2029.
const END: Timestamp = Timestamp::from_millis(1_893_366_000_000);

const OPENED: &str = "The session is open; send your customer to chkUrl.";
const SHOWN: &str = "The checkout session.";
const CANCELLED: &str = "The session is cancelled; what arrives is credited still.";

pub(super) fn family() -> OperationFamily {
    OperationFamily {
        stem: "checkout",
        name: "Checkout",
        about: "A page of the gateway on which your customer pays you: you open a session, send \
                the customer to `chkUrl`, and ask for the session afterwards. What arrives is \
                credited to the balance, once for each session of the bank, less what the \
                operator charges.",
        operations: vec![open(), list(), report(), cancel()],
    }
}

fn open() -> Operation {
    Operation::post("/checkout/session", "openCheckoutSession", "Open a session")
        .detailed(
            "`chkUrl` is the page for your customer, who transfers `amount` to the account on it \
             and gives `colReference` with the transfer. The customer comes back to `redirectUrl` \
             with `chkIdentifier` and `chkSignature`, and nothing else: the signature is \
             HMAC-SHA-256 of the characters of `chkIdentifier` under those of `chkSecret`, in \
             hexadecimal. It says who sent the customer, not that anything was paid: ask for the \
             session. With less than `amount` the session stays Open; more is credited too. \
             Without `chkExpires` it ends after 24 hours, at most after 30 days; what arrives \
             later is credited all the same. `items` add up to `amount`. Of a test account the \
             page has buttons that pay, and `POST /collection/simulate` pays with `chkIdentifier` \
             as `colIdentifier`.",
        )
        .takes_as("A customer with an address", wanted(true))
        .takes_as("A customer with a telephone alone", wanted(false))
        .creates("OpenedCheckout", opened())
        .refused(&[409])
}

/// What a session says of a customer who is reached by mail, or by telephone.
fn wanted(has_email: bool) -> Vec<Parameter> {
    let contact = if has_email {
        vec![
            required(&CUSTOMER_EMAIL, "ada@example.com"),
            optional(&CUSTOMER_TELEPHONE),
        ]
    } else {
        vec![required(&CUSTOMER_TELEPHONE, "2348031234567")]
    };
    let sale = [
        required(&REFERENCE, if has_email { ORDER } else { ORDER_BY_PHONE }),
        required(&AMOUNT, "5,000.00"),
        required(&CURRENCY, "NGN").one_of(&["NGN"]),
        required(&CHECKOUT_CHANNELS, TRANSFER).one_of(&[TRANSFER]),
        required(&REDIRECT_URL, REDIRECT),
    ];
    let rest = [
        optional(&CUSTOMER_NAME),
        optional(&CHECKOUT_EXPIRES),
        optional_objects(
            &ITEMS,
            SALE_ITEMS_MAX,
            [
                required(&ITEM_NAME, "Yam"),
                required(&ITEM_QUANTITY, "2"),
                required(&AMOUNT, "2,500.00"),
            ],
        ),
    ];
    sale.into_iter().chain(contact).chain(rest).collect()
}

fn list() -> Operation {
    let all = [session(200_000), least()];
    let fields = in_context(true, |context| {
        let shown: Vec<_> = all.iter().filter_map(shown).collect();
        view::view(&shown, (&paging(), 2), context)
    });
    Operation::get(
        "/checkout/session",
        "listCheckoutSessions",
        "List your sessions",
    )
    .in_parts(&["txnDate"])
    .lists(
        "CheckoutSessions",
        vec![sample("all", "The checkout sessions.", fields)],
    )
}

fn report() -> Operation {
    let path = "/checkout/session/transaction";
    let of = |name, state: &CollectionState, payer: Option<CollectionPayer>| {
        let last = payer.map(|payer| domain::collection::CollectedPayment {
            payer,
            ..collected(&state.collection, (7_213_340_032, "s-1"), "5,500.00")
        });
        let fields = in_context(true, |context| {
            shown(state).map_or_else(Object::new, |it| {
                view::view_report(it, last.as_ref(), context)
            })
        });
        sample(name, SHOWN, fields)
    };
    let payer = collected(&session(0).collection, (1, "s-1"), "1.00").payer;
    Operation::get(path, "reportCheckoutSession", "Show a session")
        .detailed(
            "`payDate`, `payerName` and `payerBank` are of the last payment. The answer has an \
             `ETag` with the `version`.",
        )
        .takes([required(&REFERENCE, ORDER)])
        .answers(
            "CheckoutReport",
            vec![
                of("open", &session(0), None),
                of("in part", &session(200_000), Some(payer.clone())).unseen(),
                of("paid", &session(550_000), Some(payer)).unseen(),
                of("unnamed", &least(), Some(CollectionPayer::default())).unseen(),
            ],
        )
        .refused(&[404])
}

fn cancel() -> Operation {
    let state = cancelled(session(200_000));
    let least = cancelled(least());
    Operation::post(
        "/checkout/cancel",
        "cancelCheckoutSession",
        "Cancel a session",
    )
    .detailed(
        "The page says that the session is cancelled. A transfer that a bank carries out all \
             the same is credited. One that is paid or over is not cancelled: 409. `version` is \
             the one you have seen: where the session has another by now, the answer is 409; with \
             `If-Match` and its `ETag` it is 412. Doing it again is answered as done.",
    )
    .takes([required(&REFERENCE, ORDER), optional(&VERSION)])
    .answers(
        "CheckoutSession",
        vec![
            sample("cancelled", CANCELLED, one(&state, true)),
            sample("least", CANCELLED, one(&least, false)).unseen(),
        ],
    )
    .refused(&[404, 409, 412])
}

fn opened() -> Vec<Sample> {
    let of = |name, state: &CollectionState, known| {
        let secret = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        let fields = in_context(known, |context| {
            shown(state).map_or_else(Object::new, |it| view::view_opened(it, secret, context))
        });
        Sample {
            status: 201,
            ..sample(name, OPENED, fields)
        }
    };
    vec![
        of("opened", &session(0), true),
        of("least", &least(), false).unseen(),
        of("replayed", &session(550_000), true).unseen(),
    ]
}

fn session(paid: i64) -> CollectionState {
    let made = checkout("shop", NUMBER);
    let paid = Money::from_minor(paid, Currency::Ngn);
    CollectionState {
        collection: Collection {
            number: TransactionNumber::try_new(NUMBER).expect("a number"),
            reference: reference(ORDER),
            expires_at: Some(END),
            ..made
        },
        paid: CollectionPaid {
            total: paid,
            largest: paid,
            fees: Money::zero(Currency::Ngn),
            count: u64::from(paid.is_positive()),
        },
    }
}

/// One of which nothing is known but a telephone number.
fn least() -> CollectionState {
    let made = session(0);
    let kind = match made.collection.kind {
        CollectionKind::Checkout(terms) => CollectionKind::Checkout(CheckoutTerms {
            email: None,
            phone: domain::phone::PhoneNumber::parse("2348031234567").ok(),
            items: Vec::new(),
            ..terms
        }),
        kind @ (CollectionKind::Account(_)
        | CollectionKind::Invoice { .. }
        | CollectionKind::Bill(_)) => kind,
    };
    CollectionState {
        collection: Collection {
            kind,
            amount: Some(naira("5,000.00")),
            ..made.collection
        },
        paid: made.paid,
    }
}

fn cancelled(state: CollectionState) -> CollectionState {
    CollectionState {
        collection: Collection {
            admission: CollectionAdmission::Closed,
            version: 2,
            ..state.collection
        },
        ..state
    }
}

fn one(state: &CollectionState, known: bool) -> Object {
    in_context(known, |context| {
        shown(state).map_or_else(Object::new, |it| view::view_one(it, context))
    })
}

fn shown(state: &CollectionState) -> Option<ShownCheckout<'_>> {
    match &state.collection.kind {
        CollectionKind::Checkout(terms) => Some(ShownCheckout {
            state,
            terms,
            page: "https://pay.example.com/checkout/pay/\
                   7213340031354c4d2f3b1a9c8e7d6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c",
        }),
        CollectionKind::Account(_) | CollectionKind::Invoice { .. } | CollectionKind::Bill(_) => {
            None
        }
    }
}

/// Shown where the operator names an account to pay into, or none.
fn in_context(known: bool, view: impl FnOnce(CollectionContext<'_>) -> Object) -> Object {
    let (receiving, zone) = (receiving_account(), lagos());
    view(CollectionContext {
        receiving: known.then_some(&receiving),
        now: START,
        zone: &zone,
    })
}

fn paging() -> Paging<()> {
    Paging {
        offset: 0,
        length: LENGTH_MAX,
        order: None,
        sort: Sort::Ascending,
    }
}
