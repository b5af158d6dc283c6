//! What the results of a call make of deliveries and endpoints, before anything is written. A
//! result that does not count must change nothing but the log.

use super::PRUNE_FROM_REPLAY;
use super::delivery::DeliveryProgress;
use super::endpoint::record_answer;
use domain::account::AccountId;
use domain::webhook::{
    DisabledBecause, Endpoint, EndpointHealth, EndpointId, EndpointState, EventPayload, Topic,
    WebhookEvent, WebhookEventId,
};
use ports::webhooks::{AttemptResult, EndpointDisabled};
use std::collections::BTreeMap;

/// A delivery that a result counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovedDelivery {
    /// What the last result that counts makes of it.
    pub progress: DeliveryProgress,
    /// The place of that result in the call.
    pub by: usize,
}

/// The health of an endpoint with results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedHealth {
    /// Whose endpoint it is.
    pub account: AccountId,
    /// Which.
    pub endpoint: EndpointId,
    /// As it was read.
    pub before: EndpointHealth,
    /// As the results leave it.
    pub after: EndpointHealth,
}

/// What results come to. `K` names the row of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingPlan<K> {
    /// The results for the log, by their places in the call.
    pub noted: Vec<(usize, K)>,
    /// The deliveries that results count for.
    pub moved: BTreeMap<K, MovedDelivery>,
    /// The deliveries that may have more attempts in the log than are shown, with how many this
    /// call adds.
    pub crowded: BTreeMap<K, i64>,
    /// The endpoints of all results in the log, changed or not: a store that locks rows must lock
    /// these before the deliveries of theirs.
    pub health: Vec<RecordedHealth>,
    /// The endpoints that are given up, each with the event for the others of its account.
    pub given_up: Vec<(EndpointDisabled, WebhookEvent)>,
}

impl<K: Copy + Ord> RecordingPlan<K> {
    /// Counts results in their order: `stored` are the deliveries by the places of their results,
    /// without those that are gone, and `known` the endpoints that can be read. Results of others
    /// are skipped.
    pub fn of(
        ended: &[AttemptResult],
        stored: &BTreeMap<usize, (K, DeliveryProgress)>,
        known: &[Endpoint],
    ) -> Self {
        let known = known.iter().map(|it| ((&it.account, it.id), it.health));
        let known: BTreeMap<_, EndpointHealth> = known.collect();
        let mut recording = Self {
            noted: Vec::new(),
            moved: BTreeMap::new(),
            crowded: BTreeMap::new(),
            health: Vec::new(),
            given_up: Vec::new(),
        };
        let mut standing = BTreeMap::new();
        let mut counted = BTreeMap::<_, Vec<&AttemptResult>>::new();
        for (place, one) in ended.iter().enumerate() {
            let endpoint = (&one.account, one.delivery.endpoint);
            let Some((key, read)) = stored.get(&place) else {
                continue;
            };
            if !known.contains_key(&endpoint) {
                continue;
            }
            recording.noted.push((place, *key));
            let counting = counted.entry(endpoint).or_default();
            let progress = standing.entry(*key).or_insert(*read);
            if progress.round >= PRUNE_FROM_REPLAY {
                let added = recording.crowded.entry(*key).or_default();
                *added = i64::saturating_add(*added, 1);
            }
            if let Some(after) = progress.after(one) {
                *progress = after;
                let moved = MovedDelivery {
                    progress: after,
                    by: place,
                };
                recording.moved.insert(*key, moved);
                counting.push(one);
            }
        }
        for (endpoint, results) in counted {
            if let Some(before) = known.get(&endpoint) {
                recording.judge(endpoint, *before, &results);
            }
        }
        recording
    }

    /// Whether there is nothing to write.
    pub const fn is_empty(&self) -> bool {
        self.noted.is_empty()
    }

    fn judge(
        &mut self,
        (account, endpoint): (&AccountId, EndpointId),
        before: EndpointHealth,
        results: &[&AttemptResult],
    ) {
        let (after, because) = record_answer(before, results);
        if let (Some(because), Some(first)) = (because, results.first()) {
            self.give_up((account, endpoint, because), after, first);
        }
        self.health.push(RecordedHealth {
            account: account.clone(),
            endpoint,
            before,
            after,
        });
    }

    fn give_up(
        &mut self,
        (account, endpoint, because): (&AccountId, EndpointId, DisabledBecause),
        after: EndpointHealth,
        first: &AttemptResult,
    ) {
        let EndpointState::Disabled { at, .. } = after.state else {
            return;
        };
        let of = EndpointDisabled {
            account: account.clone(),
            endpoint,
            because,
        };
        let event = WebhookEvent {
            id: WebhookEventId::fresh(first.event),
            topic: Topic::WebhookDisabled,
            sequence: 1,
            at,
            subject: EventPayload::Endpoint(endpoint),
        };
        self.given_up.push((of, event));
    }
}
