//! What an answer says of an attempt, by the table. What is about another attempt, or is not
//! listed, must be unknown.

use crate::answer::{DtoneRefusal, DtoneTransaction, TransactionValues, ValueInUnit, words};
use crate::products::DtoneProductId;
use crate::request::ChosenAmount;
use crate::table::{DtoneAnswers, ErrorMeaning, StateMeaning};
use domain::money::Money;
use domain::order::Order;
use domain::provider::{
    AttemptDetails, Fulfilment, QueryOutcome, Receipt, Refusal, RefusalKind, SubmitOutcome,
    UnknownCause,
};
use domain::reference::ProviderReference;
use outbound_http::OutboundAnswer;
use ports::provider::ProviderAnswer;

/// The attempt that an answer must be about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedTransaction<'a> {
    pub(crate) reference: &'a ProviderReference,
    /// What was ordered, and the product that delivers it now; one that is no longer mapped was
    /// mapped when it was sent.
    pub(crate) order: Option<(&'a Order, Option<DtoneProductId>)>,
}

/// What a transaction comes to.
enum TransactionReading {
    Delivered(Receipt),
    Pending,
    Declined(Refusal),
    Reversed,
    /// It is about something else, or incomplete.
    Unreadable,
    Unlisted,
}

impl AskedTransaction<'_> {
    /// Whether an answer names this attempt, and no number or product but those that were bought.
    fn is_named_by(&self, transaction: &DtoneTransaction) -> bool {
        let number = |(order, _): (&Order, _)| {
            let credited = transaction.number();
            credited.is_none_or(|credited| credited == order.digits())
        };
        let product = |(_, mapped): (_, Option<DtoneProductId>)| {
            let named = mapped.zip(transaction.product.as_ref());
            named.is_none_or(|(mapped, product)| mapped.0 == product.id)
        };
        transaction.external_id.as_deref() == Some(self.reference.as_str())
            && self.order.is_none_or(number)
            && self.order.is_none_or(product)
    }

    /// What a transaction says.
    fn read(&self, transaction: &DtoneTransaction, table: &DtoneAnswers) -> TransactionReading {
        if !self.is_named_by(transaction) {
            return TransactionReading::Unreadable;
        }
        let Some(status) = &transaction.status else {
            return TransactionReading::Unreadable;
        };
        let class = &status.class;
        let Some(state) = table.state(class.id, class.message.as_deref()) else {
            return TransactionReading::Unlisted;
        };
        match state.meaning {
            StateMeaning::Delivered => match self.receipt(transaction) {
                Some(receipt) => TransactionReading::Delivered(receipt),
                None => TransactionReading::Unreadable,
            },
            StateMeaning::Pending => TransactionReading::Pending,
            StateMeaning::Declined => {
                let message = status.message.as_deref().unwrap_or_default();
                TransactionReading::Declined(noted(Refusal {
                    kind: table.kind(state, message),
                    code: state.class.clone(),
                    reason: words(message),
                }))
            }
            StateMeaning::Reversed => TransactionReading::Reversed,
        }
    }

    /// The receipt of what was handed over. An amount that differs from the order's is handed on:
    /// the core compares it.
    fn receipt(&self, transaction: &DtoneTransaction) -> Option<Receipt> {
        let fulfilment = match self.order.map(|(order, _)| order) {
            // The order is lost: what counts is how much was delivered.
            Some(Order::Airtime(_)) | None => Fulfilment::Airtime,
            Some(Order::Internet(_)) => Fulfilment::Internet,
            // Nothing else is ever sent.
            Some(_) => return None,
        };
        if transaction.has_pin() {
            tracing::error!(
                reference = %self.reference,
                "DT One hands over a PIN: a product is mapped that does not recharge a number"
            );
            return None;
        }
        Some(Receipt {
            reference: ProviderReference::from_echo(transaction.external_id.clone()?),
            amount: amount(transaction, self.order)?,
            fulfilment,
        })
    }

    /// What was submitted came to this.
    pub(crate) fn submitted(
        &self,
        answer: &OutboundAnswer,
        table: &DtoneAnswers,
    ) -> ProviderAnswer<SubmitOutcome> {
        let unknown = |cause| ProviderAnswer::from(SubmitOutcome::Unknown(cause));
        if let Some(cause) = answer.unexpected_status() {
            return match refused(answer, table) {
                Some(RefusedRequest::Declined(refusal)) => {
                    SubmitOutcome::Declined(noted(refusal)).into()
                }
                Some(RefusedRequest::Duplicate) => unknown(UnknownCause::DuplicateReference),
                None => unknown(cause),
            };
        }
        let Ok(transaction) = serde_json::from_slice::<DtoneTransaction>(&answer.body) else {
            return unknown(UnknownCause::Unreadable);
        };
        let outcome = match self.read(&transaction, table) {
            TransactionReading::Delivered(receipt) => SubmitOutcome::Delivered(receipt),
            TransactionReading::Pending => SubmitOutcome::Pending,
            TransactionReading::Declined(refusal) => SubmitOutcome::Declined(refusal),
            TransactionReading::Unreadable => SubmitOutcome::Unknown(UnknownCause::Unreadable),
            // What was taken back before it was ever called delivered is asked about once more.
            TransactionReading::Reversed | TransactionReading::Unlisted => {
                SubmitOutcome::Unknown(UnknownCause::Unlisted)
            }
        };
        ProviderAnswer {
            outcome,
            details: self.details(&transaction),
        }
    }

    /// What was asked about is this: a list of the transactions under our reference.
    pub(crate) fn found(
        &self,
        answer: &OutboundAnswer,
        table: &DtoneAnswers,
    ) -> ProviderAnswer<QueryOutcome> {
        if answer.unexpected_status().is_some() {
            return QueryOutcome::Unknown.into();
        }
        let Ok(list) = serde_json::from_slice::<Vec<DtoneTransaction>>(&answer.body) else {
            return QueryOutcome::Unknown.into();
        };
        let transaction = match list.as_slice() {
            [] => return QueryOutcome::NotFound.into(),
            [transaction] => transaction,
            [_, _, ..] => {
                tracing::error!(
                    reference = %self.reference,
                    transactions = list.len(),
                    "DT One lists several transactions under one reference; look at its dashboard"
                );
                return QueryOutcome::Unknown.into();
            }
        };
        let outcome = match self.read(transaction, table) {
            TransactionReading::Delivered(receipt) => QueryOutcome::Delivered(receipt),
            TransactionReading::Pending => QueryOutcome::Pending,
            TransactionReading::Declined(refusal) => QueryOutcome::Declined(refusal),
            TransactionReading::Reversed => QueryOutcome::Reversed,
            TransactionReading::Unreadable | TransactionReading::Unlisted => QueryOutcome::Unknown,
        };
        ProviderAnswer {
            outcome,
            details: self.details(transaction),
        }
    }

    /// An answer about another attempt reports nothing of this one.
    fn details(&self, transaction: &DtoneTransaction) -> AttemptDetails {
        if self.is_named_by(transaction) {
            transaction.details()
        } else {
            AttemptDetails::default()
        }
    }
}

