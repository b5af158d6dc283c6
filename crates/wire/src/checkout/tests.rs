//! Sessions read and shown. Everything that is wrong must be named at once.

use super::*;
use crate::fixtures::{body, faults, lagos, pretty, query, replaced};
use domain::collection::{CollectionKind, CollectionPaid};
use testkit::builders::{START, at, checkout, collected, naira, receiving_account};

const GOOD: [(&str, &str); 9] = [
    ("mrcReference", "\"order-1\""),
    ("amount", "\"5,000.00\""),
    ("currency", "\"NGN\""),
    ("chkChannels", "[\"transfer\"]"),
    ("redirectUrl", "\"https://shop.example/orders/1\""),
    ("customerEmail", "\"ada@example.com\""),
    ("customerName", "\"Ada Obi\""),
    ("chkExpires", "\"16-01-2026 12:00:00\""),
    (
        "items",
        "[{\"name\":\"Yam\",\"quantity\":2,\"amount\":\"2,500.00\"}]",
    ),
];

fn read<T>(
    pairs: &[(&str, &str)],
    parse: impl FnOnce(&Attributes) -> Result<T, Violations>,
) -> Result<T, Violations> {
    parse(&body(pairs))
}

fn wanted(pairs: &[(&str, &str)]) -> Result<NewCheckout, Violations> {
    let zone = lagos();
    match read(pairs, |all| parse(all, Handling::Strict, &zone))? {
        NewCollection::Checkout(wanted) => Ok(wanted),
        NewCollection::Account(_) | NewCollection::Invoice(_) => panic!("another kind was read"),
    }
}

