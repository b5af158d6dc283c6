//! What an answer says of an attempt, by the table. What is about another attempt, or is not
//! listed, must be unknown.

use crate::answer::{ReloadlyRefusal, TopupReport, TopupTransaction, read};
use crate::table::{ReloadlyAnswers, TopupErrorMeaning, TopupMeaning};
use domain::order::Order;
use domain::provider::{
    Fulfilment, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use outbound_http::OutboundAnswer;
use ports::provider::ProviderAnswer;
use std::time::Duration;

/// How long a top-up that failed may still be credited: the provider advises to wait so long before
/// the same number is tried again.
pub(crate) const FAILED_FOR_GOOD: Duration = Duration::from_mins(30);

/// The attempt that an answer must be about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedTopup<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// What was ordered; `None` of an attempt that only the provider knows.
    pub(crate) order: Option<&'a Order>,
    /// How long ago it was recorded, where that is known.
    pub(crate) age: Option<Duration>,
}

impl AskedTopup<'_> {
    /// Whether an answer names this attempt, and no number but the one that was to be credited.
    fn is_named_by(&self, topup: &TopupTransaction) -> bool {
        let same_number = match (topup.number(), self.order) {
            (Some(credited), Some(order)) => credited == order.digits(),
            (None, _) | (_, None) => true,
        };
        same_number && topup.custom_identifier.as_deref() == Some(self.reference.as_str())
    }

    /// The receipt of what was credited. An amount that differs from the order's is handed on: the
    /// core compares it.
    fn receipt(&self, topup: &TopupTransaction) -> Option<Receipt> {
        // Nothing but airtime is bought there, so a lost order was of it.
        matches!(self.order, Some(Order::Airtime(_)) | None).then_some(())?;
        Some(Receipt {
            reference: ProviderReference::from_echo(topup.custom_identifier.clone()?),
            amount: topup.delivered()?,
            fulfilment: Fulfilment::Airtime,
        })
    }

    /// What was submitted came to this.
    pub(crate) fn submitted(
        &self,
        answer: &OutboundAnswer,
        table: &ReloadlyAnswers,
    ) -> ProviderAnswer<SubmitOutcome> {
        let unknown = |cause| ProviderAnswer::from(SubmitOutcome::Unknown(cause));
        if let Some(cause) = answer.unexpected_status() {
            return match refused(answer, table) {
                Some(RefusedTopup::Declined(refusal)) => SubmitOutcome::Declined(refusal).into(),
                Some(RefusedTopup::Duplicate) => unknown(UnknownCause::DuplicateReference),
                None => unknown(cause),
            };
        }
        let Some(topup) = TopupTransaction::read(&answer.body) else {
            return unknown(UnknownCause::Unreadable);
        };
        if !self.is_named_by(&topup) {
            return unknown(UnknownCause::Unreadable);
        }
        let word = topup.status.as_deref().unwrap_or_default();
        let outcome = match table.status(word) {
            Some(TopupMeaning::Delivered) => match self.receipt(&topup) {
                Some(receipt) => SubmitOutcome::Delivered(receipt),
                None => SubmitOutcome::Unknown(UnknownCause::Unreadable),
            },
            // What failed or was refunded is confirmed by a query.
            Some(TopupMeaning::Pending | TopupMeaning::Failed | TopupMeaning::Refunded) => {
                SubmitOutcome::Pending
            }
            None => SubmitOutcome::Unknown(UnknownCause::Unlisted),
        };
        ProviderAnswer {
            outcome,
            details: topup.details(),
        }
    }

    /// What was asked about by our reference is this: a page of the report.
    pub(crate) fn reported(
        &self,
        answer: &OutboundAnswer,
        table: &ReloadlyAnswers,
    ) -> ProviderAnswer<QueryOutcome> {
        let report: Option<TopupReport> = read(&answer.body);
        let report = report.filter(|_| answer.unexpected_status().is_none());
        let Some(report) = report else {
            return QueryOutcome::Unknown.into();
        };
        match report.content.as_slice() {
            [] => QueryOutcome::NotFound.into(),
            [topup] => self.found(topup, table),
            [_, _, ..] => {
                tracing::error!(
                    reference = %self.reference,
                    "Reloadly reports several top-ups under one reference; look at its dashboard"
                );
                QueryOutcome::Unknown.into()
            }
        }
    }

    /// What was asked about by the provider's identity is this. A refund comes without the
    /// transaction, so that the question alone says which one it is about.
    pub(crate) fn status(
        &self,
        answer: &OutboundAnswer,
        table: &ReloadlyAnswers,
    ) -> ProviderAnswer<QueryOutcome> {
        if answer.unexpected_status().is_some() {
            return QueryOutcome::Unknown.into();
        }
        match TopupTransaction::read(&answer.body) {
            Some(topup) if topup.custom_identifier.is_some() => self.found(&topup, table),
            Some(topup) => {
                let word = topup.status.as_deref().unwrap_or_default();
                match table.status(word) {
                    Some(TopupMeaning::Refunded) => QueryOutcome::Reversed.into(),
                    Some(TopupMeaning::Pending) => QueryOutcome::Pending.into(),
                    Some(TopupMeaning::Delivered | TopupMeaning::Failed) | None => {
                        QueryOutcome::Unknown.into()
                    }
                }
            }
            None => QueryOutcome::Unknown.into(),
        }
    }

    fn found(
        &self,
        topup: &TopupTransaction,
        table: &ReloadlyAnswers,
    ) -> ProviderAnswer<QueryOutcome> {
        if !self.is_named_by(topup) {
            return QueryOutcome::Unknown.into();
        }
        let word = topup.status.as_deref().unwrap_or_default();
        let outcome = match table.status(word) {
            Some(TopupMeaning::Delivered) => match self.receipt(topup) {
                Some(receipt) => QueryOutcome::Delivered(receipt),
                None => QueryOutcome::Unknown,
            },
            Some(TopupMeaning::Pending) => QueryOutcome::Pending,
            Some(TopupMeaning::Failed) if self.age.is_some_and(|age| age < FAILED_FOR_GOOD) => {
                QueryOutcome::Pending
            }
            Some(TopupMeaning::Failed) if self.age.is_none() => QueryOutcome::Unknown,
            Some(TopupMeaning::Failed) => QueryOutcome::Declined(Refusal {
                kind: RefusalKind::Order,
                code: word.to_owned(),
                reason: "the operator did not credit it".to_owned(),
            }),
            Some(TopupMeaning::Refunded) => QueryOutcome::Reversed,
            None => QueryOutcome::Unknown,
        };
        ProviderAnswer {
            outcome,
            details: topup.details(),
        }
    }
}

/// A request that was refused before anything was made of it.
enum RefusedTopup {
    Declined(Refusal),
    Duplicate,
}

/// A refusal that is listed; `None` for any other answer.
fn refused(answer: &OutboundAnswer, table: &ReloadlyAnswers) -> Option<RefusedTopup> {
    let refusal: ReloadlyRefusal = read(&answer.body)?;
    let row = table.error(&refusal.error_code, answer.status)?;
    if row.meaning == TopupErrorMeaning::Duplicate {
        return Some(RefusedTopup::Duplicate);
    }
    let kind = row.kind();
    if kind == RefusalKind::Account {
        tracing::error!(
            code = row.code,
            about = row.about,
            "Reloadly refuses our account or what it was asked with; look at its dashboard"
        );
    }
    Some(RefusedTopup::Declined(Refusal {
        kind,
        code: row.code.clone(),
        reason: refusal.words(),
    }))
}
