//! Columns of our money at providers, read back. A currency that the gateway does not know must be
//! an error, never skipped: the sum would look right without it.

use crate::PART;
use domain::float::{LedgerFloat, ProviderBalance};
use domain::float_forecast::BalanceReading;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::float::PrefundOutcome;
use ports::{PortError, PortErrorKind};

/// A currency, what was paid in and what was taken, in minor units.
pub type FloatColumns = (String, i64, i64);

/// What the ledger says in one currency.
///
/// # Errors
/// When the gateway does not know the currency.
pub fn float((code, prefunded, spent): FloatColumns) -> Result<LedgerFloat, PortError> {
    Ok(LedgerFloat {
        prefunded: money(prefunded, &code)?,
        spent: money(spent, &code)?,
    })
}

/// The outcome of entering under a reference that was used before, for the amount of these columns.
///
/// # Errors
/// When the gateway does not know the currency.
pub fn taken((minor, code): (i64, String)) -> Result<PrefundOutcome, PortError> {
    Ok(PrefundOutcome::Taken(money(minor, &code)?))
}

/// What is available and held in minor units, the currency, as of when, when it was read, and
/// whether it was low.
pub type ReadingColumns = (i64, Option<i64>, String, i64, i64, bool);

/// A balance as it was read at a provider.
///
/// # Errors
/// When the gateway does not know the currency.
pub fn reading(
    provider: &ProviderId,
    (available, held, code, said_at, read_at, is_low): ReadingColumns,
) -> Result<BalanceReading, PortError> {
    let held = held.map(|held| money(held, &code)).transpose()?;
    Ok(BalanceReading {
        provider: provider.clone(),
        balance: ProviderBalance {
            available: money(available, &code)?,
            held,
            at: Timestamp::from_millis(said_at),
        },
        read_at: Timestamp::from_millis(read_at),
        is_low,
    })
}

fn money(minor: i64, code: &str) -> Result<Money, PortError> {
    let currency = Currency::from_code(code).ok_or_else(|| {
        let what =
            format!("a prefunding, transfer or balance is in {code}, which is no currency here");
        PortError::new(PART, what).with_trouble(PortErrorKind::Record)
    })?;
    Ok(Money::from_minor(minor, currency))
}
