//! What an answer says of an attempt, by the table of codes. What is about another attempt, or is
//! not listed, must be unknown.

use crate::answer::VtpassAnswer;
use crate::codes::{CodeTable, QueryMeaning, SubmitMeaning, VtpassCode};
use crate::fulfilment::fulfilment;
use crate::settings::ConfirmRefusals;
use domain::order::Order;
use domain::provider::{
    Fulfilment, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;

/// The attempt that an answer must be about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedAttempt<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// What was ordered, and what was to be credited; `None` of an attempt that only the provider
    /// knows.
    pub(crate) order: Option<(&'a Order, &'a str)>,
}

/// What the word of a transaction says.
enum TransactionWord {
    Delivered,
    Pending,
    Failed,
    Reversed,
    Unlisted,
}

/// What a transaction that is called delivered comes to.
enum DeliveryReading {
    Complete(Receipt),
    AwaitsToken,
    Unreadable,
}

impl AskedAttempt<'_> {
    /// Whether an answer names this attempt.
    pub(crate) fn is_named_by(&self, answer: &VtpassAnswer) -> bool {
        answer.reference.as_deref() == Some(self.reference.as_str())
    }

    /// Whether an answer names another attempt. Refusals of a request that was not taken at all
    /// name none.
    fn is_contradicted_by(&self, answer: &VtpassAnswer) -> bool {
        let other_reference = answer.reference.is_some() && !self.is_named_by(answer);
        let other_customer = match (&answer.credited, self.order) {
            (Some(credited), Some((order, asked))) => !is_same(order, credited, asked),
            (None, _) | (_, None) => false,
        };
        other_reference || other_customer
    }

    /// What was submitted came to this.
    pub(crate) fn submitted(
        &self,
        answer: &VtpassAnswer,
        (table, confirm): (&CodeTable, ConfirmRefusals),
    ) -> SubmitOutcome {
        let unlisted = SubmitOutcome::Unknown(UnknownCause::Unlisted);
        if self.is_contradicted_by(answer) {
            return SubmitOutcome::Unknown(UnknownCause::Unreadable);
        }
        let Some(row) = table.find(&answer.code) else {
            return unlisted;
        };
        let failed = || match confirm {
            _ if !self.is_named_by(answer) => SubmitOutcome::Unknown(UnknownCause::Unreadable),
            ConfirmRefusals::Yes => SubmitOutcome::Pending,
            ConfirmRefusals::No => SubmitOutcome::Declined(refusal(row, answer)),
        };
        match row.submit {
            SubmitMeaning::Status => match word(answer) {
                TransactionWord::Delivered => match self.delivery(answer) {
                    DeliveryReading::Complete(receipt) => SubmitOutcome::Delivered(receipt),
                    DeliveryReading::AwaitsToken => SubmitOutcome::Pending,
                    DeliveryReading::Unreadable => SubmitOutcome::Unknown(UnknownCause::Unreadable),
                },
                TransactionWord::Pending => SubmitOutcome::Pending,
                TransactionWord::Failed => failed(),
                TransactionWord::Reversed | TransactionWord::Unlisted => unlisted,
            },
            SubmitMeaning::Confirm | SubmitMeaning::Declined if !may_be_refused(answer) => unlisted,
            SubmitMeaning::Confirm => failed(),
            SubmitMeaning::Pending => SubmitOutcome::Pending,
            SubmitMeaning::Declined => SubmitOutcome::Declined(refusal(row, answer)),
            SubmitMeaning::Duplicate => SubmitOutcome::Unknown(UnknownCause::DuplicateReference),
            SubmitMeaning::Server => SubmitOutcome::Unknown(UnknownCause::ServerError),
            SubmitMeaning::Unknown => unlisted,
        }
    }

    /// What was asked about is this.
    pub(crate) fn found(&self, answer: &VtpassAnswer, table: &CodeTable) -> QueryOutcome {
        if self.is_contradicted_by(answer) {
            return QueryOutcome::Unknown;
        }
        let Some(row) = table.find(&answer.code) else {
            return QueryOutcome::Unknown;
        };
        let of_it = |outcome: QueryOutcome| {
            if self.is_named_by(answer) {
                outcome
            } else {
                QueryOutcome::Unknown
            }
        };
        match row.query {
            QueryMeaning::Status => match word(answer) {
                TransactionWord::Delivered => match self.delivery(answer) {
                    DeliveryReading::Complete(receipt) => QueryOutcome::Delivered(receipt),
                    DeliveryReading::AwaitsToken => QueryOutcome::Pending,
                    DeliveryReading::Unreadable => QueryOutcome::Unknown,
                },
                TransactionWord::Pending => QueryOutcome::Pending,
                TransactionWord::Failed => of_it(QueryOutcome::Declined(refusal(row, answer))),
                TransactionWord::Reversed => of_it(QueryOutcome::Reversed),
                TransactionWord::Unlisted => QueryOutcome::Unknown,
            },
            QueryMeaning::Pending => QueryOutcome::Pending,
            QueryMeaning::Declined | QueryMeaning::NotFound if !may_be_refused(answer) => {
                QueryOutcome::Unknown
            }
            QueryMeaning::Declined => of_it(QueryOutcome::Declined(refusal(row, answer))),
            QueryMeaning::NotFound => QueryOutcome::NotFound,
            QueryMeaning::Reversed if !may_be_reversed(answer) => QueryOutcome::Unknown,
            QueryMeaning::Reversed => of_it(QueryOutcome::Reversed),
            QueryMeaning::Unknown => QueryOutcome::Unknown,
        }
    }

    /// A delivery names the attempt, says of which amount, and hands over all there must be. An
    /// amount that differs is handed on: the core compares it.
    fn delivery(&self, answer: &VtpassAnswer) -> DeliveryReading {
        let named = answer
            .reference
            .clone()
            .filter(|_| self.is_named_by(answer));
        let (Some(reference), Some(amount)) = (named, answer.amount) else {
            return DeliveryReading::Unreadable;
        };
        let handed_over = match self.order {
            Some((order, _)) => fulfilment(order, answer),
            // The order is lost: what counts is how much was delivered, and no token is handed on.
            None => Some(Fulfilment::Airtime),
        };
        match handed_over {
            Some(fulfilment) => DeliveryReading::Complete(Receipt {
                reference: ProviderReference::from_echo(reference),
                amount,
                fulfilment,
            }),
            None => DeliveryReading::AwaitsToken,
        }
    }
}

