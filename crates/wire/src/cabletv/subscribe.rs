//! `POST /payment/cabletv`. It must never read both a plan and an amount into one order.

use crate::attribute;
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::transaction::{identity, money};
use crate::tree::Object;
use crate::violations::Violations;
use domain::cabletv::{CableOrder, DURATION_MAX, RequestedPlan, SmartcardQuery, Subscribe};
use domain::money::Currency;
use domain::subscription::PlanCode;
use domain::transaction::Transaction;

/// The value of `subscribe`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Instant,
    TopUp,
}

const WAYS: [(&str, Way); 2] = [("instant", Way::Instant), ("topup", Way::TopUp)];

/// Reads a subscription; an amount is in the currency of the account. `instant` needs a plan and a
/// duration, `topup` an amount; the attributes of the other mode may be sent and are read all the
/// same, so that an invalid value in them is reported.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
    currency: Currency,
) -> Result<Subscribe, Violations> {
    let mut reader = FieldReader::of_purchase(attributes, handling);
    let reference = reader.reference();
    let provider = reader.provider();
    let number = reader.smartcard();
    let wanted = requested_plan(&mut reader, currency);
    let customer_phone = reader.customer_phone();
    reader.finish(|| {
        Ok(Subscribe {
            reference: reference?,
            card: SmartcardQuery {
                provider: provider?,
                number: number?,
            },
            requested: wanted?,
            customer_phone: customer_phone?,
        })
    })
}

fn requested_plan(
    reader: &mut FieldReader<'_>,
    currency: Currency,
) -> Result<RequestedPlan, InvalidField> {
    let way = reader.word(&attribute::SUBSCRIBE, &WAYS);
    let amount = reader.optional_amount(&attribute::AMOUNT, currency);
    let plan = reader.optional(&attribute::PLAN, PlanCode::parse);
    let duration = reader.integer(&attribute::DURATION, 1..=u64::from(DURATION_MAX));
    match way? {
        Way::Instant => {
            let plan = reader.needed(&attribute::PLAN, plan, "instant");
            let duration = reader.needed(&attribute::DURATION, duration, "instant");
            let (plan, duration) = (plan?, duration?);
            // The range above keeps it within bounds.
            let duration = u8::try_from(duration).unwrap_or(DURATION_MAX);
            Ok(RequestedPlan::Plan { plan, duration })
        }
        Way::TopUp => reader
            .needed(&attribute::AMOUNT, amount, "topup")
            .map(RequestedPlan::TopUp),
    }
}

/// A cable TV transaction (interface §2.5): with its plan, or without one where an amount was
/// credited.
pub(crate) fn view(transaction: &Transaction, order: &CableOrder) -> Object {
    let plan = match &order.subscription {
        Some(_) => plan(order),
        None => Object::new(),
    };
    identity(transaction)
        .and(card(order))
        .and(plan)
        .and(money(transaction))
}

pub(super) fn card(order: &CableOrder) -> Object {
    Object::new()
        .with("number", order.number.digits())
        .with("brandname", order.brandname.as_str())
}

