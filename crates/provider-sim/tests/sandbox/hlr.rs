//! Lookups of numbers: plausible, and the same whenever a number is looked up.

use crate::support::{SandboxWorld, delivered};
use domain::hlr::{HlrReport, HlrStatus};
use domain::order::Order;
use domain::provider::Fulfilment;
use provider_sim::SimSettings;
use std::collections::BTreeSet;
use testkit::builders::hlr;

const NETWORKS: [(&str, &str); 4] = [
    ("MTN", "30"),
    ("Airtel", "20"),
    ("Glo", "50"),
    ("9mobile", "60"),
];

async fn look_up(
    bench: &SandboxWorld,
    under: &str,
    (number, origin): (&str, Option<&str>),
) -> HlrReport {
    let mut order = hlr().to(number).order();
    if let Order::Hlr(order) = &mut order {
        order.network_origin = origin.map(String::from);
    }
    let Fulfilment::Hlr(report) = delivered(bench.submit(under, order).await).fulfilment else {
        panic!("not a lookup");
    };
    report
}

#[tokio::test]
async fn reports_are_plausible_and_agree_with_themselves() {
    let bench = SandboxWorld::new();
    let (mut ported, mut roaming, mut absent, mut unknown) = (0, 0, 0, 0);
    let mut serving = BTreeSet::new();
    for n in 0_u32..1_000 {
        let number = format!("234803{n:03}4567");
        let report = look_up(&bench, &format!("a.{n}.1"), (&number, Some("MTN"))).await;
        if report.status == HlrStatus::Unknown {
            unknown += 1;
            assert_eq!(report.live, Some(false));
            assert_eq!((report.network_current, report.ported), (None, None));
            continue;
        }
        assert_eq!(report.live, Some(true));
        let current = report.network_current.unwrap();
        let codes = (report.mcc.unwrap(), report.mnc.unwrap());
        let network = NETWORKS.iter().find(|(brand, _)| *brand == current);
        assert_eq!(codes, ("621".to_owned(), network.unwrap().1.to_owned()));
        assert_eq!(report.ported, Some(current != "MTN"));
        ported += u32::from(current != "MTN");
        serving.insert(current);
        if report.status == HlrStatus::Absent {
            absent += 1;
            assert_eq!((report.roaming, report.roaming_country), (None, None));
        } else {
            assert_eq!(report.status, HlrStatus::Ok);
            assert_eq!(report.roaming, Some(report.roaming_country.is_some()));
            roaming += u32::from(report.roaming_country.is_some());
        }
    }
    assert_eq!(serving.len(), 4);
    assert!((80..180).contains(&ported), "{ported}");
    assert!((20..80).contains(&roaming), "{roaming}");
    assert!((40..130).contains(&absent), "{absent}");
    assert!((15..80).contains(&unknown), "{unknown}");
}

#[tokio::test]
async fn where_a_number_is_from_decides_whether_it_was_ported() {
    let bench = SandboxWorld::new();
    for n in 0_u32..50 {
        let number = format!("234702{n:03}4567");
        let smile = look_up(&bench, &format!("a.{n}.1"), (&number, Some("smile"))).await;
        let absent = look_up(&bench, &format!("b.{n}.1"), (&number, None)).await;
        let gone = look_up(&bench, &format!("c.{n}.1"), (&number, Some("Starcomms"))).await;
        assert_eq!(gone, absent, "a network that is no more has no code");
        assert_eq!(absent.ported, None);
        if smile.live == Some(true) {
            assert_eq!(smile.ported, Some(false), "its numbers are not ported");
            assert_eq!(smile.mnc.as_deref(), Some("27"));
            assert!(absent.network_current.is_some());
        }
    }
}

#[tokio::test]
async fn a_number_has_one_report_in_every_run_of_a_seed_and_after_a_restart() {
    let seeded = |seed| {
        SandboxWorld::with(SimSettings {
            seed,
            ..SimSettings::default()
        })
    };
    let (mut one, other) = (seeded(5), seeded(6));
    let mut differing = 0;
    for n in 0..200 {
        let number = format!("234803555{:04}", n + 30);
        let asked = (number.as_str(), Some("MTN"));
        let report = look_up(&one, &format!("a.{n}.1"), asked).await;
        assert_eq!(look_up(&one, &format!("b.{n}.1"), asked).await, report);
        differing += u32::from(look_up(&other, &format!("a.{n}.1"), asked).await != report);
        if n == 0 {
            let before = one.query("a.0.1").await;
            one.restart();
            assert_eq!(one.query("a.0.1").await, before);
        }
    }
    assert!(differing > 20, "{differing}");
}
