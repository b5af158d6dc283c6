//! Requests of accounts as they were answered. A store keeps the latest of each account; they are
//! for looking something up, and prove nothing.

use crate::PortError;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::request_log::{LoggedRequest, RequestLogQuery};
use std::fmt;

/// Some requests of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestLogPage {
    /// The requests of the part.
    pub requests: Vec<LoggedRequest>,
    /// How many are kept.
    pub total: u64,
    /// How many of them were asked for.
    pub found: u64,
}

/// Which requests of an account need not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestExcess<'a> {
    /// The account.
    pub account: &'a AccountId,
    /// How many are kept, the newest.
    pub kept: u32,
    /// How many are forgotten at a time, the oldest first.
    pub most: u32,
}

/// The log of requests.
#[async_trait]
pub trait RequestLog: Send + Sync + fmt::Debug {
    /// Records requests, all of them or none.
    ///
    /// # Errors
    /// When the store failed.
    async fn record_requests(&self, requests: &[LoggedRequest]) -> Result<(), PortError>;

    /// A part of the requests of an account.
    ///
    /// # Errors
    /// When the store failed, or a row breaks a rule.
    async fn logged_requests(
        &self,
        account: &AccountId,
        query: &RequestLogQuery,
    ) -> Result<RequestLogPage, PortError>;

    /// Forgets what an account has beyond what is kept; answers how many.
    ///
    /// # Errors
    /// When the store failed.
    async fn forget_excess(&self, excess: RequestExcess<'_>) -> Result<u64, PortError>;
}
