//! What is to be delivered, and what became of it. Nothing here must record a delivery of what a
//! commit did.

use super::{DeliveryRow, MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::account::AccountId;
use domain::reference::TransactionNumber;
use domain::time::Timestamp;
use domain::webhook::{
    ATTEMPTS_SHOWN, Attempt, Delivery, DeliveryId, DeliveryState, DisabledBecause, Endpoint,
    EndpointId, EndpointState, EventPayload, Topic, WebhookEvent, WebhookEventId,
};
use ports::PortError;
use ports::webhooks::{
    AttemptResult, Claimed, DeliveryClaim, DeliveryPage, DeliveryQuery, EndpointDisabled,
    LatestDue, Outbox, Replay, ReplayOf, Replayed, StorageExcess,
};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

#[async_trait]
impl Outbox for MemoryStore {
    async fn claim_deliveries(&self, claim: &DeliveryClaim) -> Result<Vec<Claimed>, PortError> {
        let mut tables = self.tables();
        let mut due = tables.claimable(claim);
        due.sort_by_key(|place| {
            let row = &tables.deliveries[*place];
            (!row.requested, due_at(&row.delivery))
        });
        let mut taken = BTreeMap::<_, u32>::new();
        let mut turns = Vec::new();
        for (nth, place) in due.into_iter().enumerate() {
            let delivery = &tables.deliveries[place].delivery;
            let to = (delivery.account.clone(), delivery.endpoint);
            let turn = taken.entry(to).or_default();
            turns.push((*turn, nth, place));
            *turn += 1;
        }
        // Endpoints take turns; what is taken is answered longest due first.
        turns.sort_unstable();
        turns.retain(|(turn, ..)| *turn < claim.per_endpoint);
        turns.truncate(usize::try_from(claim.limit).unwrap_or(usize::MAX));
        turns.sort_unstable_by_key(|(_, nth, _)| *nth);
        let until = DeliveryState::Due(claim.now.plus(claim.lease));
        let claimed = turns.into_iter().map(|(.., place)| {
            let row = &mut tables.deliveries[place];
            row.delivery.state = until;
            row.requested = false;
            tables.claimed(place)
        });
        Ok(claimed.collect())
    }

    async fn record_attempts(
        &self,
        ended: &[AttemptResult],
    ) -> Result<Vec<EndpointDisabled>, PortError> {
        let mut tables = self.tables();
        let mut counted = BTreeMap::<_, Vec<&AttemptResult>>::new();
        for one in ended {
            let Some(row) = tables.delivery_mut(&one.account, &one.delivery) else {
                continue;
            };
            row.log.push(without_excerpt(&one.attempt));
            let delivery = &mut row.delivery;
            let is_due = matches!(delivery.state, DeliveryState::Due(_));
            let is_next = (delivery.attempts + 1, delivery.round) == (one.number, one.round);
            if is_due && is_next {
                delivery.attempts = one.number;
                delivery.state = one.outcome.state;
                row.requested = false;
                row.last = Some(one.attempt.clone());
                let to = (one.account.clone(), one.delivery.endpoint);
                counted.entry(to).or_default().push(one);
            }
        }
        let mut given_up = Vec::new();
        let mut events = Vec::new();
        for ((account, endpoint), results) in counted {
            let Some(known) = tables.endpoint_mut(&account, endpoint) else {
                continue;
            };
            let Some(because) = record_answer(known, &results) else {
                continue;
            };
            let EndpointState::Disabled { at, .. } = known.health.state else {
                continue;
            };
            events.push(WebhookEvent {
                id: WebhookEventId::fresh(results[0].event),
                topic: Topic::WebhookDisabled,
                sequence: 1,
                at,
                subject: EventPayload::Endpoint(endpoint),
            });
            given_up.push(EndpointDisabled {
                account,
                endpoint,
                because,
            });
        }
        for (it, event) in given_up.iter().zip(&events) {
            tables.announce(&it.account, None, event);
        }
        Ok(given_up)
    }

    async fn announce(
        &self,
        account: &AccountId,
        endpoint: Option<EndpointId>,
        event: &WebhookEvent,
    ) -> Result<u64, PortError> {
        if !matches!(
            event.subject,
            EventPayload::Endpoint(_) | EventPayload::Report(_) | EventPayload::Ping
        ) {
            let what = format!("announce {}, which a commit records", event.id);
            return Err(PortError::new("memory", what));
        }
        Ok(self.tables().announce(account, endpoint, event))
    }

    async fn announced_to(
        &self,
        account: &AccountId,
        event: &WebhookEventId,
    ) -> Result<Option<EndpointId>, PortError> {
        let tables = self.tables();
        let mut to: Vec<_> = tables.endpoints.iter().collect();
        to.retain(|endpoint| endpoint.account == *account);
        to.sort_by_key(|endpoint| (endpoint.created_at, endpoint.id));
        let has_it = |endpoint: &&&Endpoint| {
            let mut deliveries = tables.deliveries.iter().map(|row| &row.delivery);
            deliveries.any(|it| {
                let is_its = (&it.account, it.endpoint) == (account, endpoint.id);
                let no_cause = matches!(
                    it.event.subject,
                    EventPayload::Endpoint(_)
                        | EventPayload::Report(_)
                        | EventPayload::Incoming(_)
                        | EventPayload::Ping
                );
                is_its && no_cause && it.event.id == *event
            })
        };
        Ok(to.iter().find(has_it).map(|endpoint| endpoint.id))
    }

    async fn deliveries(
        &self,
        account: &AccountId,
        query: &DeliveryQuery,
    ) -> Result<DeliveryPage, PortError> {
        Ok(self.tables().delivery_page(account, query))
    }

    async fn deliveries_of(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<(Delivery, Vec<Attempt>)>, PortError> {
        Ok(self.tables().deliveries_of(account, number))
    }

    async fn replay(&self, account: &AccountId, replay: &Replay) -> Result<Replayed, PortError> {
        let mut tables = self.tables();
        let mut wanted: Vec<&mut DeliveryRow> = match &replay.what {
            ReplayOf::One(id) => tables.delivery_mut(account, id).into_iter().collect(),
            ReplayOf::Range {
                endpoint,
                from,
                until,
            } => {
                if tables.endpoint_mut(account, *endpoint).is_none() {
                    return Ok(Replayed::Unknown);
                }
                let within =
                    |row: &&mut DeliveryRow| (*from..*until).contains(&row.delivery.event.at);
                tables
                    .deliveries_to(account, *endpoint)
                    .filter(within)
                    .collect()
            }
        };
        if matches!(replay.what, ReplayOf::One(_)) && wanted.is_empty() {
            return Ok(Replayed::Unknown);
        }
        let count = wanted.len() as u64;
        if count > replay.most {
            return Ok(Replayed::TooMany);
        }
        for row in &mut wanted {
            row.delivery.attempts = 0;
            row.delivery.round += 1;
            row.delivery.state = DeliveryState::Due(replay.now);
            row.requested = replay.is_requested();
        }
        Ok(Replayed::Done(count))
    }

    async fn forget_delivered(&self, before: Timestamp, most: u32) -> Result<u64, PortError> {
        Ok(self.tables().forget_delivered(before, most))
    }

    async fn excess(&self, kept: NonZeroU32) -> Result<Vec<StorageExcess>, PortError> {
        Ok(self.tables().excess(kept))
    }

    async fn forget_excess(&self, excess: &StorageExcess, most: u32) -> Result<u64, PortError> {
        Ok(self.tables().forget_excess(excess, most))
    }

    async fn bound_due(&self, latest: LatestDue, most: u32) -> Result<u64, PortError> {
        let mut bounded = 0;
        for row in &mut self.tables().deliveries {
            let DeliveryState::Due(at) = row.delivery.state else {
                continue;
            };
            let latest = if row.delivery.attempts == 0 {
                latest.untried
            } else {
                latest.retried
            };
            if at > latest && !row.requested && bounded < u64::from(most) {
                row.delivery.state = DeliveryState::Due(latest);
                bounded += 1;
            }
        }
        Ok(bounded)
    }
}

fn without_excerpt(attempt: &Attempt) -> Attempt {
    let mut attempt = attempt.clone();
    if let Ok(answer) = &mut attempt.result {
        answer.excerpt.clear();
    }
    attempt
}

/// When a delivery is due; what is not comes last.
fn due_at(delivery: &Delivery) -> Timestamp {
    match delivery.state {
        DeliveryState::Due(at) => at,
        DeliveryState::Delivered(_) | DeliveryState::Parked(_) => Timestamp::from_millis(i64::MAX),
    }
}

/// The order of the names of events: lines of statements by their place, then their currency, and
/// before all others; these by their numbers, 7 and 12 of `evt_7_12`.
pub(super) fn names(id: &WebhookEventId) -> (bool, Vec<u64>, String) {
    let parts = id.as_str().split('_').skip(1);
    let (words, numbers): (Vec<&str>, Vec<&str>) =
        parts.partition(|part| part.starts_with(char::is_alphabetic));
    let numbers = numbers.into_iter().map(|it| it.parse().expect("a number"));
    (words.is_empty(), numbers.collect(), words.concat())
}

/// What results of attempts say about an endpoint, and why it is given up, if it is now.
fn record_answer(endpoint: &mut Endpoint, results: &[&AttemptResult]) -> Option<DisabledBecause> {
    let ends = |success: bool| {
        let of_kind = move |one: &&&AttemptResult| one.outcome.success == success;
        results
            .iter()
            .filter(of_kind)
            .map(|one| one.attempt.ended_at())
    };
    if let Some(succeeded_at) = ends(true).max() {
        endpoint.health.failing_since = ends(false).filter(|at| *at > succeeded_at).min();
    } else if endpoint.health.failing_since.is_none() {
        endpoint.health.failing_since = ends(false).min();
    }
    let at = ends(false).max()?;
    let because = if results.iter().any(|one| one.outcome.gone) {
        DisabledBecause::Gone
    } else if endpoint.health.fails_for_too_long(at) {
        DisabledBecause::Failing
    } else {
        return None;
    };
    if endpoint.health.state != EndpointState::Enabled {
        return None;
    }
    endpoint.health.state = EndpointState::Disabled { because, at };
    Some(because)
}

impl DeliveryRow {
    pub(super) fn with_attempts(&self) -> (Delivery, Vec<Attempt>) {
        let newest = self.log.len().saturating_sub(ATTEMPTS_SHOWN);
        let mut log = self.log[newest..].to_vec();
        log.sort_by_key(|attempt| attempt.at);
        for attempt in &mut log {
            if let Some(last) = self.last.as_ref().filter(|last| last.at == attempt.at)
                && let (Ok(answer), Ok(last)) = (&mut attempt.result, &last.result)
            {
                answer.excerpt.clone_from(&last.excerpt);
            }
        }
        let mut delivery = self.delivery.clone();
        if let DeliveryState::Due(at) = delivery.state {
            let event_at = delivery.event.at;
            // What goes before whatever waits is due since its event.
            let at = if self.requested { event_at } else { at };
            delivery.state = DeliveryState::Due(at.max(event_at));
        }
        (delivery, log)
    }
}

impl MemoryTables {
    /// The places of what a claim may take.
    fn claimable(&self, claim: &DeliveryClaim) -> Vec<usize> {
        let except: BTreeSet<_> = claim.except.iter().cloned().collect();
        let may = |row: &DeliveryRow| {
            let delivery = &row.delivery;
            let to = (delivery.account.clone(), delivery.endpoint);
            let endpoint = self
                .endpoints
                .iter()
                .find(|it| (&it.account, it.id) == (&to.0, to.1));
            let is_due = claim.due_by().is_some_and(|by| due_at(delivery) <= by);
            (row.requested || is_due)
                && endpoint.is_some_and(|it| it.health.is_served())
                && !except.contains(&to)
                && !self.waits_for_its_turn(delivery)
        };
        let places = self.deliveries.iter().enumerate();
        places
            .filter_map(|(place, row)| may(row).then_some(place))
            .collect()
    }

    /// Whether an earlier event of the same transaction was not even tried at the same endpoint.
    fn waits_for_its_turn(&self, delivery: &Delivery) -> bool {
        let EventPayload::Transaction(tx) = &delivery.event.subject else {
            return false;
        };
        self.deliveries.iter().map(|row| &row.delivery).any(|it| {
            let EventPayload::Transaction(other) = &it.event.subject else {
                return false;
            };
            (&it.account, it.endpoint) == (&delivery.account, delivery.endpoint)
                && other.number == tx.number
                && it.event.sequence < delivery.event.sequence
                && matches!(it.state, DeliveryState::Due(_))
                && it.attempts == 0
        })
    }

    fn claimed(&self, place: usize) -> Claimed {
        let delivery = self.deliveries[place].delivery.clone();
        let is_it = |it: &&Endpoint| it.account == delivery.account && it.id == delivery.endpoint;
        let endpoint = self.endpoints.iter().find(is_it).expect("it was looked up");
        let owner = self.account(&delivery.account).expect("it has endpoints");
        Claimed {
            endpoint: endpoint.clone(),
            account: owner.account.clone(),
            delivery,
        }
    }

    pub(super) fn deliveries_to(
        &mut self,
        account: &AccountId,
        id: EndpointId,
    ) -> impl Iterator<Item = &mut DeliveryRow> {
        let rows = self.deliveries.iter_mut();
        rows.filter(move |row| row.delivery.account == *account && row.delivery.endpoint == id)
    }

    fn delivery_mut(&mut self, account: &AccountId, id: &DeliveryId) -> Option<&mut DeliveryRow> {
        if self.is_removed(account, id.endpoint) {
            return None;
        }
        let mut to_it = self.deliveries_to(account, id.endpoint);
        to_it.find(|row| row.delivery.event.id == id.event)
    }
}
