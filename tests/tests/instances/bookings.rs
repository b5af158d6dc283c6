//! A thousand people after a hundred free times, over all instances. Each time must be given to one
//! of them, and the others must be refused.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use tests::fleet::Fleet;
use tests::folder::OPEN;
use tests::merchant::{TestMerchant, fresh, in_a_month, today};
use tests::patience::time_of_day;
use tests::provider_journal;
use tokio::task::JoinSet;

const PEOPLE: usize = 1_000;
const TIMES: usize = 100;

/// Requests under way: what an instance takes at once.
const AT_ONCE: usize = 64;

const MINUTES: i64 = 15;

/// A service of one person, open day and night.
async fn service(merchant: &TestMerchant) -> Value {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let wanted = json!({
        "mrcReference": fresh("service-"), "bkgName": "Haircut", "bkgTimezone": "UTC",
        "bkgHours": days.map(|day| format!("{day} 00:00-24:00")), "bkgMinutes": MINUTES,
        "bkgTeam": ["Ada"], "currency": "NGN",
    });
    let made = merchant.post("/booking/service", &wanted).await;
    made.with_status(201).json()["bkgService"].clone()
}

/// The hundred quarters of an hour from the day after tomorrow on.
fn times() -> Vec<String> {
    let day = 24 * 60 * 60;
    let now = time_of_day().as_millis().div_euclid(1_000);
    let first = now.div_euclid(day).saturating_add(2).saturating_mul(day);
    let times = (0..TIMES).map(|place| {
        let after = i64::try_from(place)
            .expect("few")
            .saturating_mul(MINUTES * 60);
        let at = jiff::Timestamp::from_second(first.saturating_add(after));
        at.expect("a moment").to_string()
    });
    times.collect()
}

/// Books a time as one person; whether the person has it.
async fn book(merchant: TestMerchant, wanted: Value) -> Option<(String, String)> {
    loop {
        let answer = merchant.post("/booking/appointment", &wanted).await;
        let text = |name: &str| answer.json()[name].to_string();
        match answer.status {
            201 => break Some((text("bkgStart"), text("bkgIdentifier"))),
            409 => {
                let taken = answer.json()["errors"]["params"]["bkgStart"].is_array();
                assert!(taken, "{answer:?}");
                break None;
            }
            429 | 503 => tokio::task::yield_now().await,
            _ => panic!("{answer:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_people_book_a_hundred_times_at_every_instance_each_time_once() {
    let fleet = Fleet::start(OPEN);
    let merchants = fleet.merchants();
    let [first, ..] = &merchants;
    let service = service(first).await;
    let times = times();
    // Those who are after one time ask at once.
    let each = times
        .iter()
        .flat_map(|time| std::iter::repeat_n(time, PEOPLE / TIMES));
    let mut asked = merchants.iter().cycle().zip(each);
    let mut under_way = JoinSet::new();
    let mut booked = BTreeMap::new();
    loop {
        while under_way.len() < AT_ONCE
            && let Some((merchant, time)) = asked.next()
        {
            let wanted = json!({
                "mrcReference": fresh("person-"), "bkgService": service, "bkgStart": time,
                "customerName": "Ngozi Eze", "customerPhone": "2348031234567",
            });
            under_way.spawn(book(merchant.clone(), wanted));
        }
        let Some(done) = under_way.join_next().await else {
            break;
        };
        if let Some((time, number)) = done.expect("an answer") {
            let before = booked.insert(time.clone(), number);
            assert_eq!(before, None, "{time} is given to two");
        }
    }
    assert_eq!(booked.len(), TIMES);
    let numbers: BTreeSet<_> = booked.values().collect();
    assert_eq!(numbers.len(), TIMES);
    // As every instance shows them.
    for merchant in &merchants {
        let (from, to) = (today(), in_a_month());
        let path = format!("/booking/appointments?length=100&from={from}&to={to}");
        let listed = merchant.get(&path).await.with_status(200);
        assert_eq!(listed.json()["query"]["total"], TIMES);
        let rows = listed.json()["appointments"].as_array().cloned();
        let rows = rows.unwrap_or_default();
        let shown: BTreeSet<_> = rows
            .iter()
            .map(|it| it["bkgIdentifier"].to_string())
            .collect();
        assert_eq!(shown.iter().collect::<BTreeSet<_>>(), numbers);
    }
    provider_journal::audit_is_clean(&fleet.account.folder);
}
