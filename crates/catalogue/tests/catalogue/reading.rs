//! What a document changes, and every mistake in one.

use crate::{base, built_in, read};
use catalogue::{CatalogueSnapshot, DOCUMENT_BYTES_MAX, ENTRIES_MAX};
use domain::bill::BillCategory;
use domain::country::CountryCode;
use domain::electricity::DiscoCode;
use domain::internet::DataOrder;
use domain::money::Currency;
use domain::order::{Order, Service};
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::provider::ProviderId;
use ports::catalogue::{Catalogue, OfferMatch, ProductTerms};
use testkit::builders::{account_id, naira, plan_code, provider_code};

const DOCUMENT: &str = r#"
[[biller]]
product = "cabletv.2"
maximum = "20,000.00"

[[biller]]
product = "electricity.102"
available = true

[[biller]]
product = "airtime.mtn"
available = false

[[plan]]
product = "cabletv.2"
code = "201"
amount = "6,100.00"

[[plan]]
product = "cabletv.2"
code = "203"
name = "Plan 203"
validity_days = 7
amount = "900.00"

[[plan]]
product = "internet.1"
code = "106"
withdrawn = true

[[price]]
product = "electricity.101.prepaid"
commission = "2.5"

[[price]]
product = "sms.566"
unit = "4.50"

[[price_override]]
account = "shop"
product = "internet.1"
commission = "4"
fee = "10.00"

[[offer]]
provider = "vtpass"
product = "internet.1"
plan = "105"
code = "mtn-1gb"
cost = "1,150.00"
"#;

#[test]
fn a_document_changes_what_it_names_and_nothing_else() {
    let sold = read(DOCUMENT);
    let cable = sold.cable_provider(&provider_code("2")).unwrap();
    assert_eq!(
        (cable.minimum, cable.maximum),
        (naira("500.00"), naira("20,000.00"))
    );
    let amounts: Vec<_> = cable
        .plans
        .iter()
        .map(|it| (it.code.as_str(), it.amount))
        .collect();
    let expected = [("201", "6,100.00"), ("202", "5,800.00"), ("203", "900.00")];
    assert_eq!(
        amounts,
        expected.map(|(code, amount)| (code, naira(amount)))
    );
    let listed = sold.cable_providers(CountryCode::NIGERIA);
    assert_eq!(listed, [cable]);

    let disco = |code: &str| sold.disco(&DiscoCode::parse(code).unwrap()).unwrap();
    assert!(disco("101").available && disco("102").available);
    assert!(sold.withholds("airtime.mtn") && !sold.withholds("cabletv.2"));

    assert!(sold.data_plan(&plan_code("106")).is_none());
    assert_eq!(
        sold.data_plan(&plan_code("105")).unwrap().0.code,
        provider_code("1")
    );
    assert_eq!(
        sold.data_plan(&plan_code("405")).unwrap().0.code,
        provider_code("4")
    );
    let whose = |code: &str| sold.withdrawn_plan(Service::Internet, &plan_code(code));
    assert_eq!(whose("106"), Some(&provider_code("1")));
    assert_eq!(whose("105"), None);
    assert_eq!(
        sold.withdrawn_plan(Service::CableTv, &plan_code("106")),
        None
    );

    let terms = ProductTerms {
        commission: Some(Percent::parse("2.5").unwrap()),
        ..ProductTerms::default()
    };
    assert_eq!(sold.published_terms("electricity.101.prepaid"), Some(terms));
    assert_eq!(sold.published_terms("electricity.101.postpaid"), None);
    let message = sold.message(CountryCode::NIGERIA, Currency::Ngn).unwrap();
    assert_eq!(message.unit, naira("4.50"));
    let own = sold
        .published_override(&account_id("shop"), "internet.1")
        .unwrap();
    assert_eq!(own.fee, Some(naira("10.00")));
    assert_eq!(
        sold.published_override(&account_id("other"), "internet.1"),
        None
    );
}

