//! What happens next to a payment, and when. It must promise nothing that an operator, a provider
//! or a merchant has to do first.

use domain::time::Timestamp;
use domain::transaction::{State, Transaction};
use serde::Serialize;

use crate::commands::moment;

/// What happens next; for people and scripts.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct NextStep {
    /// Who does it: `gateway`, `operator`, or `none` where nothing is left to do.
    by: &'static str,
    /// What.
    what: String,
    /// When, where that is known. A past moment is one that a running server looks at at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

impl NextStep {
    /// Of a payment that is looked at next at `due_at`.
    pub(super) fn of(tx: &Transaction, due_at: Option<Timestamp>) -> Self {
        let (by, what) = match &tx.state {
            State::Queued(queued) => {
                let expires = moment(queued.expires_at);
                let what = format!(
                    "it is sent once it is due and approved, and cancelled where it was not sent \
                     by {expires}"
                );
                ("gateway", what)
            }
            State::Sending(_) => (
                "gateway",
                "its answer is waited for; without one the provider is asked".to_owned(),
            ),
            State::InDoubt(_) => (
                "gateway",
                "the provider is asked what became of it".to_owned(),
            ),
            State::Review(_) => {
                let (account, reference) = (&tx.account, &tx.reference);
                let what = format!(
                    "a person decides: manilla review resolve --identity {account} \
                     --reference {reference}"
                );
                ("operator", what)
            }
            State::Successful(_)
            | State::Failed(_)
            | State::Reversed(_)
            | State::Cancelled(_)
            | State::Booked(_) => ("none", "nothing: it is final".to_owned()),
        };
        Self {
            by,
            what,
            at: due_at.map(moment),
        }
    }

    /// The same in one line.
    pub(super) fn text(&self) -> String {
        match &self.at {
            Some(at) => format!("{}, at {at}", self.what),
            None => self.what.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::strategies::every_state;

    use super::*;

    #[test]
    fn what_is_final_leaves_nothing_to_do_and_everything_else_does() {
        for life in every_state() {
            let tx = life.last();
            let next = NextStep::of(tx, None);
            let is_open = ports::backlog::OpenState::ALL.into_iter().any(|it| {
                super::super::state_words::open(it) == super::super::state_words::of(&tx.state)
            });
            assert_eq!(next.by == "none", !is_open, "{next:?}");
        }
    }
}