#[test]
fn a_session_is_read_whole() {
    let whole = wanted(&GOOD).unwrap();
    assert_eq!(
        (whole.amount, whole.customer.as_str()),
        (naira("5,000.00"), "Ada Obi")
    );
    assert_eq!(whole.items[0].quantity, 2);
    assert!(whole.expires_at.is_some() && whole.phone.is_none());
    let least = wanted(&GOOD[..6]).unwrap();
    assert_eq!(least.customer.as_str(), "ada@example.com");
    assert!(least.items.is_empty() && least.expires_at.is_none());
    let mut by_phone = GOOD[..5].to_vec();
    by_phone.push(("customerPhone", "\"2348031234567\""));
    let by_phone = wanted(&by_phone).unwrap();
    assert_eq!(by_phone.customer.as_str(), "2348031234567");
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    insta::assert_snapshot!(faults(wanted(&[("x", "1")])), @r"
    400 814
    mrcReference: is required; add it to the body
    amount: is required for a session; add it to the body
    currency: is required; add it to the body
    customerEmail: is required where customerPhone is not sent; add one of them to the body
    chkChannels: is required; add it to the body
    redirectUrl: is required; add it to the body
    x: is not an attribute of this request; leave it out
    ");
    let wrong = [
        ("mrcReference", "\"a b\""),
        ("amount", "0"),
        ("currency", "\"USD\""),
        ("chkChannels", "[\"transfer\",\"card\"]"),
        ("redirectUrl", "\"http://shop.example\""),
        ("customerEmail", "\"ada\""),
        ("customerPhone", "\"12\""),
        ("customerName", "\" \""),
        ("chkExpires", "\"soon\""),
    ];
    let named = faults(wanted(&wrong));
    for (name, _) in wrong {
        assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
    }
    assert!(named.contains("chkChannels: card is not offered here; send transfer alone"));
    let in_capitals = [("chkChannels", "[\"TRANSFER\"]"), ("currency", "\"ngn\"")];
    let alike = in_capitals.map(|(name, value)| wanted(&replaced(&GOOD, name, value)).is_ok());
    assert_eq!(alike, [true, true]);
    let card = faults(wanted(&replaced(&GOOD, "chkChannels", "\"CARD\"")));
    assert!(card.contains("CARD is not offered here"), "{card}");
    let carrier = faults(wanted(&replaced(&GOOD, "chkChannels", "\"pigeon\"")));
    assert!(
        carrier.contains("chkChannels: must be transfer"),
        "{carrier}"
    );
}

#[test]
fn items_add_up_to_the_amount() {
    let items = |items: &'static str| faults(wanted(&replaced(&GOOD, "items", items)));
    let other = items("[{\"name\":\"Yam\",\"quantity\":3,\"amount\":\"2,500.00\"}]");
    assert!(
        other.contains("items: must add up to amount, 5,000.00, but come to 7,500.00"),
        "{other}"
    );
    let vast = items("[{\"name\":\"Yam\",\"quantity\":1000000,\"amount\":\"1,000,000.00\"}]");
    assert!(
        vast.contains("items: come to more than may be collected"),
        "{vast}"
    );
    insta::assert_snapshot!(items("[{\"quantity\":0,\"x\":1}]"), @r"
    400 814
    items.0.name: is required; add it to the body
    items.0.quantity: must be a whole number from 1 to 1000000
    items.0.amount: is required for an item; add it to the body
    items.0.x: is not an attribute of this request; leave it out
    ");
    let many = format!(
        "[{}]",
        ["{\"name\":\"Yam\",\"quantity\":1,\"amount\":\"1.00\"}"; SALE_ITEMS_MAX + 1].join(",")
    );
    let many = faults(wanted(&replaced(&GOOD, "items", &many)));
    assert!(
        many.contains("items: must hold 50 objects at most"),
        "{many}"
    );
}

#[test]
fn a_session_is_shown_with_what_was_paid_and_what_is_left_of_it() {
    let (receiving, zone) = (receiving_account(), lagos());
    let context = CollectionContext {
        receiving: Some(&receiving),
        now: START,
        zone: &zone,
    };
    let state = CollectionState {
        collection: checkout("shop", 7),
        paid: CollectionPaid {
            total: naira("5,500.00"),
            largest: naira("5,500.00"),
            fees: naira("10.75"),
            count: 1,
        },
    };
    let CollectionKind::Checkout(terms) = &state.collection.kind else {
        panic!("no session");
    };
    let shown = ShownCheckout {
        state: &state,
        terms,
        page: "https://pay.example/checkout/pay/1",
    };
    let last = collected(&state.collection, (9, "session-9"), "5,500.00");
    insta::assert_snapshot!(pretty(&view_report(shown, Some(&last), context).into()), @r#"
    {
      mrcReference: "col-7"
      chkIdentifier: 7
      chkUrl: "https://pay.example/checkout/pay/1"
      chkStatus: "Paid"
      chkChannels: [
        chkChannel "transfer"
      ]
      chkExpires: "15-01-2026 11:00:00"
      txnAmount: "5,000.00"
      currency: "NGN"
      customerName: "Ada Obi"
      customerEmail: "ada@example.com"
      customerPhone: null
      redirectUrl: "https://shop.example/orders?id=7"
      items: [
        item {
          name: "Yam"
          quantity: 2
          amount: "2,500.00"
        }
      ]
      colReference: "000000000777"
      bankFullname: "Guaranty Trust Bank"
      accountNumber: "0123456789"
      accountName: "Manilla Payments"
      chkPaid: "5,500.00"
      chkDifference: "500.00"
      txnCharges: "10.75"
      chkNet: "5,489.25"
      txnDate: "15-01-2026 10:00:00"
      version: 1
      chkChannel: "transfer"
      payDate: "15-01-2026 10:00:30"
      payerName: "Ngozi Eze"
      payerBank: "Zenith Bank"
    }
    "#);
    assert_eq!(status(state.checkout_status(at(9_999))), "Paid");
}

#[test]
fn a_session_is_opened_with_its_secret_and_listed_without() {
    let zone = lagos();
    let context = CollectionContext {
        receiving: None,
        now: START,
        zone: &zone,
    };
    let collection = checkout("shop", 7);
    let none = naira("0.00");
    let paid = CollectionPaid {
        total: none,
        largest: none,
        fees: none,
        count: 0,
    };
    let state = CollectionState { collection, paid };
    let CollectionKind::Checkout(terms) = &state.collection.kind else {
        panic!("no session");
    };
    let shown = ShownCheckout {
        state: &state,
        terms,
        page: "https://pay.example/checkout/pay/1",
    };
    let opened = pretty(&view_opened(shown, "secret", context).into());
    assert!(opened.contains("chkSecret: \"secret\""), "{opened}");
    let paging = parse_list(&query(""), Handling::Strict).unwrap();
    let listed = pretty(&view(&[shown], (&paging, 1), context).into());
    assert!(listed.contains("sessions"), "{listed}");
    assert!(!listed.contains("chkSecret"), "{listed}");
    assert_eq!(
        path(&state.collection.reference),
        "/checkout/session/transaction?mrcReference=col-7"
    );
}

#[test]
fn a_cancel_names_a_session_and_a_version() {
    let wanted = |pairs: &[(&str, &str)]| read(pairs, |all| parse_cancel(all, Handling::Strict));
    let (reference, seen) = wanted(&[("mrcReference", "\"order-1\""), ("version", "2")]).unwrap();
    assert_eq!((reference.as_str(), seen), ("order-1", Some(2)));
    let named = faults(wanted(&[("version", "0"), ("x", "1")]));
    for name in ["mrcReference", "version", "x"] {
        assert!(named.contains(&format!("\n{name}: ")), "{name} in {named}");
    }
}
