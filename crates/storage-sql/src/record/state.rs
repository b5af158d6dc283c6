//! Records of where a transaction stands. Each must hold exactly what its state holds.

use super::RecordError;
use super::delivered::DeliveredRecord;
use super::fulfilment::FulfilmentRecord;
use super::payee::PayeeRecord;
use super::proof::{AbsenceRecord, DisprovenRecord, attempt_number};
use super::scalar::{StoredTimestamp, Text, millis};
use domain::provider::UnknownCause;
use domain::transaction::{
    Age, BookedAt, CancelCause, Cancelled, Doubt, InDoubt, Queued, Reversed, Review, ReviewCause,
    Sending, State,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The word of a state's column, by which stores find and audits count.
pub const fn code(state: &State) -> &'static str {
    match state {
        State::Queued(_) => "queued",
        State::Sending(_) => "sending",
        State::InDoubt(_) => "in_doubt",
        State::Review(_) => "review",
        State::Successful(_) => "successful",
        State::Failed(_) => "failed",
        State::Reversed(_) => "reversed",
        State::Cancelled(_) => "cancelled",
        State::Booked(_) => "booked",
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StateRecord<'a> {
    Queued {
        send_from: StoredTimestamp,
        expires_at: StoredTimestamp,
    },
    Sending {
        attempt: u8,
        started_at: StoredTimestamp,
    },
    InDoubt {
        attempt: u8,
        started_at: StoredTimestamp,
        /// Absent in records of before ages were counted: those count from nothing, which is the
        /// cautious reading.
        #[serde(default)]
        age_ms: u64,
        #[serde(default)]
        aged_at: Option<StoredTimestamp>,
        doubt: DoubtRecord,
        checks: u32,
    },
    Review {
        attempt: u8,
        started_at: StoredTimestamp,
        #[serde(borrow)]
        cause: CauseRecord<'a>,
        since: StoredTimestamp,
    },
    #[serde(borrow)]
    Successful(DeliveredRecord<'a>),
    #[serde(borrow)]
    Failed(DisprovenRecord<'a>),
    Reversed {
        #[serde(borrow)]
        delivered: DeliveredRecord<'a>,
        at: StoredTimestamp,
    },
    Cancelled {
        cause: CancelRecord,
        at: StoredTimestamp,
    },
    Booked {
        at: StoredTimestamp,
        #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
        payee: Option<PayeeRecord<'a>>,
    },
}

impl<'a> From<&'a State> for StateRecord<'a> {
    fn from(state: &'a State) -> Self {
        match state {
            State::Queued(queued) => Self::Queued {
                send_from: queued.send_from.into(),
                expires_at: queued.expires_at.into(),
            },
            State::Sending(sending) => Self::Sending {
                attempt: sending.attempt.get(),
                started_at: sending.started_at.into(),
            },
            State::InDoubt(in_doubt) => Self::InDoubt {
                attempt: in_doubt.attempt.get(),
                started_at: in_doubt.started_at.into(),
                age_ms: millis(in_doubt.age.elapsed()),
                aged_at: Some(in_doubt.age.counted_to().into()),
                doubt: in_doubt.doubt.into(),
                checks: in_doubt.checks,
            },
            State::Review(review) => Self::Review {
                attempt: review.attempt.get(),
                started_at: review.started_at.into(),
                cause: (&review.cause).into(),
                since: review.since.into(),
            },
            State::Successful(delivered) => Self::Successful(delivered.into()),
            State::Failed(disproven) => Self::Failed(disproven.into()),
            State::Reversed(reversed) => Self::Reversed {
                delivered: (&reversed.delivered).into(),
                at: reversed.at.into(),
            },
            State::Cancelled(cancelled) => Self::Cancelled {
                cause: cancelled.cause.into(),
                at: cancelled.at.into(),
            },
            State::Booked(booked) => Self::Booked {
                at: booked.at.into(),
                payee: booked.payee.as_ref().map(PayeeRecord::from),
            },
        }
    }
}

impl<'a> StateRecord<'a> {
    /// Where the number of a meter token stands, if one was handed over. What a payment under
    /// review may have brought is for the operator who rules on it, and stays in its record.
    pub(super) fn token(&mut self) -> Option<&mut Option<Text<'a>>> {
        match self {
            Self::Successful(delivered) | Self::Reversed { delivered, .. } => {
                delivered.fulfilment.token()
            }
            Self::Queued { .. }
            | Self::Sending { .. }
            | Self::InDoubt { .. }
            | Self::Review { .. }
            | Self::Failed(_)
            | Self::Cancelled { .. }
            | Self::Booked { .. } => None,
        }
    }

    pub(super) fn restore(self) -> Result<State, RecordError> {
        Ok(match self {
            Self::Queued {
                send_from,
                expires_at,
            } => State::Queued(Queued {
                send_from: send_from.into(),
                expires_at: expires_at.into(),
            }),
            Self::Sending {
                attempt,
                started_at,
            } => State::Sending(Sending {
                attempt: attempt_number(attempt)?,
                started_at: started_at.into(),
            }),
            Self::InDoubt {
                attempt,
                started_at,
                age_ms,
                aged_at,
                doubt,
                checks,
            } => State::InDoubt(InDoubt {
                attempt: attempt_number(attempt)?,
                started_at: started_at.into(),
                age: Age::new(
                    Duration::from_millis(age_ms),
                    aged_at.unwrap_or(started_at).into(),
                ),
                doubt: doubt.into(),
                checks,
            }),
            Self::Review {
                attempt,
                started_at,
                cause,
                since,
            } => State::Review(Review {
                attempt: attempt_number(attempt)?,
                started_at: started_at.into(),
                cause: cause.restore()?,
                since: since.into(),
            }),
            Self::Successful(delivered) => State::Successful(delivered.restore()?),
            Self::Failed(disproven) => State::Failed(disproven.restore()?),
            Self::Reversed { delivered, at } => State::Reversed(Reversed {
                delivered: delivered.restore()?,
                at: at.into(),
            }),
            Self::Booked { at, payee } => State::Booked(BookedAt {
                at: at.into(),
                payee: payee.map(PayeeRecord::restore).transpose()?,
            }),
            Self::Cancelled { cause, at } => State::Cancelled(Cancelled {
                cause: cause.into(),
                at: at.into(),
            }),
        })
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CancelRecord {
    Requested,
    NotApproved,
    Expired,
    BatchStopped,
    Unconfirmed,
}

impl From<CancelCause> for CancelRecord {
    fn from(cause: CancelCause) -> Self {
        match cause {
            CancelCause::Requested => Self::Requested,
            CancelCause::NotApproved => Self::NotApproved,
            CancelCause::Expired => Self::Expired,
            CancelCause::BatchStopped => Self::BatchStopped,
            CancelCause::Unconfirmed => Self::Unconfirmed,
        }
    }
}

impl From<CancelRecord> for CancelCause {
    fn from(record: CancelRecord) -> Self {
        match record {
            CancelRecord::Requested => Self::Requested,
            CancelRecord::NotApproved => Self::NotApproved,
            CancelRecord::Expired => Self::Expired,
            CancelRecord::BatchStopped => Self::BatchStopped,
            CancelRecord::Unconfirmed => Self::Unconfirmed,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DoubtRecord {
    Unanswered {
        cause: UnknownRecord,
        absence: Option<AbsenceRecord>,
    },
    Acknowledged,
}

impl From<Doubt> for DoubtRecord {
    fn from(doubt: Doubt) -> Self {
        match doubt {
            Doubt::Unanswered { cause, absence } => Self::Unanswered {
                cause: cause.into(),
                absence: absence.map(Into::into),
            },
            Doubt::Acknowledged => Self::Acknowledged,
        }
    }
}

impl From<DoubtRecord> for Doubt {
    fn from(record: DoubtRecord) -> Self {
        match record {
            DoubtRecord::Unanswered { cause, absence } => Self::Unanswered {
                cause: cause.into(),
                absence: absence.map(Into::into),
            },
            DoubtRecord::Acknowledged => Self::Acknowledged,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum UnknownRecord {
    Timeout,
    ConnectionLost,
    ServerError,
    Unreadable,
    Unlisted,
    DuplicateReference,
    Abandoned,
}

impl From<UnknownCause> for UnknownRecord {
    fn from(cause: UnknownCause) -> Self {
        match cause {
            UnknownCause::Timeout => Self::Timeout,
            UnknownCause::ConnectionLost => Self::ConnectionLost,
            UnknownCause::ServerError => Self::ServerError,
            UnknownCause::Unreadable => Self::Unreadable,
            UnknownCause::Unlisted => Self::Unlisted,
            UnknownCause::DuplicateReference => Self::DuplicateReference,
            UnknownCause::Abandoned => Self::Abandoned,
        }
    }
}

impl From<UnknownRecord> for UnknownCause {
    fn from(record: UnknownRecord) -> Self {
        match record {
            UnknownRecord::Timeout => Self::Timeout,
            UnknownRecord::ConnectionLost => Self::ConnectionLost,
            UnknownRecord::ServerError => Self::ServerError,
            UnknownRecord::Unreadable => Self::Unreadable,
            UnknownRecord::Unlisted => Self::Unlisted,
            UnknownRecord::DuplicateReference => Self::DuplicateReference,
            UnknownRecord::Abandoned => Self::Abandoned,
        }
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "it lives only while a record is written or read"
)]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CauseRecord<'a> {
    Mismatch {
        #[serde(borrow)]
        reference: Text<'a>,
        #[serde(borrow)]
        amount: Text<'a>,
        #[serde(borrow)]
        fulfilment: FulfilmentRecord<'a>,
    },
    Unresolved,
}

impl<'a> From<&'a ReviewCause> for CauseRecord<'a> {
    fn from(cause: &'a ReviewCause) -> Self {
        match cause {
            ReviewCause::Mismatch {
                reference,
                amount,
                fulfilment,
            } => Self::Mismatch {
                reference: reference.into(),
                amount: amount.into(),
                fulfilment: fulfilment.into(),
            },
            ReviewCause::Unresolved => Self::Unresolved,
        }
    }
}

impl CauseRecord<'_> {
    fn restore(self) -> Result<ReviewCause, RecordError> {
        Ok(match self {
            Self::Mismatch {
                reference,
                amount,
                fulfilment,
            } => ReviewCause::Mismatch {
                reference: reference.into_owned(),
                amount: amount.into_owned(),
                fulfilment: fulfilment.restore()?,
            },
            Self::Unresolved => ReviewCause::Unresolved,
        })
    }
}
