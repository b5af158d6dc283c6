//! Laws of the changes that a provider reports without being asked.

use super::{ProviderBehaviour, ProviderUnderTest, receipt, submit};
use domain::order::Service;
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use ports::provider::{AttemptQuery, Changes};

async fn changes(bench: &impl ProviderUnderTest, cursor: u64) -> Changes {
    bench
        .provider()
        .changes_since(cursor)
        .await
        .expect("changes")
}

/// Reads changes from a cursor to the end.
pub(super) async fn all_changes(bench: &impl ProviderUnderTest, cursor: u64) -> Changes {
    let mut all = changes(bench, cursor).await;
    loop {
        let more = changes(bench, all.next).await;
        if more.findings.is_empty() {
            return all;
        }
        assert!(more.next > all.next, "the cursor moves with each report");
        all.next = more.next;
        all.findings.extend(more.findings);
    }
}

/// The changes reported for a reference from a cursor on, in order.
pub(super) async fn reported_for(
    bench: &impl ProviderUnderTest,
    reference: &ProviderReference,
    cursor: u64,
) -> Vec<QueryOutcome> {
    let all = all_changes(bench, cursor).await.findings.into_iter();
    let of_it = all.filter(|(reported, _)| reported == reference);
    of_it.map(|(_, finding)| finding).collect()
}

/// A reversed delivery is reported unasked, and found by a query.
pub async fn a_reversal_is_reported_and_found(bench: &impl ProviderUnderTest) {
    for service in Service::all() {
        let reported = all_changes(bench, 0).await.next;
        let (reference, _, outcome) =
            submit(bench, (service, ProviderBehaviour::TakesBack), "back").await;
        receipt(outcome);
        bench.let_time_pass().await;
        let mut received = reported_for(bench, &reference, reported).await;
        if service == Service::Sms {
            // Its earlier status may have been reported as well.
            received.retain(|finding| !matches!(finding, QueryOutcome::Delivered(_)));
        }
        assert_eq!(received, [QueryOutcome::Reversed]);
        assert_eq!(
            bench
                .provider()
                .query(&AttemptQuery::by(&reference))
                .await
                .outcome,
            QueryOutcome::Reversed
        );
        assert_eq!(bench.deliveries(&reference).await, 1);
    }
}

/// A second read from a cursor returns the same: a reader that crashed misses nothing, and one that
/// continues receives nothing twice.
pub async fn changes_are_reported_again_from_the_same_cursor(bench: &impl ProviderUnderTest) {
    for name in ["one", "two"] {
        submit(
            bench,
            (Service::Airtime, ProviderBehaviour::TakesBack),
            name,
        )
        .await;
        bench.let_time_pass().await;
    }
    let all = all_changes(bench, 0).await;
    assert_eq!(all.findings.len(), 2);
    assert_eq!(all_changes(bench, 0).await, all);
    let rest = changes(bench, all.next).await;
    assert_eq!((rest.findings, rest.next), (vec![], all.next));

    submit(
        bench,
        (Service::Airtime, ProviderBehaviour::TakesBack),
        "three",
    )
    .await;
    bench.let_time_pass().await;
    let rest = all_changes(bench, all.next).await;
    let (reported, _) = rest.findings.first().expect("the third is reported");
    assert_eq!(
        (reported.as_str(), rest.findings.len()),
        ("shop.three-airtime.1", 1)
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_adapters_run() {
        let listed: Vec<_> = include_str!("mod.rs").lines().map(str::trim).collect();
        let laws = [
            include_str!("mod.rs"),
            include_str!("families.rs"),
            include_str!("permits.rs"),
        ];
        let laws: Vec<_> = laws
            .iter()
            .flat_map(|file| file.lines())
            .filter_map(|line| line.strip_prefix("pub async fn "))
            .filter_map(|law| law.split('(').next())
            .collect();
        assert!(laws.len() > 10, "{laws:?}");
        for law in laws {
            assert!(listed.contains(&law), "{law} is not in provider_contract!");
        }
    }
}
