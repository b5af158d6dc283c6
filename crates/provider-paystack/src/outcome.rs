//! What an answer says of an attempt, by the table. What is about another attempt, or is not
//! listed, must be unknown.

use crate::answer::{PaystackEnvelope, PaystackTransfer};
use crate::table::{PaystackAnswers, QueryReading, RefusalReading, StatusReading};
use domain::order::Order;
use domain::provider::{
    Fulfilment, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use outbound_http::OutboundAnswer;
use ports::provider::ProviderAnswer;

/// The attempt that an answer must be about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedTransfer<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// What was ordered; `None` of an attempt that only the provider knows.
    pub(crate) order: Option<&'a Order>,
}

impl AskedTransfer<'_> {
    /// Whether an answer names this attempt, and no account but the one that was to be credited.
    fn is_named_by(&self, transfer: &PaystackTransfer) -> bool {
        let account = transfer
            .account()
            .and_then(|account| account.account_number);
        let same_account = match (account, self.order) {
            (Some(credited), Some(order)) => credited == order.digits(),
            (None, _) | (_, None) => true,
        };
        same_account && transfer.reference.as_deref() == Some(self.reference.as_str())
    }

    /// The receipt of a transfer that was paid. An amount that differs from the order's is handed
    /// on: the core compares it.
    fn receipt(&self, transfer: &PaystackTransfer) -> Option<Receipt> {
        // Nothing but payouts is ever sent, so an attempt without its order is one.
        let fulfilment = match self.order {
            Some(Order::Bank(_)) | None => Fulfilment::Bank,
            Some(_) => return None,
        };
        Some(Receipt {
            reference: ProviderReference::from_echo(transfer.reference.clone()?),
            amount: transfer.paid()?,
            fulfilment,
        })
    }

    /// What was submitted came to this.
    pub(crate) fn submitted(
        &self,
        answer: &OutboundAnswer,
        table: &PaystackAnswers,
    ) -> ProviderAnswer<SubmitOutcome> {
        let unknown = |cause| SubmitOutcome::Unknown(cause);
        let Some(envelope) = PaystackEnvelope::read(answer) else {
            let cause = answer.unexpected_status();
            return unknown(cause.unwrap_or(UnknownCause::Unreadable)).into();
        };
        if let Some(cause) = answer.unexpected_status() {
            return match refusal(answer.status, &envelope, table) {
                Some(RefusedRequest::Declined(refusal)) => SubmitOutcome::Declined(refusal).into(),
                Some(RefusedRequest::Duplicate) => unknown(UnknownCause::DuplicateReference).into(),
                None => unknown(cause).into(),
            };
        }
        let transfer: Option<PaystackTransfer> = envelope.data();
        let transfer = transfer.filter(|it| envelope.status && self.is_named_by(it));
        let Some(transfer) = transfer else {
            return unknown(UnknownCause::Unreadable).into();
        };
        let word = transfer.status.as_deref().unwrap_or_default();
        let (outcome, details) = match table.status(word).map(|row| row.submit) {
            Some(StatusReading::Delivered) => match self.receipt(&transfer) {
                Some(receipt) => (SubmitOutcome::Delivered(receipt), transfer.details(true)),
                None => (unknown(UnknownCause::Unreadable), transfer.details(false)),
            },
            Some(StatusReading::Pending) => (SubmitOutcome::Pending, transfer.details(false)),
            Some(StatusReading::Person) => {
                needs_a_person(self.reference, word);
                (SubmitOutcome::Pending, transfer.details(false))
            }
            Some(StatusReading::Unknown) | None => {
                (unknown(UnknownCause::Unlisted), transfer.details(false))
            }
        };
        ProviderAnswer { outcome, details }
    }

    /// What was asked about is this.
    pub(crate) fn found(
        &self,
        answer: &OutboundAnswer,
        table: &PaystackAnswers,
    ) -> ProviderAnswer<QueryOutcome> {
        let Some(envelope) = PaystackEnvelope::read(answer) else {
            return QueryOutcome::Unknown.into();
        };
        if answer.status == 404 && !envelope.status {
            return QueryOutcome::NotFound.into();
        }
        let is_answer = answer.unexpected_status().is_none() && envelope.status;
        let transfer: Option<PaystackTransfer> = envelope.data();
        let transfer = transfer.filter(|it| is_answer && self.is_named_by(it));
        let Some(transfer) = transfer else {
            return QueryOutcome::Unknown.into();
        };
        let word = transfer.status.as_deref().unwrap_or_default();
        let Some(row) = table.status(word) else {
            return ProviderAnswer {
                outcome: QueryOutcome::Unknown,
                details: transfer.details(false),
            };
        };
        let (outcome, is_paid) = match row.query {
            QueryReading::Delivered => match self.receipt(&transfer) {
                Some(receipt) => (QueryOutcome::Delivered(receipt), true),
                None => (QueryOutcome::Unknown, false),
            },
            QueryReading::Pending => (QueryOutcome::Pending, false),
            QueryReading::Person => {
                needs_a_person(self.reference, word);
                (QueryOutcome::Pending, false)
            }
            QueryReading::Declined => {
                let refusal = noted(Refusal {
                    kind: row.kind(),
                    code: row.word.clone(),
                    reason: row.meaning.clone(),
                });
                (QueryOutcome::Declined(refusal), false)
            }
            QueryReading::Reversed => (QueryOutcome::Reversed, false),
        };
        ProviderAnswer {
            outcome,
            details: transfer.details(is_paid),
        }
    }
}

/// A request that was refused before anything was made of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RefusedRequest {
    Declined(Refusal),
    Duplicate,
}

/// A refusal that the table lists; `None` for any other answer. The key and what the account may do
/// are looked at before anything else, so 401 and 403 need no row.
pub(crate) fn refusal(
    status: u16,
    envelope: &PaystackEnvelope,
    table: &PaystackAnswers,
) -> Option<RefusedRequest> {
    if envelope.status {
        return None;
    }
    let words = envelope.words();
    let declined = |kind| {
        let code = envelope.code.clone().unwrap_or_else(|| status.to_string());
        RefusedRequest::Declined(noted(Refusal {
            kind,
            code,
            reason: words.clone(),
        }))
    };
    let row = table.refusal(envelope.code.as_deref(), &words);
    match (status, row) {
        (400 | 401 | 403, Some(row)) if row.reading == RefusalReading::Duplicate => {
            Some(RefusedRequest::Duplicate)
        }
        (400, Some(row)) => Some(declined(row.kind())),
        (401 | 403, _) => Some(declined(RefusalKind::Account)),
        (_, Some(_) | None) => None,
    }
}

fn noted(refusal: Refusal) -> Refusal {
    if refusal.kind == RefusalKind::Account {
        tracing::error!(
            code = refusal.code,
            reason = refusal.reason,
            "Paystack refuses our account or what it was asked with; look at its dashboard"
        );
    }
    refusal
}

fn needs_a_person(reference: &ProviderReference, word: &str) {
    tracing::error!(
        %reference,
        word,
        "Paystack waits for a one-time password; switch the confirmation of transfers off there"
    );
}
