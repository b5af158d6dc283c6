//! What accounts have beyond the deliveries they may store, as the stores answer it. What cannot be
//! read must be an error.

use crate::PART;
use domain::account::AccountId;
use domain::time::Timestamp;
use ports::PortError;
use ports::webhooks::StorageExcess;

/// The accounts of rows, each with the moment before which its deliveries are beyond.
///
/// # Errors
/// When an account breaks a rule.
pub fn excess(rows: Vec<(String, i64)>) -> Result<Vec<StorageExcess>, PortError> {
    let rows = rows.into_iter().map(|(account, before)| {
        let account = AccountId::parse(&account)
            .map_err(|error| PortError::caused(PART, "an account cannot be read", error))?;
        let before = Timestamp::from_millis(before);
        Ok(StorageExcess { account, before })
    });
    rows.collect()
}
