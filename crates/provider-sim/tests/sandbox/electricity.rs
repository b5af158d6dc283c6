//! Meters and vends: plausible, adding up to the kobo, and the same whenever they are asked for.

use crate::support::{SandboxWorld, delivered};
use domain::billing::Billing;
use domain::electricity::{DiscoCode, Meter, MeterNumber, Vend};
use domain::money::Money;
use domain::order::Order;
use domain::percent::Percent;
use domain::provider::Fulfilment;
use domain::token::breakdown;
use ports::clock::Clock;
use ports::provider::Meters;
use provider_sim::SimSettings;
use std::collections::BTreeSet;
use std::time::Duration;
use testkit::builders::{electricity, kobo};

fn seeded(seed: u64) -> SandboxWorld {
    SandboxWorld::with(SimSettings {
        seed,
        ..SimSettings::default()
    })
}

async fn look_up(bench: &SandboxWorld, disco: u32, n: u32, billing: Billing) -> Meter {
    let disco = DiscoCode::parse(&disco.to_string()).unwrap();
    let number = MeterNumber::parse(&format!("0{:09}9", u64::from(n) * 7_919)).unwrap();
    bench
        .simulator()
        .meter(&disco, &number, billing)
        .await
        .unwrap()
}

async fn pay(bench: &SandboxWorld, under: &str, meter: &Meter, minor: i64) -> Vend {
    let mut order = electricity().worth_money(kobo(minor)).order();
    if let Order::Electricity(order) = &mut order {
        order.meter = meter.clone();
    }
    let Fulfilment::Electricity(vend) = delivered(bench.submit(under, order).await).fulfilment
    else {
        panic!("not electricity");
    };
    vend
}

#[tokio::test]
async fn a_meter_is_the_same_in_every_run_of_a_seed_and_another_in_another() {
    let (one, same, other) = (seeded(5), seeded(5), seeded(6));
    let mut differing = 0;
    for n in 0..20 {
        let meter = look_up(&one, 106, n, Billing::Prepaid).await;
        assert_eq!(look_up(&same, 106, n, Billing::Prepaid).await, meter);
        differing += u32::from(look_up(&other, 106, n, Billing::Prepaid).await != meter);
    }
    assert_eq!(differing, 20);
}

/// The sandbox knows every debt.
fn owed(meter: &Meter) -> Money {
    meter.debt.unwrap()
}

#[tokio::test]
async fn meters_are_plausible_in_every_company() {
    let bench = SandboxWorld::new();
    let (mut indebted, mut bands, mut owners) = (0, BTreeSet::new(), BTreeSet::new());
    for disco in 101..=112 {
        for n in 0..50 {
            let meter = look_up(&bench, disco, n, Billing::Prepaid).await;
            assert_eq!(meter.disco.as_str(), disco.to_string());
            assert_eq!(meter.billing, Billing::Prepaid);
            assert!(meter.number.digits().starts_with('0'));
            assert!(meter.minimum.is_positive() && meter.minimum.minor() <= 100_000);
            assert!(meter.maximum.minor() >= 20_000_000);
            let (debt, rate) = (owed(&meter), meter.tariff.rate.unwrap());
            assert!(debt.minor() >= 0 && rate.is_sign_positive());
            assert_eq!(meter.last_purchase.is_some(), meter.last_paid.is_some());
            if let Some(last) = meter.last_purchase {
                let ago = bench.clock.now().since(last);
                assert!(last <= bench.clock.now() && ago <= Duration::from_hours(24 * 35));
            }
            indebted += u32::from(debt.is_positive());
            bands.insert(meter.tariff.band);
            owners.insert(meter.owner);
        }
    }
    assert!(
        (60..240).contains(&indebted),
        "most of 600 owe nothing: {indebted}"
    );
    assert_eq!(bands, ["A", "B", "C", "D", "E"].map(String::from).into());
    assert!(owners.len() > 200, "{}", owners.len());
}

#[tokio::test]
async fn a_prepaid_vend_adds_up_and_agrees_with_the_lookup() {
    let bench = SandboxWorld::new();
    let mut recovered_something = 0;
    let mut tokens = BTreeSet::new();
    for n in 0..100 {
        let meter = look_up(&bench, 101 + n % 12, n, Billing::Prepaid).await;
        let paid = 150_001 + i64::from(n) * 7_777;
        let vend = pay(&bench, &format!("a.{n}.1"), &meter, paid).await;
        assert_eq!(vend.debt, meter.debt);
        assert_eq!(
            (vend.last_purchase, vend.last_paid),
            (meter.last_purchase, meter.last_paid)
        );
        let most = Percent::parse("30").unwrap().of(kobo(paid)).unwrap();
        let recovered = owed(&meter).checked_min(most).unwrap();
        let left = vend.outstanding.unwrap();
        assert_eq!(left.checked_add(recovered), meter.debt);
        let rate = meter.tariff.rate.unwrap();
        let parts = breakdown(kobo(paid), recovered, rate).unwrap();
        let token = vend.token.unwrap();
        assert_eq!(
            (token.cost, token.units),
            (Some(parts.cost), Some(parts.units))
        );
        assert_eq!(
            recovered.minor() + parts.cost.minor() + parts.vat.minor(),
            paid
        );
        recovered_something += u32::from(recovered.is_positive());
        let number = token.number.unwrap();
        tokens.insert((number.digits().to_owned(), vend.receipt));
    }
    assert!(recovered_something > 5, "no meter in debt was tried");
    assert_eq!(tokens.len(), 100);
}

#[tokio::test]
async fn a_payment_for_a_bill_goes_to_the_debt_and_brings_no_token() {
    let bench = SandboxWorld::new();
    let (mut paid_off, mut reduced) = (0, 0);
    for n in 0..60 {
        let meter = look_up(&bench, 103, n, Billing::Postpaid).await;
        let vend = pay(&bench, &format!("a.{n}.1"), &meter, 2_000_000).await;
        assert_eq!(vend.token, None);
        let (debt, left) = (owed(&meter), vend.outstanding.unwrap());
        assert_eq!(left.minor(), (debt.minor() - 2_000_000).max(0));
        paid_off += u32::from(debt.is_positive() && left.is_zero());
        reduced += u32::from(left.is_positive());
    }
    assert!(paid_off > 0 && reduced > 0, "{paid_off} {reduced}");
}

#[tokio::test]
async fn a_vend_depends_on_seed_and_reference_and_on_nothing_else() {
    let (one, same, other) = (seeded(5), seeded(5), seeded(6));
    let meter = look_up(&one, 106, 1, Billing::Prepaid).await;
    // What came before must not matter.
    pay(&same, "first", &meter, 100_000).await;
    let vend = pay(&one, "a.1.1", &meter, 500_000).await;
    assert_eq!(pay(&same, "a.1.1", &meter, 500_000).await, vend);
    let number = |vend: Vend| vend.token.unwrap().number;
    let token = number(vend);
    assert_ne!(number(pay(&same, "a.1.2", &meter, 500_000).await), token);
    assert_ne!(number(pay(&other, "a.1.1", &meter, 500_000).await), token);
}
