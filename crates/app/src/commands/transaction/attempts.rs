//! The attempts of a payment, as operators are shown them: what each came to, how that is known,
//! and the code and words of the provider. It must not show what was handed over: tokens are money.

use std::fmt::Write as _;

use domain::money::Money;
use domain::provider::{Refusal, RefusalKind, UnknownCause};
use domain::time::Timestamp;
use domain::transaction::{
    AttemptNumber, AttemptRoute, Delivered, Disproven, Doubt, Evidence, InDoubt, Proof, Review,
    ReviewCause, Ruling, State, Transaction,
};
use serde::Serialize;

use crate::commands::moment;

/// One attempt.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttemptRow {
    pub(super) attempt: u8,
    /// The provider it was sent to.
    pub(super) provider: String,
    /// The reference the provider knows it by.
    pub(super) provider_reference: String,
    /// What the provider calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) provider_id: Option<String>,
    /// What the provider took from the float.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<String>,
    /// The commission it paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commission: Option<String>,
    /// The route that it took, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) route: Option<RouteRow>,
    /// `sending`, `in doubt`, `in review`, `delivered`, `reversed` or `did not happen`.
    pub(super) state: &'static str,
    /// How that is known, in words.
    pub(super) because: String,
    /// Since when.
    pub(super) since: String,
    /// What the provider refused it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refusal: Option<RefusalRow>,
    /// The provider contradicted the proof at this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contradicted_at: Option<String>,
    /// The provider took the late delivery back at this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) taken_back_at: Option<String>,
}

/// The route that an attempt took, as the routes were configured then.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RouteRow {
    /// The number of the route, from 1.
    pub(super) number: u32,
    pub(super) priority: u16,
    /// `priority` or `weight`.
    pub(super) reason: &'static str,
    /// How many providers had a better place.
    pub(super) place: u16,
    /// What the provider took, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost_percent: Option<String>,
    /// Providers with a better place that were not given the order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) passed_over: Vec<PassedOverRow>,
}

/// A provider that was not given an order.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PassedOverRow {
    pub(super) provider: String,
    /// `not-served`, `paused`, `maintenance`, `breaker-open`, `busy` or `lookalike`.
    pub(super) reason: &'static str,
}

impl RouteRow {
    fn of(route: &AttemptRoute) -> Self {
        let passed_over = route.passed_over.iter().map(|it| PassedOverRow {
            provider: it.provider.to_string(),
            reason: it.reason.code(),
        });
        Self {
            number: route.number,
            priority: route.priority,
            reason: route.reason.code(),
            place: route.place,
            cost_percent: route.cost.map(|cost| cost.to_string()),
            passed_over: passed_over.collect(),
        }
    }

    /// The route in one line.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{} (priority {}, by {})",
            self.number, self.priority, self.reason
        );
        for PassedOverRow { provider, reason } in &self.passed_over {
            let _ = write!(text, "; not {provider}: {reason}");
        }
        text
    }
}

/// The provider's own words of a refusal.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefusalRow {
    /// `order`, `account`, `moment` or `lookalike`.
    pub(super) kind: &'static str,
    pub(super) code: String,
    pub(super) reason: String,
    /// After how many seconds the provider advises to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_seconds: Option<u64>,
}

impl RefusalRow {
    fn of(refusal: &Refusal) -> Self {
        let (kind, retry_after) = match refusal.kind {
            RefusalKind::Order => ("order", None),
            RefusalKind::Account => ("account", None),
            RefusalKind::Moment { retry_after } => ("moment", retry_after),
            RefusalKind::Lookalike => ("lookalike", None),
        };
        Self {
            kind,
            code: refusal.code.clone(),
            reason: refusal.reason.clone(),
            retry_after_seconds: retry_after.map(|after| after.as_secs()),
        }
    }
}

/// Every attempt, first to last.
pub(super) fn of(tx: &Transaction) -> Vec<AttemptRow> {
    let earlier = tx.earlier.iter().map(|ended| disproven(tx, ended));
    earlier.chain(current(tx)).collect()
}

fn current(tx: &Transaction) -> Option<AttemptRow> {
    Some(match &tx.state {
        State::Queued(_) | State::Cancelled(_) | State::Booked(_) => return None,
        State::Sending(sending) => {
            let because = "it was recorded, and no answer is".to_owned();
            blank(
                tx,
                sending.attempt,
                ("sending", because, sending.started_at),
            )
        }
        State::InDoubt(in_doubt) => doubted(tx, in_doubt),
        State::Review(review) => reviewed(tx, review),
        State::Successful(it) => delivered(tx, it, "delivered"),
        State::Reversed(it) => {
            let taken_back_at = Some(moment(it.at));
            AttemptRow {
                taken_back_at,
                ..delivered(tx, &it.delivered, "reversed")
            }
        }
        State::Failed(ended) => disproven(tx, ended),
    })
}

