//! Which endpoints are notified of a batch. Each event must show the transaction as its own step
//! left it, not as the batch leaves it, and each statement entry its own balance.

use super::plan::{LineEvent, NewDelivery, PlannedObservation};
use crate::record::SubscriberRow;
use domain::account::AccountId;
use domain::change_set::{Opening, StateChange};
use domain::event::Event;
use domain::transaction::Transaction;
use domain::webhook::Topic;
use std::collections::HashMap;
use std::sync::Arc;

/// The account whose endpoints must be read before a step can be planned: none where it has no
/// public event. No transaction begins with one.
pub(super) fn events_of(advance: &StateChange) -> Option<&AccountId> {
    let topic = advance.event.and_then(|event| Topic::of(event.kind));
    topic.map(|_| &advance.transaction.account)
}

/// The same of an opening: none has a public event but one that is booked to its end.
pub(super) fn events_of_opening(opening: &Opening) -> Option<&AccountId> {
    let booked = opening.booking.as_ref();
    booked.map(|_| &opening.transaction.account)
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
        self.of_event(&advance.transaction, advance.event.as_ref())
    }

    /// The deliveries of an opening that is booked to its end.
    pub(super) fn of_booking(&self, opening: &'a Opening) -> impl Iterator<Item = NewDelivery<'a>> {
        let booking = opening.booking.as_ref();
        self.of_event(&opening.transaction, booking.map(|booking| &booking.event))
    }

    fn of_event(
        &self,
        transaction: &'a Transaction,
        event: Option<&'a Event>,
    ) -> impl Iterator<Item = NewDelivery<'a>> {
        let reported = event.and_then(|event| {
            let observation = PlannedObservation::Event { event, transaction };
            Some((Topic::of(event.kind)?, observation))
        });
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
