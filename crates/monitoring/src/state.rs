//! What stands at the moment of a scrape: what waits, what is suspended, what is left. Where the
//! store does not answer, what it would say is left out, and a gauge of its own says so.

mod gauges;

pub(crate) use gauges::StateGauges;
use gauges::{
    BalanceLabels, CheckLabels, CircuitLabels, EndpointLabels, OldestLabels, OpenLabels,
    PoolLabels, ProviderLabels, Single, VersionLabels,
};

use crate::readiness::{CheckStatus, ReadinessReport};
use crate::watched::{STORE_WITHIN, WatchedGateway};
use application::operators::NotSigned;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::backlog::{AGES, OpenPayments, PoolState, WebhookBacklog};
use std::future::Future;
use std::time::Duration;

/// How long all questions of one look may take: a scrape is given up after ten seconds.
const LOOK_WITHIN: Duration = Duration::from_secs(6);

/// Most endpoints that are named, those that are furthest behind: a label for each of thousands
/// would fill the tool that stores them, and more than these have one cause.
const ENDPOINTS_MAX: u32 = 20;

/// Most changes of providers that are counted one by one.
const LETTERS_MAX: u32 = 1_000;

/// The labels of [`AGES`].
const AGE_WORDS: [&str; AGES.len()] = ["0s", "1m", "10m", "1h", "24h"];

