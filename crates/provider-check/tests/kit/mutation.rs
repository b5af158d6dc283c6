//! How copies of the reference are broken, each in one rule, and how they are found. A copy must be
//! found by the check of its rule, whatever else finds it besides.

use crate::broken_provider::{AtBroken, BrokenProvider};
use crate::reference_provider::{run, scenario};
use provider_check::{CheckGrade, WireAnswer};
use serde_json::Value;
use std::future::Future;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// How many copies are checked at once.
const AT_ONCE: usize = 6;

macro_rules! mutants {
    ($($Name:ident: $check:literal, $at:ident => $answer:expr;)*) => {
        $(struct $Name;

        #[async_trait]
        impl Broken for $Name {
            async fn answer(&self, $at: AtBroken<'_>) -> WireAnswer {
                $answer
            }
        })*

        /// Every broken copy: its name, and the check that must find it.
        pub(crate) const MUTANTS: &[(&str, &str)] = &[$((stringify!($Name), $check),)*];

        pub(crate) async fn started(name: &str) -> BrokenProvider {
            match name {
                $(stringify!($Name) => BrokenProvider::start($Name).await,)*
                _ => panic!("{name}"),
            }
        }
    };
}

pub(crate) use mutants;

pub(crate) fn edit_answers(
    at: &AtBroken<'_>,
    answer: WireAnswer,
    edit: impl FnOnce(&mut Value),
) -> WireAnswer {
    let of_attempt = at.submits() || at.queries() || at.seals();
    if of_attempt && answer.status == 200 {
        return at.edited(&answer, edit);
    }
    answer
}

fn created(input: &str) -> i64 {
    let after = input.split("created=").nth(1).unwrap_or("0");
    after.split(';').next().unwrap().parse().unwrap()
}

pub(crate) fn is_old(at: &AtBroken<'_>) -> bool {
    let now = crate::reference_provider::MachineClock::shared().now();
    (created(at.input()) - now.as_millis() / 1_000).abs() > 300
}

pub(crate) const CHECKED: &[&str] = &["provider", "airtime", "electricity"];

/// Runs the checks against each broken copy, and fails where one is not found by its rule.
pub(crate) async fn are_found<S>(
    mutants: &'static [(&'static str, &'static str)],
    started: impl Fn(&'static str) -> S,
) where
    S: Future<Output = BrokenProvider> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut checked = JoinSet::new();
    for (name, check) in mutants {
        let places = Arc::clone(&places);
        let starting = started(name);
        checked.spawn(async move {
            let _place = places.acquire().await.unwrap();
            let copy = starting.await;
            let effects = Some(copy.effects());
            // A meter gives a token; the other rules are the same for every service.
            let with_meter = *check == "provider::receipt::complete";
            let checked = if with_meter { CHECKED } else { &CHECKED[..2] };
            let report = run(copy.relay.url(), effects, (&scenario(with_meter), checked)).await;
            assert_eq!(report.grade, CheckGrade::Ungraded);
            let failed: Vec<String> = report.failed().map(|it| it.name.clone()).collect();
            let found = report.failed().find(|it| it.name == *check);
            let shown = found.is_some_and(|it| !it.remedy.is_empty());
            (*name, *check, shown, failed)
        });
    }
    let results = checked.join_all().await;
    assert_eq!(results.len(), mutants.len());
    for (name, check, _, failed) in &results {
        println!("{name}: {check}: {}", failed.join(" "));
    }
    let survivors: Vec<_> = results.iter().filter(|(_, _, found, _)| !found).collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}