#[test]
fn an_offer_decides_whether_a_provider_takes_an_order_and_under_which_code() {
    let sold = read(DOCUMENT);
    let id = |name: &str| ProviderId::parse(name).unwrap();
    let order = |operator: &str, plan: &str| {
        Order::Internet(DataOrder {
            provider: provider_code(operator),
            brandname: "Operator".into(),
            plan: plan_code(plan),
            name: "Bundle".into(),
            validity_days: 7,
            number: PhoneNumber::parse("2348031234567").unwrap(),
            amount: naira("1,200.00"),
        })
    };
    let OfferMatch::Offered(offer) = sold.offer(&id("vtpass"), &order("1", "105")) else {
        panic!("not offered");
    };
    assert_eq!(offer.code.as_deref(), Some("mtn-1gb"));
    let not_mapped = order("1", "106");
    assert_eq!(
        sold.offer(&id("vtpass"), &not_mapped),
        OfferMatch::NotOffered
    );
    assert_eq!(
        sold.offer(&id("vtpass"), &order("4", "405")),
        OfferMatch::Unlisted
    );
    assert_eq!(sold.offer(&id("other"), &not_mapped), OfferMatch::Unlisted);
    assert_eq!(
        built_in().offer(&id("vtpass"), &not_mapped),
        OfferMatch::Unlisted
    );
}

