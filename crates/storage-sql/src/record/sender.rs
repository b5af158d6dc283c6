//! Sender identities read back. A row must pass every rule that a fresh value passes.

use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::AccountId;
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use domain::time::Timestamp;
use ports::PortError;

/// A sender as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SenderRow {
    /// The serial number.
    pub serial: String,
    /// Whose it is.
    pub account: String,
    /// The name.
    pub name: String,
    /// The word of its status.
    pub status: String,
    /// When it was registered, in milliseconds.
    pub requested_at: i64,
    /// When it was decided about, in milliseconds.
    pub decided_at: Option<i64>,
}

impl SenderRow {
    /// The sender the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the sender.
    pub fn restore(&self) -> Result<Sender, PortError> {
        self.read().map_err(|error| {
            let what = format!("sender {} cannot be read", self.serial);
            PortError::caused(PART, what, error)
        })
    }

    fn read(&self) -> Result<Sender, RecordError> {
        let status = SenderStatus::from_code(&self.status);
        Ok(Sender {
            account: valid(AccountId::parse(&self.account), "account")?,
            name: valid(SenderName::recorded(&self.name), "name")?,
            status: status.ok_or(RecordError::Value("status"))?,
            requested_at: Timestamp::from_millis(self.requested_at),
            decided_at: self.decided_at.map(Timestamp::from_millis),
            serial: valid(SenderSerial::parse(&self.serial), "serial number")?,
        })
    }
}