fn word(answer: &VtpassAnswer) -> TransactionWord {
    match answer.status.as_deref() {
        Some("delivered") => TransactionWord::Delivered,
        Some("initiated" | "pending") => TransactionWord::Pending,
        Some("failed") => TransactionWord::Failed,
        Some("reversed") => TransactionWord::Reversed,
        Some(_) | None => TransactionWord::Unlisted,
    }
}

/// A code that refuses beside a transaction that was delivered, or may be, contradicts itself.
fn may_be_refused(answer: &VtpassAnswer) -> bool {
    answer.status.is_none() || matches!(word(answer), TransactionWord::Failed)
}

fn may_be_reversed(answer: &VtpassAnswer) -> bool {
    answer.status.is_none() || matches!(word(answer), TransactionWord::Reversed)
}

fn refusal(row: &VtpassCode, answer: &VtpassAnswer) -> Refusal {
    let kind = row.kind();
    if kind == RefusalKind::Account {
        tracing::error!(
            code = row.code,
            meaning = row.meaning,
            "VTpass refuses our account or what it was asked with; look at its dashboard"
        );
    }
    Refusal {
        kind,
        code: row.code.clone(),
        reason: answer.words.clone(),
    }
}

/// Whether what was credited is what was to be credited. Zeros at the beginning are lost where it
/// is written as a number, and telephone numbers may be written as they are dialled from abroad.
fn is_same(order: &Order, credited: &str, asked: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim_start_matches('+').to_owned();
        let is_phone = matches!(order, Order::Airtime(_) | Order::Internet(_));
        let subscriber = text
            .strip_prefix("234")
            .filter(|_| is_phone && text.len() == 13);
        subscriber
            .unwrap_or(&text)
            .trim_start_matches('0')
            .to_owned()
    };
    plain(credited) == plain(asked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{airtime, electricity};

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        let phone = airtime().order();
        for written in [
            "08031234567",
            "2348031234567",
            "+2348031234567",
            "8031234567",
        ] {
            assert!(is_same(&phone, written, "08031234567"), "{written}");
        }
        assert!(!is_same(&phone, "08031234568", "08031234567"));
        let meter = electricity().order();
        assert!(is_same(&meter, "4123456789", "04123456789"));
        assert!(!is_same(&meter, "2344123456789", "4123456789"));
    }
}
