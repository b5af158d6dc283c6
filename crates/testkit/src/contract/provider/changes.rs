//! Laws of the changes that a provider reports without being asked.

use super::{ProviderBehaviour, ProviderUnderTest, query, receipt, submit};
use domain::order::Service;
use domain::provider::QueryOutcome;
use domain::reference::ProviderReference;
use ports::provider::Changes;

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

/// A reversed delivery is reported unasked where the provider reports changes, and found by a
/// query.
pub async fn a_reversal_is_reported_and_found(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        let reported = all_changes(bench, 0).await.next;
        let (sent, outcome) = submit(bench, (service, ProviderBehaviour::TakesBack), "back").await;
        receipt(outcome);
        bench.let_time_pass().await;
        let mut received = reported_for(bench, &sent.reference, reported).await;
        if matches!(service, Service::Sms | Service::Whatsapp | Service::Rcs) {
            // Its earlier status may have been reported as well.
            received.retain(|finding| !matches!(finding, QueryOutcome::Delivered(_)));
        }
        let expected = bench.reports_changes().then_some(QueryOutcome::Reversed);
        assert_eq!(received, Vec::from_iter(expected));
        assert_eq!(query(bench, &sent).await, QueryOutcome::Reversed);
        assert_eq!(bench.deliveries(&sent.reference).await, 1);
    }
}

/// A second read from a cursor returns the same: a reader that crashed misses nothing, and one that
/// continues receives nothing twice. A provider without such a list has an empty one.
pub async fn changes_are_reported_again_from_the_same_cursor(bench: &impl ProviderUnderTest) {
    let service = *bench.services().first().expect("a service");
    let mut taken_back = Vec::new();
    for name in ["one", "two"] {
        let (sent, _) = submit(bench, (service, ProviderBehaviour::TakesBack), name).await;
        bench.let_time_pass().await;
        taken_back.push(sent.reference);
    }
    let all = all_changes(bench, 0).await;
    if !bench.reports_changes() {
        assert_eq!((all.findings, all.next), (vec![], 0));
        return;
    }
    let reported: Vec<_> = all.findings.iter().map(|(it, _)| it.clone()).collect();
    assert_eq!(reported, taken_back);
    assert_eq!(all_changes(bench, 0).await, all);
    let rest = changes(bench, all.next).await;
    assert_eq!((rest.findings, rest.next), (vec![], all.next));

    let (third, _) = submit(bench, (service, ProviderBehaviour::TakesBack), "three").await;
    bench.let_time_pass().await;
    let rest = all_changes(bench, all.next).await;
    let (reported, _) = rest.findings.first().expect("the third is reported");
    assert_eq!((reported, rest.findings.len()), (&third.reference, 1));
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_adapters_run() {
        let listed: Vec<_> = include_str!("mod.rs").lines().map(str::trim).collect();
        let laws = [
            include_str!("mod.rs"),
            include_str!("families.rs"),
            include_str!("changes.rs"),
            include_str!("permits.rs"),
            include_str!("preparing.rs"),
            include_str!("serving.rs"),
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
