//! What is shown of a change, by examples and for any two documents.

use crate::{built_in, read};
use catalogue::{compare, listed_otherwise};
use domain::listed_offer::ListedOffer;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use ports::catalogue::Catalogue;
use ports::provider::ListedPlan;
use proptest::collection::btree_map;
use proptest::prelude::*;
use std::collections::BTreeMap;
use testkit::builders::{naira, plan_code};

/// What becomes of a plan of internet data.
#[derive(Debug, Clone, Copy)]
enum Fate {
    Costs(i64),
    Withdrawn,
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => (1_i64..=50_000_000).prop_map(Fate::Costs),
        1 => Just(Fate::Withdrawn),
    ]
}

/// Some of the plans that the program sells, and some others, all of operator 1.
fn documents() -> impl Strategy<Value = BTreeMap<u32, Fate>> {
    btree_map(
        prop_oneof![Just(105), Just(106), 1_000..1_020_u32],
        fate(),
        0..12,
    )
}

fn kobo(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

fn written(plans: &BTreeMap<u32, Fate>) -> String {
    let plans = plans.iter().map(|(code, fate)| {
        let rest = match fate {
            Fate::Costs(minor) => format!("amount = \"{}\"", kobo(*minor)),
            Fate::Withdrawn => "withdrawn = true".to_owned(),
        };
        format!(
            "[[plan]]\nproduct = \"internet.1\"\ncode = \"{code}\"\nname = \"Bundle {code}\"\n\
             validity_days = 7\n{rest}\n"
        )
    });
    plans.collect()
}

proptest! {
    #[test]
    fn each_plan_of_a_document_is_sold_as_it_says_and_the_others_as_before(plans in documents()) {
        let sold = read(&written(&plans));
        for code in [105_u32, 106, 405].into_iter().chain(1_000..1_020) {
            let text = code.to_string();
            let found = sold.data_plan(&plan_code(&text)).map(|(_, plan)| plan.amount);
            let expected = match plans.get(&code) {
                Some(Fate::Costs(minor)) => Some(kobo(*minor)),
                None if code < 1_000 => Some(naira("1,200.00")),
                Some(Fate::Withdrawn) | None => None,
            };
            prop_assert_eq!(found, expected, "{}", code);
        }
    }

    #[test]
    fn a_comparison_shows_exactly_what_differs_and_reads_both_ways(
        one in documents(), other in documents(),
    ) {
        let (before, after) = (read(&written(&one)), read(&written(&other)));
        prop_assert_eq!(compare(&before, &before), []);
        let changes = compare(&before, &after);
        let price = |sold: &catalogue::CatalogueSnapshot, code: u32| {
            let code = plan_code(&code.to_string());
            sold.data_plan(&code).map(|(_, plan)| plan.amount)
        };
        for code in [105_u32, 106].into_iter().chain(1_000..1_020) {
            let what = format!("plan {code}");
            let shown = changes.iter().find(|it| it.what == what);
            if price(&before, code) != price(&after, code) {
                prop_assert!(shown.is_some(), "{} changes", code);
            }
            if let Some(shown) = shown {
                prop_assert!(shown.before != shown.after);
            }
        }
        let mut back = compare(&after, &before);
        for change in &mut back {
            std::mem::swap(&mut change.before, &mut change.after);
        }
        back.sort();
        prop_assert_eq!(back, changes);
    }
}

fn shown(before: &str, after: &str) -> Vec<String> {
    let changes = compare(&read(before), &read(after));
    let shown = changes.iter().map(|it| {
        let cell = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        format!(
            "{} {}: {} > {}",
            it.product,
            it.what,
            cell(&it.before),
            cell(&it.after)
        )
    });
    shown.collect()
}

#[test]
fn prices_plans_offers_and_overrides_are_shown_as_they_change() {
    let before = "[[price]]\nproduct = \"airtime.mtn\"\ncommission = \"3\"\n";
    let after = "[[price]]\nproduct = \"airtime.mtn\"\ncommission = \"2.5\"\nfee = \"5.00\"\n\
        [[price_override]]\naccount = \"shop\"\nproduct = \"sms.566\"\ncommission = \"1\"\n\
        [[plan]]\nproduct = \"cabletv.2\"\ncode = \"202\"\nwithdrawn = true\n\
        [[plan]]\nproduct = \"internet.4\"\ncode = \"405\"\navailable = false\n\
        [[offer]]\nprovider = \"vtpass\"\nproduct = \"airtime.mtn\"\nminimum = \"100.00\"\n\
        [[biller]]\nproduct = \"electricity.101\"\navailable = false\n";
    assert_eq!(
        shown(before, after),
        [
            "airtime.mtn commission: 3.00 % > 2.50 %",
            "airtime.mtn fee: - > 5.00",
            "airtime.mtn offer of vtpass: - > code of the adapter, cost unchanged, available, \
             from 100.00 to any",
            "cabletv.2 amounts: - > 500.00 to 9,000.00",
            "cabletv.2 plan 202: Plan 202, 30 days, 5,800.00 > withdrawn",
            "electricity.101 sold: - > no",
            "internet.4 plan 405: Bundle 405, 7 days, 1,200.00 > Bundle 405, 7 days, 1,200.00, \
             not available",
            "sms.566 price of shop: - > commission 1.00 %, fee unchanged",
        ]
    );
}

#[test]
fn a_plan_that_is_left_out_and_not_withdrawn_is_forgotten() {
    let added = "[[plan]]\nproduct = \"internet.1\"\ncode = \"900\"\nname = \"New\"\n\
        validity_days = 1\namount = \"1.00\"\n";
    let forgets = |before: &str, after: &str| {
        let changes = compare(&read(before), &read(after));
        changes
            .iter()
            .any(catalogue::CatalogueChange::forgets_a_plan)
    };
    assert!(forgets(added, ""));
    assert!(!forgets("", added));
    let withdrawn = "[[plan]]\nproduct = \"internet.1\"\ncode = \"900\"\nwithdrawn = true\n";
    assert!(!forgets(added, withdrawn));
    // An order long after it is still answered with what there is.
    assert!(forgets(withdrawn, ""));
}

#[test]
fn a_providers_list_is_compared_with_what_is_offered_of_it() {
    let sold = read(
        "[[offer]]\nprovider = \"vt\"\nproduct = \"internet.1\"\nplan = \"105\"\ncode = \"a\"\n\
         [[offer]]\nprovider = \"vt\"\nproduct = \"internet.1\"\nplan = \"106\"\ncode = \"b\"\n",
    );
    let listed = |code: &str, amount: Option<&str>| {
        let plan = ListedPlan {
            code: code.to_owned(),
            name: format!("Theirs {code}"),
            amount: amount.map(naira),
        };
        plan.of_product("internet.1")
    };
    let id = ProviderId::parse("vt").unwrap();
    let differs = |list: &[ListedOffer]| {
        let changes = listed_otherwise(&sold, (&id, "internet.1"), list);
        let changes = changes.into_iter();
        changes
            .map(|it| (it.what, it.before, it.after))
            .collect::<Vec<_>>()
    };
    let same = [listed("a", Some("1,200.00")), listed("b", None)];
    assert_eq!(differs(&same), []);
    let ours = || Some("1,200.00".to_owned());
    assert_eq!(
        differs(&[listed("a", Some("1,300.00")), listed("c", Some("5.00"))]),
        [
            (
                "plan 105 (a)".to_owned(),
                ours(),
                Some("1,300.00".to_owned())
            ),
            ("plan 106 (b)".to_owned(), ours(), None),
            (
                "not offered (c)".to_owned(),
                None,
                Some("Theirs c, 5.00".to_owned())
            ),
        ]
    );
    assert_eq!(built_in().offers_of(&id).count(), 0);
}

#[test]
fn what_a_provider_cannot_deliver_and_its_limits_are_compared() {
    let sold = read(
        "[[offer]]\nprovider = \"vt\"\nproduct = \"internet.1\"\nplan = \"105\"\ncode = \"a\"\n\
         [[offer]]\nprovider = \"vt\"\nproduct = \"airtime.mtn\"\nminimum = \"50.00\"\n",
    );
    let id = ProviderId::parse("vt").unwrap();
    let plan = ListedOffer {
        product: "internet.1".to_owned(),
        code: "a".to_owned(),
        name: "Theirs".to_owned(),
        amount: Some(naira("1,200.00")),
        minimum: None,
        maximum: None,
        available: true,
        lookup: None,
    };
    let differs = |product: &str, list: &[ListedOffer]| {
        let changes = listed_otherwise(&sold, (&id, product), list).into_iter();
        let shown = changes.map(|it| {
            let side = |it: Option<String>| it.unwrap_or_else(|| "-".to_owned());
            format!("{}: {} / {}", it.what, side(it.before), side(it.after))
        });
        shown.collect::<Vec<_>>()
    };
    assert!(differs("internet.1", std::slice::from_ref(&plan)).is_empty());
    let gone = ListedOffer {
        available: false,
        lookup: None,
        ..plan.clone()
    };
    assert_eq!(
        differs("internet.1", std::slice::from_ref(&gone)),
        ["plan 105 (a): available / not available"]
    );
    let airtime = ListedOffer {
        product: "airtime.mtn".to_owned(),
        amount: None,
        minimum: Some(naira("50.00")),
        ..plan
    };
    assert!(differs("airtime.mtn", std::slice::from_ref(&airtime)).is_empty());
    let narrower = ListedOffer {
        maximum: Some(naira("9,000.00")),
        ..airtime.clone()
    };
    assert_eq!(
        differs("airtime.mtn", std::slice::from_ref(&narrower)),
        ["every amount (a): from 50.00 to any / from 50.00 to 9,000.00"]
    );
    // Which of two is meant is not known, so both are shown.
    let second = ListedOffer {
        product: "airtime.mtn".to_owned(),
        code: "b".to_owned(),
        ..gone
    };
    assert_eq!(
        differs("airtime.mtn", &[narrower, second]),
        [
            "not offered (a): - / Theirs, from 50.00 to 9,000.00",
            "not offered (b): - / Theirs, 1,200.00, not available"
        ]
    );
    assert!(differs("airtime.mtn", &[]).is_empty());
}