/// How much was delivered, as the provider says: what came of the request where that differs from
/// it. A product of one value has no amount of its own in our books: it is named by its number. Of
/// a lost order it is what reached the customer, where that is naira.
fn amount(
    transaction: &DtoneTransaction,
    order: Option<(&Order, Option<DtoneProductId>)>,
) -> Option<Money> {
    let chosen = match order {
        Some((order, _)) => ChosenAmount::of(order)?,
        None => ChosenAmount::Destination,
    };
    let of = |values: Option<&TransactionValues>| {
        let values = values?;
        let value = match chosen {
            ChosenAmount::Destination => values.destination.as_ref(),
            ChosenAmount::Source => values.source.as_ref(),
            ChosenAmount::Fixed => None,
        };
        let value = value.filter(|value| value.is_given());
        value.map(ValueInUnit::naira)
    };
    match chosen {
        ChosenAmount::Destination | ChosenAmount::Source => {
            let adjusted = of(transaction.adjusted_values.as_ref());
            adjusted.or_else(|| of(transaction.requested_values.as_ref()))?
        }
        ChosenAmount::Fixed => {
            let (order, product) = order?;
            let named = transaction.product.as_ref().zip(product);
            named.map(|_| order.amount())
        }
    }
}

/// A request that was refused before anything was made of it.
enum RefusedRequest {
    Declined(Refusal),
    Duplicate,
}

/// A refusal of which every error is listed; `None` for any other answer.
fn refused(answer: &OutboundAnswer, table: &DtoneAnswers) -> Option<RefusedRequest> {
    let refusal: DtoneRefusal = serde_json::from_slice(&answer.body).ok()?;
    let rows = refusal.errors.iter();
    let rows = rows.map(|error| Some((error, table.error(error.code(), answer.status)?)));
    let rows: Vec<_> = rows.collect::<Option<_>>()?;
    if rows
        .iter()
        .any(|(_, row)| row.meaning == ErrorMeaning::Duplicate)
    {
        return Some(RefusedRequest::Duplicate);
    }
    let (error, row) = rows.first()?;
    Some(RefusedRequest::Declined(Refusal {
        kind: row.kind(),
        code: row.code.clone(),
        reason: error.words(),
    }))
}

fn noted(refusal: Refusal) -> Refusal {
    if refusal.kind == RefusalKind::Account {
        tracing::error!(
            code = refusal.code,
            reason = refusal.reason,
            "DT One refuses our account or what it was asked with; look at its dashboard"
        );
    }
    refusal
}
