//! What an audit makes of the rows its questions found. It must not ask for any.

use crate::PART;
use crate::record::TransactionRow;
use domain::money::{Currency, Money};
use domain::reference::ProviderReference;
use ports::PortError;
use ports::audit::{Booked, BookedState, CheckOutcome, CheckResult, OFFENCES_MAX};
use std::error::Error;

/// What the answers to the two questions of a check come to.
pub fn found(offences: Vec<String>, examined: i64) -> CheckOutcome {
    if offences.is_empty() {
        let examined = u64::try_from(examined).unwrap_or_default();
        CheckOutcome::Holds { examined }
    } else {
        CheckOutcome::Broken { offences }
    }
}

/// What a check that needs a server comes to where none runs.
pub fn not_serving() -> CheckOutcome {
    CheckOutcome::NotApplicable {
        reason: "no server runs, so what is due rightly waits".to_owned(),
    }
}

/// Adds offences found by other means than SQL.
pub fn add(result: &mut CheckResult, more: Vec<String>) {
    if more.is_empty() {
        return;
    }
    match &mut result.outcome {
        CheckOutcome::Broken { offences } => offences.extend(more),
        CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => {
            result.outcome = CheckOutcome::Broken { offences: more };
        }
    }
    if let CheckOutcome::Broken { offences } = &mut result.outcome {
        offences.truncate(OFFENCES_MAX);
    }
}

/// An attempt as stored: its provider reference, the word of its state, whether a loss is booked
/// for it, and the value ordered.
pub type AttemptColumns = (String, String, bool, i64, String);

/// The attempt that columns hold.
///
/// # Errors
/// When a word is none the gateway knows.
pub fn booked(columns: AttemptColumns) -> Result<Booked, PortError> {
    let (reference, state, is_loss, amount, currency) = columns;
    let unknown =
        |what: &str| PortError::new(PART, format!("attempt {reference} has an unknown {what}"));
    let state = match state.as_str() {
        "sending" | "in_doubt" | "review" => BookedState::Open,
        "delivered" => BookedState::Delivered,
        "reversed" => BookedState::Reversed,
        "disproven" if is_loss => BookedState::Lost,
        "disproven" => BookedState::Disproven,
        _ => return Err(unknown("state")),
    };
    let currency = Currency::from_code(&currency).ok_or_else(|| unknown("currency"))?;
    Ok(Booked {
        reference: ProviderReference::from_echo(reference),
        state,
        amount: Money::from_minor(amount, currency),
    })
}

/// The columns of a transaction that repeat what its records say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The word of the service.
    pub service: String,
    /// The code of the price's currency.
    pub currency: String,
    /// Amount, price, cost, fee, VAT and levy in minor units.
    pub sums: [i64; 6],
}

/// What is wrong with a stored transaction: that it cannot be read back, or that its columns say
/// otherwise than its records.
pub fn unreadable(stored: &TransactionRow, columns: &Repeated) -> Option<String> {
    let tx = match stored.restore() {
        Ok(tx) => tx,
        Err(error) => {
            let cause = error.source().map(ToString::to_string).unwrap_or_default();
            return Some(format!("{}: {cause}", error.what));
        }
    };
    let quote = &tx.quote;
    let quoted = [
        quote.amount,
        quote.price,
        quote.cost,
        quote.fee,
        quote.vat,
        quote.levy,
    ];
    let alike = columns.service == tx.order.service().code()
        && columns.currency == quote.price.currency().code()
        && columns.sums == quoted.map(Money::minor);
    (!alike).then(|| {
        format!(
            "transaction {}: its columns differ from its records",
            tx.number
        )
    })
}