fn blank(
    tx: &Transaction,
    attempt: AttemptNumber,
    (state, because, since): (&'static str, String, Timestamp),
) -> AttemptRow {
    let reported = tx.reported.of(attempt);
    let amount = |money: Money| format!("{} {money}", money.currency().code());
    AttemptRow {
        attempt: attempt.get(),
        provider: tx.provider_of(attempt).to_string(),
        provider_reference: tx.provider_reference(attempt).to_string(),
        provider_id: reported.id.as_ref().map(|id| id.as_str().to_owned()),
        cost: reported.cost.map(amount),
        commission: reported.commission.map(amount),
        route: tx.prepared.route_of(attempt).map(RouteRow::of),
        state,
        because,
        since: moment(since),
        refusal: None,
        contradicted_at: None,
        taken_back_at: None,
    }
}

fn doubted(tx: &Transaction, in_doubt: &InDoubt) -> AttemptRow {
    let because = match in_doubt.doubt {
        Doubt::Acknowledged => "the provider has it and has not decided".to_owned(),
        Doubt::Unanswered { cause, absence } => {
            let cause = unknown(cause);
            let times = absence.map_or(0, |absence| absence.sightings);
            format!("{cause}; {times} answers of \"not found\" count")
        }
    };
    let because = format!("{because}; asked {} times", in_doubt.checks);
    blank(
        tx,
        in_doubt.attempt,
        ("in doubt", because, in_doubt.started_at),
    )
}

fn reviewed(tx: &Transaction, review: &Review) -> AttemptRow {
    let because = match &review.cause {
        ReviewCause::Mismatch {
            reference, amount, ..
        } => format!("the provider says it delivered {amount} under {reference}"),
        ReviewCause::Unresolved => "the provider has given no evidence either way".to_owned(),
    };
    blank(tx, review.attempt, ("in review", because, review.since))
}

fn delivered(tx: &Transaction, delivered: &Delivered, state: &'static str) -> AttemptRow {
    let because = match &delivered.evidence {
        Evidence::Answered => "the provider answered so".to_owned(),
        Evidence::Found => "the provider said so when it was asked".to_owned(),
        Evidence::Ruled(ruling) => ruled(ruling),
    };
    blank(tx, delivered.attempt, (state, because, delivered.at))
}

fn disproven(tx: &Transaction, ended: &Disproven) -> AttemptRow {
    let (because, refusal) = match &ended.proof {
        Proof::NotSent => ("no byte of it left".to_owned(), None),
        Proof::Refused(refusal) => {
            let because = format!(
                "the provider refused it: {} {}",
                refusal.code, refusal.reason
            );
            (because, Some(RefusalRow::of(refusal)))
        }
        Proof::Absent(absence) => {
            let (first, last) = (moment(absence.first), moment(absence.last));
            let times = absence.sightings;
            let because = format!("the provider did not find it {times} times, {first} to {last}");
            (because, None)
        }
        Proof::TakenBack => ("the provider took it back".to_owned(), None),
        Proof::Ruled(ruling) => (ruled(ruling), None),
    };
    AttemptRow {
        refusal,
        contradicted_at: ended.contradicted_at.map(moment),
        taken_back_at: ended.taken_back_at.map(moment),
        ..blank(tx, ended.attempt, ("did not happen", because, ended.at))
    }
}

fn ruled(ruling: &Ruling) -> String {
    let by = match &ruling.confirmed_by {
        Some(second) => format!("{} and {second}", ruling.by),
        None => ruling.by.clone(),
    };
    format!("{by} decided, on {}", ruling.evidence)
}

const fn unknown(cause: UnknownCause) -> &'static str {
    match cause {
        UnknownCause::Timeout => "the provider did not answer in time",
        UnknownCause::ConnectionLost => "the connection was lost",
        UnknownCause::ServerError => "the provider answered a server error",
        UnknownCause::Unreadable => "the answer cannot be read",
        UnknownCause::Unlisted => "the answer has a code that its contract does not list",
        UnknownCause::DuplicateReference => "the provider answered \"duplicate reference\"",
        UnknownCause::Abandoned => "the process that sent it is gone",
    }
}

#[cfg(test)]
mod tests {
    use testkit::strategies::every_state;

    use super::*;

    #[test]
    fn every_state_is_shown_with_as_many_attempts_as_were_made() {
        for life in every_state() {
            let tx = life.last();
            let rows = of(tx);
            let numbers: Vec<u8> = rows.iter().map(|row| row.attempt).collect();
            let made: Vec<u8> = tx.attempts().map(AttemptNumber::get).collect();
            assert_eq!(numbers, made);
            for row in rows {
                let refused = row.because.starts_with("the provider refused it");
                assert_eq!(row.refusal.is_some(), refused, "{row:?}");
                assert!(!row.because.is_empty() && !row.since.is_empty(), "{row:?}");
            }
        }
    }
}
