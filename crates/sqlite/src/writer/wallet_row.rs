//! A wallet as a batch leaves it, as a row that becomes JSON. Each field must be named as the
//! statement that takes it apart names it.

use domain::time::Timestamp;
use ports::PortError;
use serde::Serialize;
use storage_sql::planner::WalletState;
use storage_sql::row_macs::RowMacs;

#[derive(Debug, Serialize)]
pub(super) struct WalletRow<'a> {
    account: &'a str,
    currency: &'static str,
    available: i64,
    held: i64,
    debits: u64,
    credits: u64,
    counted_from: Option<i64>,
    spent: i64,
    mac: String,
}

impl<'a> WalletRow<'a> {
    pub(super) fn new(state: &'a WalletState, macs: &RowMacs) -> Result<Self, PortError> {
        let wallet = &state.wallet;
        Ok(Self {
            account: wallet.account.as_str(),
            currency: wallet.currency().code(),
            available: wallet.available.minor(),
            held: wallet.held.minor(),
            debits: state.debits,
            credits: state.credits,
            counted_from: wallet.spending.counted_from.map(Timestamp::as_millis),
            spent: wallet.spending.spent.minor(),
            mac: macs.wallet(&state.into())?,
        })
    }
}
