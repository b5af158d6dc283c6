//! Requests of accounts, read back.

use super::{RecordError, scalar::valid};
use crate::PART;
use domain::account::AccountId;
use domain::request_log::{AnsweredRequest, LoggedRequest};
use domain::time::Timestamp;
use ports::PortError;
use std::borrow::Cow;

/// A request of an account as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedRequestRow {
    /// The account.
    pub account: String,
    /// Its number.
    pub number: i64,
    /// When it was answered, in milliseconds.
    pub at: i64,
    /// Its method.
    pub method: String,
    /// Its path.
    pub path: String,
    /// The status of the answer.
    pub status: i32,
    /// How long the answer took, in milliseconds.
    pub latency: i64,
    /// What of its key may be shown.
    pub key_prefix: String,
    /// The address of the client.
    pub address: String,
    /// The id of the request.
    pub request_id: String,
}

impl LoggedRequestRow {
    /// The row that a request is stored as.
    pub fn of(logged: &LoggedRequest) -> Self {
        let request = &logged.request;
        Self {
            account: request.account.as_str().to_owned(),
            number: i64::try_from(logged.number).unwrap_or(i64::MAX),
            at: request.at.as_millis(),
            method: request.method.to_string(),
            path: request.path.to_string(),
            status: i32::from(request.status),
            latency: i64::try_from(request.latency_ms).unwrap_or(i64::MAX),
            key_prefix: request.key_prefix.clone(),
            address: request.address.to_string(),
            request_id: request.request_id.clone(),
        }
    }

    /// The request the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the request.
    pub fn restore(self) -> Result<LoggedRequest, PortError> {
        let what = format!("request {} of {} cannot be read", self.number, self.account);
        self.read()
            .map_err(|error| PortError::caused(PART, what, error))
    }

    fn read(self) -> Result<LoggedRequest, RecordError> {
        Ok(LoggedRequest {
            number: valid(u64::try_from(self.number), "number")?,
            request: AnsweredRequest {
                account: valid(AccountId::parse(&self.account), "account")?,
                at: Timestamp::from_millis(self.at),
                method: Cow::Owned(self.method),
                path: Cow::Owned(self.path),
                status: valid(u16::try_from(self.status), "status")?,
                latency_ms: valid(u64::try_from(self.latency), "latency")?,
                key_prefix: self.key_prefix,
                address: valid(self.address.parse(), "address")?,
                request_id: self.request_id,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reads_back_and_a_row_that_breaks_a_rule_is_named() {
        let logged = testkit::builders::logged_request("shop", 7);
        let row = LoggedRequestRow::of(&logged);
        assert_eq!(row.clone().restore().unwrap(), logged);
        let changes: [fn(&mut LoggedRequestRow); 5] = [
            |row| row.number = -1,
            |row| row.account = "a b".to_owned(),
            |row| row.status = -1,
            |row| row.latency = -1,
            |row| row.address = "here".to_owned(),
        ];
        for change in changes {
            let mut broken = row.clone();
            change(&mut broken);
            let error = broken.restore().unwrap_err().to_string();
            assert!(error.contains("cannot be read"), "{error}");
        }
    }
}