fn refused(document: &str) -> Vec<String> {
    let read = CatalogueSnapshot::read(base(), 1, document);
    let problems = read.map(drop).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

/// A document in one line: `;` ends a line, and quotes are single.
fn lines(short: &str) -> String {
    format!("{}\n", short.replace("; ", "\n").replace('\'', "\""))
}

#[test]
fn every_mistake_in_a_plan_is_named_with_its_line_and_the_remedy() {
    let plan = "[[plan]]; product = 'cabletv.2'; code = '201'; ";
    for (rest, said) in [
        ("amount = '-5.00'", "line 1: `amount` must"),
        ("amount = '0.00'", "`amount` must be above zero"),
        ("amount = '1e9'", "`amount` must"),
        ("amount = 5", "line 4: invalid type"),
        ("amout = '5.00'", "unknown field `amout`"),
        (
            "[[plan]]; product = 'cabletv.2'; code = '201'",
            "line 4: plan 201 of cabletv stands",
        ),
        ("available = false", "withdrawn = true"),
        ("validity_days = 0", "`validity_days` must be above zero"),
        ("name = 'a\\u0007'", "`name` must be 1 to 80 characters"),
    ] {
        let problems = refused(&lines(&format!("{plan}{rest}")));
        assert!(problems[0].contains(said), "{said}: {problems:?}");
    }
    let new = "[[plan]]; product = 'cabletv.2'; code = '299'; amount = '1.00'";
    let others = "[[plan]]; product = 'internet.1'; code = '405'; amount = '1.00'";
    for (document, said) in [
        (new, "needs `name`, `validity_days` and `amount`"),
        (others, "plan 405 is one of 4 already"),
        (
            "[[plan]]; product = 'airtime.mtn'; code = '1'",
            "airtime.mtn sells no plans",
        ),
        (
            "; ; [[plan]]; product = 'cabletv.9'; code = '1'",
            "line 3: `product` \"cabletv.9\" is not",
        ),
    ] {
        let problems = refused(&lines(document));
        assert!(problems[0].contains(said), "{said}: {problems:?}");
    }
}

#[test]
fn every_other_mistake_is_named_with_the_remedy() {
    for (entry, said) in [
        (
            "price]]; product = 'airtime.mtn'; commission = '101'",
            "`commission` must be a percent",
        ),
        (
            "price]]; product = 'electricity.101'; commission = '1'",
            "electricity.101.prepaid or",
        ),
        (
            "price]]; product = 'airtime.mtn'; unit = '1.00'",
            "`unit` is of messages",
        ),
        (
            "price]]; product = 'airtime.mtn'; fee = '-1.00'",
            "`fee` must",
        ),
        (
            "biller]]; product = 'cabletv.2'; minimum = '9,500.00'",
            "be above `maximum` 9,000.00",
        ),
        (
            "biller]]; product = 'internet.1'; minimum = '5.00'",
            "has no `minimum`",
        ),
        (
            "offer]]; provider = 'VT'; product = 'airtime.mtn'",
            "`provider` must",
        ),
        (
            "offer]]; provider = 'vt'; product = 'sms.566'",
            "no offers are listed of sms.566",
        ),
        ("toll]]", "unknown field `toll`"),
    ] {
        let problems = refused(&lines(&format!("[[{entry}")));
        assert!(problems[0].contains(said), "{said}: {problems:?}");
    }
    let account = "[[price_override]]; account = 'a b'; product = 'airtime.mtn'; commission = '1'";
    assert!(refused(&lines(account))[0].contains("`account` must"));
    let offer = "[[offer]]; provider = 'vt'; product = 'internet.1'; plan = ";
    let unknown = refused(&lines(&format!("{offer}'999'")));
    assert!(unknown[0].contains("plan 999 is not sold"), "{unknown:?}");
    let code = refused(&lines(&format!("{offer}'105'; code = 'a b'")));
    assert!(
        code[0].contains("`code` must be what the provider calls it"),
        "{code:?}"
    );
}

#[test]
fn every_mistake_is_named_at_once_up_to_a_hundred() {
    let wrong = "[[price]]\nproduct = \"airtime.mtn\"\nfee = \"x\"\ncommission = \"y\"\n";
    assert_eq!(refused(wrong).len(), 2);
    let problems = refused(&wrong.repeat(80));
    assert_eq!(problems.len(), 101);
    assert!(
        problems[100].ends_with("and 60 problems more"),
        "{}",
        problems[100]
    );
}

#[test]
fn a_million_plans_are_refused_before_they_are_read() {
    let entry = |number: usize| {
        let rest = "name = 'n'; validity_days = 1; amount = '1.00'";
        lines(&format!(
            "[[plan]]; product = 'internet.1'; code = '{number}'; {rest}"
        ))
    };
    let many: String = (0..20_000).map(|it| entry(it + 1_000)).collect();
    assert!(many.len() > DOCUMENT_BYTES_MAX);
    let problems = refused(&many);
    assert!(
        problems[0].contains("the largest is 1048576"),
        "{problems:?}"
    );
    let most: String = (0..=ENTRIES_MAX).map(|it| entry(it + 1_000)).collect();
    assert!(most.len() < DOCUMENT_BYTES_MAX);
    let problems = refused(&most);
    assert!(
        problems[0].contains("5001 entries; the most are 5000"),
        "{problems:?}"
    );
    let fits: String = (0..ENTRIES_MAX).map(|it| entry(it + 1_000)).collect();
    let sold = read(&fits);
    assert_eq!(
        sold.data_provider(&provider_code("1")).unwrap().plans.len(),
        2 + ENTRIES_MAX
    );
}

#[test]
fn a_biller_is_changed_in_its_own_category_alone() {
    let before = built_in();
    let codes: Vec<_> = BillCategory::all()
        .map(|category| {
            let billers = before.billers(category, CountryCode::NIGERIA);
            (category, billers[0].code.clone())
        })
        .collect();
    let (changed, code) = &codes[0];
    let product = format!("{}.{code}", changed.code());
    let document = format!("[[biller]]\nproduct = \"{product}\"\navailable = false\n");
    let after = read(&document);
    for (category, code) in &codes {
        let (known, now) = (
            before.biller(*category, code),
            after.biller(*category, code),
        );
        assert!(known.unwrap().available, "{category:?}");
        assert_eq!(now.unwrap().available, category != changed, "{category:?}");
    }
}
