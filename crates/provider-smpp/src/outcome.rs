//! What the answers to the parts come to. A message of which one part was accepted is never refused
//! and never sent again: that part cannot be recalled.

use crate::codes::{PartMeaning, StatusTable};
use domain::provider::{Refusal, RefusalKind, SubmitOutcome, UnknownCause};

/// What became of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartResult {
    /// Not a byte of it left.
    NotSent,
    /// The SMSC took it, under this identity.
    Accepted(String),
    /// The SMSC answered with a status other than success.
    Status(u32),
    /// It may have been taken.
    Unknown(UnknownCause),
}

/// What a message came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartsResult {
    /// Every part was accepted.
    Accepted,
    /// No part was, and what came of it is this.
    Ended(SubmitOutcome),
    /// Some parts were accepted, and of the others one was refused, unknown or not sent.
    Partial(UnknownCause),
}

impl PartResult {
    pub(crate) const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }

    /// What it comes to where it stands for the whole message.
    fn outcome(&self, table: &StatusTable) -> SubmitOutcome {
        match self {
            Self::NotSent => SubmitOutcome::NotSent,
            // Without its identity nothing can be said of it.
            Self::Accepted(_) => SubmitOutcome::Unknown(UnknownCause::Unreadable),
            Self::Unknown(cause) => SubmitOutcome::Unknown(*cause),
            Self::Status(status) => of_status(*status, table),
        }
    }
}

/// The result of a message from those of its parts, in their order. Nothing was sent after the
/// first part until that was accepted.
pub(crate) fn of_parts(parts: &[PartResult], table: &StatusTable) -> PartsResult {
    if !parts.is_empty() && parts.iter().all(PartResult::is_accepted) {
        return PartsResult::Accepted;
    }
    let missing = parts.iter().find(|part| !part.is_accepted());
    let missing = missing.map_or(SubmitOutcome::NotSent, |part| part.outcome(table));
    if !parts.iter().any(PartResult::is_accepted) {
        return PartsResult::Ended(missing);
    }
    PartsResult::Partial(match missing {
        SubmitOutcome::Unknown(cause) => cause,
        SubmitOutcome::NotSent
        | SubmitOutcome::Declined(_)
        | SubmitOutcome::Delivered(_)
        | SubmitOutcome::Pending
        | SubmitOutcome::Reversed => UnknownCause::Unlisted,
    })
}

fn of_status(status: u32, table: &StatusTable) -> SubmitOutcome {
    let Some(row) = table.find(status) else {
        return SubmitOutcome::Unknown(UnknownCause::Unlisted);
    };
    match (row.submit, row.refusal_kind()) {
        (PartMeaning::Declined, Some(kind)) => {
            if kind == RefusalKind::Account {
                let (name, meaning) = (&row.name, &row.meaning);
                tracing::error!(
                    status,
                    name,
                    meaning,
                    "the SMSC refuses our account or what it was sent; ask its operator"
                );
            }
            SubmitOutcome::Declined(Refusal {
                kind,
                code: format!("{status:#010x}"),
                reason: row.meaning.clone(),
            })
        }
        (PartMeaning::Server, _) => SubmitOutcome::Unknown(UnknownCause::ServerError),
        (PartMeaning::Unknown | PartMeaning::Declined, _) => {
            SubmitOutcome::Unknown(UnknownCause::Unlisted)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOST: PartResult = PartResult::Unknown(UnknownCause::ConnectionLost);
    const THROTTLED: PartResult = PartResult::Status(0x58);

    fn accepted() -> PartResult {
        PartResult::Accepted("1".to_owned())
    }

    fn check(parts: &[PartResult], expected: &PartsResult) {
        let result = of_parts(parts, &StatusTable::embedded());
        assert_eq!(result, *expected, "{parts:?}");
    }

    #[test]
    fn a_message_is_refused_only_where_no_part_was_accepted() {
        let declined = PartsResult::Ended(SubmitOutcome::Declined(Refusal {
            kind: RefusalKind::Moment { retry_after: None },
            code: "0x00000058".to_owned(),
            reason: "throughput exceeded".to_owned(),
        }));
        check(&[THROTTLED], &declined);
        check(&[THROTTLED, PartResult::NotSent], &declined);
        let partial = PartsResult::Partial(UnknownCause::Unlisted);
        check(&[accepted(), THROTTLED], &partial);
        check(&[accepted(), THROTTLED, PartResult::NotSent], &partial);
        check(&[accepted(), PartResult::NotSent], &partial);
    }

    #[test]
    fn what_may_have_been_taken_is_unknown() {
        check(&[accepted(), accepted()], &PartsResult::Accepted);
        let lost = PartsResult::Partial(UnknownCause::ConnectionLost);
        check(&[accepted(), LOST], &lost);
        let unknown = |cause| PartsResult::Ended(SubmitOutcome::Unknown(cause));
        check(&[LOST], &unknown(UnknownCause::ConnectionLost));
        check(
            &[PartResult::Status(0x08)],
            &unknown(UnknownCause::ServerError),
        );
        check(
            &[PartResult::Status(0x400)],
            &unknown(UnknownCause::Unlisted),
        );
        let not_sent = PartsResult::Ended(SubmitOutcome::NotSent);
        check(&[PartResult::NotSent, PartResult::NotSent], &not_sent);
        check(&[], &not_sent);
    }
}