/// The plan, each of its fields null where there is none.
pub(super) fn plan(order: &CableOrder) -> Object {
    let plan = order.subscription.as_ref();
    Object::new()
        .with("identifier", plan.map(|it| it.plan.as_str()))
        .with("name", plan.map(|it| it.name.as_str()))
        .with("duration", plan.map(|it| it.duration.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{
        BAD_AMOUNTS, STRING_OR_NUMBER, body, faults, in_every_state, lagos, replaced,
    };
    use crate::transaction::answer;
    use testkit::builders::{cabletv, cabletv_topup};

    const INSTANT: [(&str, &str); 6] = [
        ("mrcReference", "\"order-1\""),
        ("provider", "2"),
        ("number", "\"0201234567\""),
        ("subscribe", "\"instant\""),
        ("identifier", "204"),
        ("duration", "2"),
    ];

    const TOP_UP: [(&str, &str); 5] = [
        ("mrcReference", "\"order-1\""),
        ("provider", "2"),
        ("number", "\"0201234567\""),
        ("subscribe", "\"topup\""),
        ("amount", "\"2,500.00\""),
    ];

    fn lenient(attributes: &Attributes) -> Result<Subscribe, Violations> {
        parse(attributes, Handling::Lenient, Currency::Ngn)
    }

    fn check(good: &[(&str, &str)], (name, literal): (&str, &str), expected: &str) {
        let read = lenient(&body(&replaced(good, name, literal)));
        assert_eq!(faults(read), expected, "{name}: {literal}");
    }

    #[test]
    fn the_telephone_of_the_customer_may_be_given() {
        let mut pairs = INSTANT.to_vec();
        assert_eq!(
            parse(&body(&pairs), Handling::Strict, Currency::Ngn)
                .unwrap()
                .customer_phone,
            None
        );
        pairs.push(("customerNumber", "\"+2348031234567\""));
        let phone = parse(&body(&pairs), Handling::Strict, Currency::Ngn)
            .unwrap()
            .customer_phone;
        assert_eq!(phone.unwrap().digits(), "2348031234567");
        pairs.pop();
        pairs.push(("customerNumber", "\"0803\""));
        let wrong = faults(lenient(&body(&pairs)));
        let shape = "must be in international format: 8 to 15 digits, the plus sign optional";
        assert_eq!(wrong, format!("400 822\ncustomerNumber: {shape}"));
    }

    #[test]
    fn a_plan_is_read_from_strings_and_from_numbers_alike() {
        let subscribe = lenient(&body(&INSTANT)).unwrap();
        assert_eq!(subscribe.reference.as_str(), "order-1");
        assert_eq!(subscribe.card.provider.as_str(), "2");
        assert_eq!(subscribe.card.number.digits(), "0201234567");
        let RequestedPlan::Plan { plan, duration } = &subscribe.requested else {
            panic!("{:?}", subscribe.requested)
        };
        assert_eq!((plan.as_str(), *duration), ("204", 2));
        for (name, literal) in [
            ("provider", "\"2\""),
            ("identifier", "\"204\""),
            ("duration", "\"2\""),
        ] {
            let read = lenient(&body(&replaced(&INSTANT, name, literal)));
            assert_eq!(read.as_ref(), Ok(&subscribe), "{name}: {literal}");
        }
    }

    #[test]
    fn an_amount_is_credited_without_a_plan() {
        let subscribe = lenient(&body(&TOP_UP)).unwrap();
        let RequestedPlan::TopUp(amount) = subscribe.requested else {
            panic!("{:?}", subscribe.requested)
        };
        assert_eq!(amount.minor(), 250_000);
    }

    #[test]
    fn what_the_other_way_needs_may_be_there_but_must_not_be_wrong() {
        let with = |good: &[(&'static str, &'static str)], more| {
            let pairs: Vec<_> = good.iter().copied().chain([more]).collect();
            lenient(&body(&pairs))
        };
        let instant = with(&INSTANT, ("amount", "\"5.00\""));
        assert_eq!(instant, lenient(&body(&INSTANT)));
        let top_up = with(&TOP_UP, ("duration", "1"));
        assert_eq!(top_up, lenient(&body(&TOP_UP)));
        let zero = "400 814\namount: must be an amount above zero, such as 1234.00";
        assert_eq!(faults(with(&INSTANT, ("amount", "0"))), zero);
        let plan = "400 830\nidentifier: must be the identifier of a plan, 1 to 9 digits";
        assert_eq!(faults(with(&TOP_UP, ("identifier", "-1"))), plan);
    }

    #[test]
    fn each_way_needs_its_own_attributes() {
        insta::assert_snapshot!(faults(lenient(&body(&INSTANT[..4]))), @r"
        400 830
        identifier: is required for instant; add it to the body
        duration: is required for instant; add it to the body
        ");
        insta::assert_snapshot!(faults(lenient(&body(&TOP_UP[..4]))), @r"
        400 814
        amount: is required for topup; add it to the body
        ");
    }

    #[test]
    fn an_amount_is_exact_and_above_zero_or_refused() {
        for (literal, message) in BAD_AMOUNTS {
            let expected = format!("400 814\namount: {message}");
            check(&TOP_UP, ("amount", literal), &expected);
        }
    }

    #[test]
    fn identities_and_cards_are_digits_or_refused() {
        let card = "must be a smartcard or decoder number of 8 to 15 digits";
        let provider = "must be the identifier of a provider, 1 to 9 digits";
        let plan = "must be the identifier of a plan, 1 to 9 digits";
        for (name, code, shape) in [
            ("number", 824, card),
            ("provider", 820, provider),
            ("identifier", 830, plan),
        ] {
            for literal in [
                "\"\"",
                "\"02O1234567\"",
                "-201234567",
                "2.5",
                "1234567890123456",
            ] {
                let expected = format!("400 {code}\n{name}: {shape}");
                check(&INSTANT, (name, literal), &expected);
            }
            for literal in ["true", "null", "[2]", "{}"] {
                let expected = format!("400 {code}\n{name}: {STRING_OR_NUMBER}");
                check(&INSTANT, (name, literal), &expected);
            }
        }
    }

    #[test]
    fn a_duration_is_one_to_twelve_months_or_refused() {
        for literal in ["0", "13", "-1", "1.5", "\"\"", "\"one\"", "256", "257"] {
            let expected = "400 -\nduration: must be a whole number from 1 to 12";
            check(&INSTANT, ("duration", literal), expected);
        }
        let longest = lenient(&body(&replaced(&INSTANT, "duration", "12"))).unwrap();
        let RequestedPlan::Plan { duration, .. } = longest.requested else {
            panic!("{:?}", longest.requested)
        };
        assert_eq!(duration, 12);
    }

    #[test]
    fn there_are_two_ways_to_subscribe() {
        for literal in ["\"at once\"", "\"renew\"", "\"\""] {
            let expected = "400 -\nsubscribe: must be instant or topup";
            check(&INSTANT, ("subscribe", literal), expected);
        }
        for literal in ["1", "null", "[\"instant\"]"] {
            let expected = "400 -\nsubscribe: must be a string";
            check(&INSTANT, ("subscribe", literal), expected);
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once_in_the_order_of_the_interface() {
        let nothing = parse(&body(&[]), Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!(faults(nothing), @r"
        400 820
        mrcReference: is required; add it to the body
        provider: is required; add it to the body
        number: is required; add it to the body
        subscribe: is required; add it to the body
        ");
        let bad = [
            ("x", "1"),
            ("duration", "13"),
            ("identifier", "\"Jolli\""),
            ("amount", "\"1e3\""),
            ("subscribe", "\"both\""),
            ("number", "12"),
        ];
        let strict = parse(&body(&bad), Handling::Strict, Currency::Ngn);
        insta::assert_snapshot!(faults(strict), @r"
        400 820
        mrcReference: is required; add it to the body
        provider: is required; add it to the body
        number: must be a smartcard or decoder number of 8 to 15 digits
        subscribe: must be instant or topup
        amount: must be a plain decimal such as 1234.00 or 1,234.00, in ASCII digits
        identifier: must be the identifier of a plan, 1 to 9 digits
        duration: must be a whole number from 1 to 12
        x: is not an attribute of this request; leave it out
        ");
        assert!(parse(&body(&INSTANT), Handling::Strict, Currency::Ngn).is_ok());
    }

    #[test]
    fn a_subscription_shows_its_plan_in_every_state() {
        let opened = cabletv().transaction();
        let zone = lagos();
        insta::assert_snapshot!("instant", in_every_state(&opened, |tx| answer(tx, &zone)));
    }

    #[test]
    fn a_top_up_has_no_plan_to_show() {
        let opened = cabletv_topup().transaction();
        let zone = lagos();
        insta::assert_snapshot!("topup", in_every_state(&opened, |tx| answer(tx, &zone)));
    }
}
