//! The attempts of a transaction as rows of their own, so that a database can hold them to the
//! rules by itself. They are derived from the transaction and must never be read back into one.

use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, Disproven, Evidence, Proof, State, Transaction};
use serde::Serialize;

/// One attempt as a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptRow {
    /// 1 or 2.
    pub number: u8,
    /// `sending`, `in_doubt`, `review`, `delivered`, `reversed` or `disproven`.
    pub state: &'static str,
    /// How its end is known; none while it has none.
    pub evidence: Option<&'static str>,
    /// The reference the provider knows it by.
    pub provider_reference: String,
    /// Its provider, where that is another than the first attempt's.
    pub provider: Option<String>,
    /// When it was recorded, in milliseconds. A later row of the same attempt leaves it as it was.
    pub started_at: i64,
    /// Since when its end is known, in milliseconds.
    pub ended_at: Option<i64>,
    /// When the provider contradicted the proof that it did not happen, in milliseconds.
    pub contradicted_at: Option<i64>,
    /// When the provider took back what it delivered against the proof, in milliseconds.
    pub taken_back_at: Option<i64>,
}

/// The attempts of a transaction, first to last; none while it is queued.
pub fn attempts(tx: &Transaction) -> impl Iterator<Item = AttemptRow> + '_ {
    let earlier = tx.earlier.iter().map(|ended| disproven(tx, ended));
    earlier.chain(current(tx))
}

fn current(tx: &Transaction) -> Option<AttemptRow> {
    let attempt = tx.attempt()?;
    let open = |state, started_at: Timestamp| AttemptRow {
        state,
        started_at: started_at.as_millis(),
        ..blank(tx, attempt)
    };
    let delivered = |state, delivered: &domain::transaction::Delivered| AttemptRow {
        state,
        evidence: Some(evidence(&delivered.evidence)),
        ended_at: Some(delivered.at.as_millis()),
        ..blank(tx, delivered.attempt)
    };
    Some(match &tx.state {
        State::Sending(sending) => open("sending", sending.started_at),
        State::InDoubt(in_doubt) => open("in_doubt", in_doubt.started_at),
        State::Review(review) => open("review", review.started_at),
        State::Successful(state) => delivered("delivered", state),
        State::Reversed(state) => delivered("reversed", &state.delivered),
        State::Failed(ended) => disproven(tx, ended),
        State::Queued(_) | State::Cancelled(_) | State::Booked(_) => return None,
    })
}

fn disproven(tx: &Transaction, ended: &Disproven) -> AttemptRow {
    AttemptRow {
        state: "disproven",
        evidence: Some(proof(&ended.proof)),
        ended_at: Some(ended.at.as_millis()),
        contradicted_at: ended.contradicted_at.map(Timestamp::as_millis),
        taken_back_at: ended.taken_back_at.map(Timestamp::as_millis),
        ..blank(tx, ended.attempt)
    }
}

fn blank(tx: &Transaction, attempt: AttemptNumber) -> AttemptRow {
    AttemptRow {
        number: attempt.get(),
        state: "sending",
        evidence: None,
        provider_reference: tx.provider_reference(attempt).to_string(),
        provider: elsewhere(tx, attempt),
        started_at: tx.updated_at.as_millis(),
        ended_at: None,
        contradicted_at: None,
        taken_back_at: None,
    }
}

fn elsewhere(tx: &Transaction, attempt: AttemptNumber) -> Option<String> {
    let provider = tx.provider_of(attempt);
    (*provider != tx.prepared.first().provider).then(|| provider.to_string())
}

const fn evidence(evidence: &Evidence) -> &'static str {
    match evidence {
        Evidence::Answered => "answered",
        Evidence::Found => "found",
        Evidence::Ruled(_) => "ruled",
    }
}

const fn proof(proof: &Proof) -> &'static str {
    match proof {
        Proof::NotSent => "not_sent",
        Proof::Refused(_) => "refused",
        Proof::Absent(_) => "absent",
        Proof::TakenBack => "taken_back",
        Proof::Ruled(_) => "ruled",
    }
}
