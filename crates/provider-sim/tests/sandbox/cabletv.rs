//! Smartcards: plausible, and the same whenever they are looked up.

use crate::support::SandboxWorld;
use domain::cabletv::{Smartcard, SmartcardNumber};
use domain::country::CountryCode;
use ports::catalogue::Catalogue;
use ports::clock::Clock;
use ports::provider::{LookupFailure, Smartcards};
use provider_sim::{SandboxCatalogue, SimSettings};
use std::collections::BTreeSet;
use std::time::Duration;
use testkit::builders::provider_code;

const MONTH: Duration = Duration::from_hours(24 * 30);

async fn look_up(
    bench: &SandboxWorld,
    provider: &str,
    digits: &str,
) -> Result<Smartcard, LookupFailure> {
    let number = SmartcardNumber::parse(digits).unwrap();
    let provider = provider_code(provider);
    bench.simulator().smartcard(&provider, &number).await
}

#[tokio::test]
async fn cards_are_plausible_at_every_provider() {
    let bench = SandboxWorld::new();
    let catalogue = SandboxCatalogue::new();
    for provider in catalogue.cable_providers(CountryCode::NIGERIA) {
        let (mut statuses, mut plans) = (BTreeSet::new(), BTreeSet::new());
        let (mut addresses, mut telephones, mut credited) = (0, 0, 0);
        for n in 0_u32..300 {
            let digits = format!("70{:08}", n * 7_919 + 20);
            let card = look_up(&bench, provider.code.as_str(), &digits)
                .await
                .unwrap();
            assert_eq!(
                (&card.provider, &card.brandname),
                (&provider.code, &provider.brandname)
            );
            assert_eq!(card.number.digits(), digits);
            assert_eq!(card.plan.is_some(), card.due_at.is_some());
            if let (Some(plan), Some(due)) = (&card.plan, card.due_at) {
                assert_eq!(provider.plan(&plan.code), Some(plan));
                plans.insert(plan.code.clone());
                let now = bench.clock.now();
                let (ahead, ago) = (due.since(now), now.since(due));
                assert!(ahead <= MONTH && ago <= MONTH);
                assert_eq!(card.status == "Open", due > now, "{card:?}");
            }
            addresses += u32::from(card.customer_address.is_some());
            telephones += u32::from(card.customer_number.is_some());
            credited += u32::from(card.balance.is_positive());
            statuses.insert(card.status);
        }
        assert_eq!(
            statuses,
            ["New", "Open", "Suspended"].map(String::from).into()
        );
        assert_eq!(plans.len(), provider.plans.len(), "every plan is had");
        assert!(addresses < 300, "some addresses are not known");
        assert!((150..300).contains(&telephones), "{telephones}");
        assert!((50..150).contains(&credited), "{credited}");
    }
}

#[tokio::test]
async fn a_card_is_the_same_in_every_run_of_a_seed_and_runs_out_on_its_day() {
    let seeded = |seed| {
        SandboxWorld::with(SimSettings {
            seed,
            ..SimSettings::default()
        })
    };
    let (one, same, other) = (seeded(5), seeded(5), seeded(6));
    let mut differing = 0;
    for n in 10..40 {
        let digits = format!("70123456{n}");
        let card = look_up(&one, "201", &digits).await.unwrap();
        assert_eq!(look_up(&same, "201", &digits).await, Ok(card.clone()));
        differing += u32::from(look_up(&other, "201", &digits).await != Ok(card));
    }
    assert_eq!(differing, 30);
    let digits = "7012345678";
    let before = look_up(&one, "201", digits).await.unwrap();
    let due = before.due_at.unwrap();
    let last_moment = due
        .since(one.clock.now())
        .saturating_sub(Duration::from_millis(1));
    one.clock.advance(last_moment).await;
    assert_eq!(look_up(&one, "201", digits).await, Ok(before.clone()));
    one.clock.advance(Duration::from_millis(1)).await;
    let after = look_up(&one, "201", digits).await.unwrap();
    assert_eq!(after.due_at, Some(due.plus(MONTH)), "it is renewed");
}

#[tokio::test]
async fn lookups_of_0012_and_0014_fail_and_all_others_answer() {
    let bench = SandboxWorld::new();
    let asked = async |provider: &str, digits: &str| look_up(&bench, provider, digits).await;
    assert_eq!(
        asked("201", "7012340012").await,
        Err(LookupFailure::Unreachable)
    );
    assert_eq!(
        asked("201", "7012340014").await,
        Err(LookupFailure::Unknown)
    );
    assert_eq!(
        asked("301", "7012344567").await,
        Err(LookupFailure::Unknown)
    );
    for ending in ["0001", "0002", "0008", "0013", "4567"] {
        assert!(asked("202", &format!("701234{ending}")).await.is_ok());
    }
}
