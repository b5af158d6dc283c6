//! Who is told of the events of a batch. Each event must be told as its own step left the
//! transaction, not as the batch leaves it.

use super::plan::Announced;
use crate::record::HearerRow;
use domain::account::AccountId;
use domain::change_set::Advance;
use domain::webhook::Topic;
use std::collections::HashMap;

/// Whose endpoints must be known before a step can be judged: nobody's where it tells nothing. No
/// transaction begins with an event that merchants are told of.
pub(super) fn told_by(advance: &Advance) -> Option<&AccountId> {
    topic(advance).map(|_| &advance.transaction.account)
}

fn topic(advance: &Advance) -> Option<Topic> {
    advance
        .event
        .as_ref()
        .and_then(|event| Topic::of(event.kind))
}

/// The endpoints that hear of events, by account.
pub(super) struct Hearers<'a>(HashMap<&'a str, Vec<&'a HearerRow>>);

impl<'a> Hearers<'a> {
    pub(super) fn new(rows: &'a [HearerRow]) -> Self {
        let mut hearers = HashMap::<&str, Vec<_>>::new();
        for row in rows {
            hearers.entry(&row.account).or_default().push(row);
        }
        Self(hearers)
    }

    /// What is to be delivered of a step, once for each endpoint that hears of it.
    pub(super) fn of(&self, advance: &'a Advance) -> impl Iterator<Item = Announced<'a>> {
        let told = topic(advance).zip(advance.event.as_ref());
        let account = advance.transaction.account.as_str();
        let hearers = self.0.get(account).filter(|_| told.is_some());
        let hearers = hearers.into_iter().flatten();
        hearers.filter_map(move |hearer| {
            let (topic, event) = told?;
            hearer.hears(topic).then_some(Announced {
                endpoint: hearer.endpoint,
                topic,
                event,
                transaction: &advance.transaction,
            })
        })
    }
}