impl StateGauges {
    /// Looks at everything.
    pub(crate) async fn look(&self, watched: &WatchedGateway) {
        self.forget();
        self.look_at_host(watched);
        self.look_at_providers(watched);
        let state = in_time(watched.backlog.read_state()).await;
        self.store_up.set(i64::from(state.is_ok()));
        let counted = match state {
            Ok(state) => {
                set_known(&self.store_bytes, state.bytes.map(whole));
                set_known(&self.standby_behind, state.standby_behind_bytes.map(whole));
                state.pools.iter().for_each(|pool| self.set_pool(*pool));
                let counted = tokio::time::timeout(LOOK_WITHIN, self.count(watched)).await;
                counted.unwrap_or_else(|_| Err(silent(LOOK_WITHIN)))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = &counted {
            tracing::warn!(%error, "not everything in the store was counted for the metrics");
        }
        self.store_counted.set(i64::from(counted.is_ok()));
    }

    /// What the checks came to by which a balancer is answered.
    pub(crate) fn set_checks(&self, report: &ReadinessReport) {
        for it in &report.checks {
            let labels = CheckLabels { check: it.name };
            let came_to = match it.status {
                CheckStatus::Ok => 0,
                CheckStatus::Degraded => 1,
                CheckStatus::Failed => 2,
            };
            self.checks.get_or_create(&labels).set(came_to);
        }
        if let Some(offset) = report.clock_offset {
            let gauge = self.clock_offset.get_or_create(&[]);
            gauge.set(offset.as_secs_f64());
        }
    }

    fn look_at_host(&self, watched: &WatchedGateway) {
        let version = env!("CARGO_PKG_VERSION");
        self.build.get_or_create(&VersionLabels { version }).set(1);
        let host = &watched.host;
        let dropped = host.dropped_log_lines();
        self.log_dropped
            .inc_by(dropped.saturating_sub(self.log_dropped.get()));
        set_known(&self.disk_free, host.free_bytes().map(whole));
        set_known(&self.resident, host.resident_bytes().map(whole));
        set_known(&self.open_files, host.open_files().map(whole));
        set_known(&self.open_files_max, host.open_files_max().map(whole));
        self.uptime.set(whole(watched.gateway.uptime().as_secs()));
        let (now, ends) = (watched.gateway.now(), host.certificate_ends_at());
        set_known(&self.certificate, ends.map(|ends| seconds(ends, now)));
        let (taken, places) = watched.gateway.payment_places();
        self.places.set(whole(places));
        self.places_taken.set(whole(taken));
        let frozen = watched.gateway.payment_freeze();
        self.frozen.set(i64::from(frozen.is_some()));
    }

    fn look_at_providers(&self, watched: &WatchedGateway) {
        for state in watched.gateway.provider_states() {
            let provider = state.provider.as_str().to_owned();
            for (service, is_open) in state.circuits {
                let service = service.code();
                let labels = CircuitLabels {
                    provider: provider.clone(),
                    service,
                };
                self.circuits.get_or_create(&labels).set(i64::from(is_open));
            }
            let paused = self.paused.get_or_create(&ProviderLabels { provider });
            paused.set(i64::from(state.is_paused));
        }
    }

    /// Counts what waits. What takes too long keeps nothing else from being counted.
    async fn count(&self, watched: &WatchedGateway) -> Result<(), PortError> {
        let now = watched.gateway.now();
        let backlog = &watched.backlog;
        let (suspension, open, events, letters, approvals) = tokio::join!(
            in_time(watched.reconciliation.suspension()),
            in_time(backlog.open_payments(now)),
            in_time(backlog.webhook_events(ENDPOINTS_MAX)),
            in_time(watched.changes.open_letters(LETTERS_MAX)),
            in_time(self.count_approvals(watched)),
        );
        if let Ok(suspension) = &suspension {
            set_known(&self.suspended, Some(i64::from(suspension.is_some())));
        }
        for open in open.iter().flatten() {
            self.set_open(open, now);
        }
        if let Ok(events) = &events {
            self.set_events(events, now);
        }
        if let Ok(letters) = &letters {
            set_known(&self.dead_letters, Some(whole(letters.len() as u64)));
        }
        for state in watched.gateway.provider_states() {
            self.read_balance(watched, &state.provider, now).await?;
        }
        let all = [suspension.map(drop), open.map(drop), events.map(drop)];
        let all = all.into_iter().chain([letters.map(drop), approvals]);
        all.collect()
    }

    async fn count_approvals(&self, watched: &WatchedGateway) -> Result<(), PortError> {
        match watched.change_requests.newest().await {
            Ok(requests) => {
                let open = requests.iter().filter(|it| it.waits()).count();
                set_known(&self.approvals, Some(whole(open as u64)));
                Ok(())
            }
            Err(NotSigned::Store(error)) => Err(error),
            // A log that was tampered with opens nothing, and is an alarm of its own.
            Err(error) => {
                tracing::error!(%error, "the log of operators cannot be read");
                set_known(&self.approvals, Some(-1));
                Ok(())
            }
        }
    }

    fn set_pool(&self, PoolState { name, open, idle }: PoolState) {
        for (state, count) in [("busy", open.saturating_sub(idle)), ("idle", idle)] {
            let labels = PoolLabels { pool: name, state };
            let connections = self.connections.get_or_create(&labels);
            connections.set(i64::from(count));
        }
    }

    fn set_open(&self, open: &OpenPayments, now: Timestamp) {
        let (provider, state) = (open.provider.as_str().to_owned(), open.state.code());
        for (older_than, count) in AGE_WORDS.into_iter().zip(open.older_than) {
            let labels = OpenLabels {
                provider: provider.clone(),
                state,
                older_than,
            };
            self.open.get_or_create(&labels).set(whole(count));
        }
        let oldest = self.oldest.get_or_create(&OldestLabels { provider, state });
        oldest.set(seconds(now, open.oldest_at));
    }

    fn set_events(&self, events: &WebhookBacklog, now: Timestamp) {
        set_known(&self.events_waiting, Some(whole(events.waiting)));
        set_known(&self.events_given_up, Some(whole(events.given_up)));
        let oldest = events.oldest_at.map_or(0, |at| seconds(now, at));
        set_known(&self.events_oldest, Some(oldest));
        for behind in &events.behind {
            let labels = EndpointLabels {
                account: behind.account.as_str().to_owned(),
                endpoint: behind.endpoint.to_string(),
            };
            let waiting = self.endpoints_waiting.get_or_create(&labels);
            waiting.set(whole(behind.waiting));
            let oldest = self.endpoints_oldest.get_or_create(&labels);
            oldest.set(seconds(now, behind.oldest_at));
        }
    }

    async fn read_balance(
        &self,
        watched: &WatchedGateway,
        provider: &ProviderId,
        now: Timestamp,
    ) -> Result<(), PortError> {
        let Some(reading) = in_time(watched.readings.last(provider)).await? else {
            return Ok(());
        };
        let provider = provider.as_str().to_owned();
        let labels = ProviderLabels { provider };
        let low = self.balance_low.get_or_create(&labels);
        low.set(i64::from(reading.is_low));
        let age = self.balance_read.get_or_create(&labels);
        age.set(seconds(now, reading.read_at));
        let available = reading.balance.available;
        let labels = BalanceLabels {
            provider: labels.provider,
            currency: available.currency().code(),
        };
        self.balances.get_or_create(&labels).set(available.minor());
        Ok(())
    }
}

/// What the store answers, given up after [`STORE_WITHIN`].
pub(crate) async fn in_time<T>(
    asked: impl Future<Output = Result<T, PortError>>,
) -> Result<T, PortError> {
    let answer = tokio::time::timeout(STORE_WITHIN, asked).await;
    answer.unwrap_or_else(|_| Err(silent(STORE_WITHIN)))
}

fn silent(within: Duration) -> PortError {
    let what = format!("the store did not answer within {within:?}");
    PortError::new("monitoring", what)
}

/// Sets a gauge whose value is known, and leaves out one whose is not.
fn set_known(gauge: &Single, value: Option<i64>) {
    if let Some(value) = value {
        gauge.get_or_create(&[]).set(value);
    }
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Whole seconds from one moment to a later one; below zero where it is earlier.
const fn seconds(later: Timestamp, earlier: Timestamp) -> i64 {
    later.as_millis().saturating_sub(earlier.as_millis()) / 1_000
}

#[cfg(test)]
impl StateGauges {
    /// Has every metric a series: one without is not shown.
    pub(crate) fn touch(&self) {
        let provider = ProviderId::gateway();
        let moment = Timestamp::from_millis(0);
        self.set_open(
            &OpenPayments {
                provider: provider.clone(),
                state: ports::backlog::OpenState::Review,
                older_than: [0; AGES.len()],
                oldest_at: moment,
            },
            moment,
        );
        let behind = ports::backlog::EndpointBacklog {
            account: testkit::builders::account_id("shop"),
            endpoint: testkit::builders::endpoint_id(1),
            waiting: 1,
            oldest_at: moment,
        };
        let events = WebhookBacklog {
            behind: vec![behind],
            ..WebhookBacklog::default()
        };
        self.set_events(&events, moment);
        let (name, open, idle) = ("reads", 1, 1);
        self.set_pool(PoolState { name, open, idle });
        let provider = provider.as_str().to_owned();
        let labels = ProviderLabels { provider };
        for family in [&self.paused, &self.balance_low, &self.balance_read] {
            family.get_or_create(&labels).set(0);
        }
        let provider = labels.provider;
        let labels = CircuitLabels {
            provider: provider.clone(),
            service: "airtime",
        };
        self.circuits.get_or_create(&labels).set(0);
        let currency = "NGN";
        let labels = BalanceLabels { provider, currency };
        self.balances.get_or_create(&labels).set(0);
        let check = "database";
        self.checks.get_or_create(&CheckLabels { check }).set(0);
        self.clock_offset.get_or_create(&[]).set(0.0);
        for single in self.singles() {
            set_known(single, Some(0));
        }
        let version = "0";
        self.build.get_or_create(&VersionLabels { version }).set(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::backlog::OpenState;

    #[test]
    fn every_age_has_its_word_and_every_state_one_of_its_own() {
        let secs = AGES.map(|age| age.as_secs());
        assert_eq!(secs, [0, 60, 600, 3_600, 86_400]);
        let words: std::collections::BTreeSet<_> = AGE_WORDS.into_iter().collect();
        assert_eq!(words.len(), AGES.len());
        let states: std::collections::BTreeSet<_> =
            OpenState::ALL.iter().map(|state| state.code()).collect();
        assert_eq!(states.len(), OpenState::ALL.len());
    }
}
