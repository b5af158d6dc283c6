//! Writes answered requests to the store, a batch at a time. It must leave most of the store's time
//! to payments, and never stop because the store failed.

use super::waiting::BATCH_MAX;
use super::{KEPT_MAX, WaitingRequests};
use crate::gateway::Gateway;
use domain::account::AccountId;
use domain::request_log::{AnsweredRequest, LoggedRequest};
use ports::request_log::RequestExcess;
use std::collections::HashMap;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How old the oldest that waits becomes before a batch is written that is not full.
const EVERY: Duration = Duration::from_secs(1);

/// The pause after a batch: with it 5,000 requests a second are written at most, and most of the
/// store's time is left to payments.
const PAUSE: Duration = Duration::from_millis(100);

/// For how long requests that still wait are written at the end.
const CLOSING_MAX: Duration = Duration::from_secs(2);

/// After how many more requests of an account those beyond what is kept are forgotten: looking for
/// them walks over all that are kept.
const FORGET_EVERY: u32 = 1_000;

/// How many are forgotten at a time: more than are recorded in between.
const FORGET_MOST: u32 = 2_000;

/// How many accounts are counted; where more send requests, all are looked at again.
const ACCOUNTS_MAX: usize = 10_000;

/// Writes the log of requests.
#[derive(Debug)]
pub struct RequestLogWriter {
    gateway: Gateway,
    /// How many requests of each account were recorded since those beyond what is kept were
    /// forgotten. An account that is not here is looked at with its next request.
    recorded: HashMap<AccountId, u32>,
    reported: u64,
}

impl RequestLogWriter {
    /// The writer of a gateway.
    pub fn new(gateway: &Gateway) -> Self {
        Self {
            gateway: gateway.clone(),
            recorded: HashMap::new(),
            reported: 0,
        }
    }

    /// Writes until it is stopped, and what waits then.
    pub async fn run(mut self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = self.waiting().until_batch() => {}
                () = self.gateway.wait(EVERY) => {}
                () = stop.cancelled() => break,
            }
            let gateway = self.gateway.clone();
            tokio::select! {
                _ = self.write_batch() => {}
                // A store that does not answer must not hold up the end.
                () = async {
                    stop.cancelled().await;
                    gateway.wait(CLOSING_MAX).await;
                } => return,
            }
            self.gateway.pause(PAUSE, &stop).await;
        }
        let gateway = self.gateway.clone();
        let closed = gateway.within(CLOSING_MAX, self.write_all()).await;
        if closed.is_none() {
            tracing::warn!("not all requests were written to the log of requests in time");
        }
    }

    /// Writes what waits.
    pub async fn write_all(&mut self) {
        while self.write_batch().await == BATCH_MAX {}
    }

    /// Writes a batch; answers how many it was of.
    async fn write_batch(&mut self) -> usize {
        let requests = self.waiting().take();
        let count = requests.len();
        if count > 0 {
            self.write(requests).await;
        }
        self.report();
        count
    }

    async fn write(&mut self, requests: Vec<AnsweredRequest>) {
        let ids = &self.gateway.parts().ids;
        let requests = requests.into_iter().map(|request| LoggedRequest {
            number: ids.transaction_number().get(),
            request,
        });
        let requests: Vec<_> = requests.collect();
        let log = &self.gateway.parts().request_log;
        if let Err(error) = log.record_requests(&requests).await {
            tracing::warn!(%error, "requests could not be written to the log of requests");
            self.waiting().lost(requests.len());
            return;
        }
        for account in self.due(&requests) {
            self.forget(&account).await;
        }
    }

    /// Counts what was recorded; the accounts whose oldest requests are to be looked for.
    fn due(&mut self, requests: &[LoggedRequest]) -> Vec<AccountId> {
        if self.recorded.len() > ACCOUNTS_MAX {
            self.recorded.clear();
        }
        let mut due = Vec::new();
        for logged in requests {
            let account = &logged.request.account;
            let count = match self.recorded.get_mut(account) {
                Some(count) => count,
                None => self.recorded.entry(account.clone()).or_insert(FORGET_EVERY),
            };
            *count = count.saturating_add(1);
            if *count > FORGET_EVERY {
                *count = 0;
                due.push(account.clone());
            }
        }
        due
    }

    async fn forget(&self, account: &AccountId) {
        let excess = RequestExcess {
            account,
            kept: KEPT_MAX,
            most: FORGET_MOST,
        };
        let forgotten = self.gateway.parts().request_log.forget_excess(excess).await;
        if let Err(error) = forgotten {
            tracing::warn!(%account, %error, "old requests could not be forgotten");
        }
    }

    /// Says how many were left out since it was last said.
    fn report(&mut self) {
        let left_out = self.gateway.unrecorded_requests();
        let requests = left_out.saturating_sub(self.reported);
        if requests > 0 {
            self.reported = left_out;
            tracing::warn!(requests, "requests were left out of the log of requests");
        }
    }

    fn waiting(&self) -> &WaitingRequests {
        self.gateway.waiting_requests()
    }
}
