//! Which endpoints are notified of a batch. Each event must show the transaction as its own step
//! left it, not as the batch leaves it, and each statement entry its own balance.

use super::plan::{LineEvent, NewDelivery, PlannedObservation};
use crate::record::SubscriberRow;
use domain::account::AccountId;
use domain::change_set::StateChange;
use domain::webhook::Topic;
use std::collections::HashMap;
use std::sync::Arc;

/// The account whose endpoints must be read before a step can be planned: none where it has no
/// public event. No transaction begins with one.
pub(super) fn events_of(advance: &StateChange) -> Option<&AccountId> {
    topic(advance).map(|_| &advance.transaction.account)
}

fn topic(advance: &StateChange) -> Option<Topic> {
    advance
        .event
        .as_ref()
        .and_then(|event| Topic::of(event.kind))
}

/// The subscribed endpoints, by account.
pub(super) struct Subscribers<'a>(HashMap<&'a str, Vec<&'a SubscriberRow>>);

impl<'a> Subscribers<'a> {
    pub(super) fn new(rows: &'a [SubscriberRow]) -> Self {
        let mut subscribers = HashMap::<&str, Vec<_>>::new();
        for row in rows {
            subscribers.entry(&row.account).or_default().push(row);
        }
        Self(subscribers)
    }

    /// The deliveries of a step, one for each subscribed endpoint.
    pub(super) fn of(&self, advance: &'a StateChange) -> impl Iterator<Item = NewDelivery<'a>> {
        let transaction = &advance.transaction;
        let reported = topic(advance).zip(advance.event.as_ref());
        let reported = reported
            .map(|(topic, event)| (topic, PlannedObservation::Event { event, transaction }));
        self.hearing(&transaction.account, reported)
    }

    /// What is to be delivered of a line of an account's statement.
    pub(super) fn of_statement_entry(
        &self,
        account: &'a AccountId,
        observation: LineEvent,
    ) -> impl Iterator<Item = NewDelivery<'a>> {
        let topic = match observation.low_balance_threshold {
            None => Topic::AccountCredited,
            Some(_) => Topic::AccountLowBalance,
        };
        self.hearing(
            account,
            Some((topic, PlannedObservation::Line(Arc::new(observation)))),
        )
    }

    fn hearing(
        &self,
        account: &'a AccountId,
        reported: Option<(Topic, PlannedObservation<'a>)>,
    ) -> impl Iterator<Item = NewDelivery<'a>> {
        let subscribers = self.0.get(account.as_str()).filter(|_| reported.is_some());
        let subscribers = subscribers.into_iter().flatten();
        subscribers.filter_map(move |subscriber| {
            let (topic, observation) = reported.as_ref()?;
            subscriber.subscribes_to(*topic).then(|| NewDelivery {
                account,
                endpoint: subscriber.endpoint,
                topic: *topic,
                observation: observation.clone(),
            })
        })
    }
}
