//! The log of an account's own requests. Recording must never delay or fail a request, nor take
//! memory without bound; what finds no room is left out and counted. It proves nothing: what is
//! evidence is recorded by the commit of a change ([`crate::account_changes`]).

mod waiting;
mod writer;

pub(crate) use waiting::WaitingRequests;
pub use writer::RequestLogWriter;

use crate::gateway::{Gateway, Merchant};
use domain::request_log::{AnsweredRequest, RequestLogQuery};
use ports::PortError;
use ports::request_log::RequestLogPage;
use std::time::Duration;

/// How many requests of an account are kept at least, the newest: some days of a busy program, and
/// three megabytes.
pub const KEPT_MAX: u32 = 10_000;

/// For how long a request is kept at most: a question about one is asked within a month.
pub const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

impl Gateway {
    /// Has a request recorded once it is answered. It waits for nothing and cannot fail.
    pub fn note_request(&self, request: AnsweredRequest) {
        self.waiting_requests().add(request);
    }

    /// How many requests were left out of the log since the start.
    pub fn unrecorded_requests(&self) -> u64 {
        self.waiting_requests().left_out()
    }

    /// A part of the merchant's own requests.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    pub async fn logged_requests(
        &self,
        merchant: &Merchant,
        query: &RequestLogQuery,
    ) -> Result<RequestLogPage, PortError> {
        let log = &self.parts().request_log;
        log.logged_requests(&merchant.account.id, query).await
    }
}
