//! The gauges of what stands at a moment, with their labels and what they are called.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use std::sync::atomic::AtomicU64;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OpenLabels {
    pub(super) provider: String,
    pub(super) state: &'static str,
    pub(super) older_than: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OldestLabels {
    pub(super) provider: String,
    pub(super) state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct EndpointLabels {
    pub(super) account: String,
    pub(super) endpoint: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CircuitLabels {
    pub(super) provider: String,
    pub(super) service: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ProviderLabels {
    pub(super) provider: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct BalanceLabels {
    pub(super) provider: String,
    pub(super) currency: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct PoolLabels {
    pub(super) pool: &'static str,
    pub(super) state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CheckLabels {
    pub(super) check: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct VersionLabels {
    pub(super) version: &'static str,
}

/// A gauge that is left out while its value is not known.
pub(super) type Single = Family<[(&'static str, &'static str); 0], Gauge>;

/// The gauges.
#[derive(Debug, Clone, Default)]
pub(crate) struct StateGauges {
    pub(super) build: Family<VersionLabels, Gauge>,
    pub(super) store_up: Gauge,
    pub(super) store_counted: Gauge,
    pub(super) store_bytes: Single,
    pub(super) standby_behind: Single,
    pub(super) connections: Family<PoolLabels, Gauge>,
    pub(super) suspended: Single,
    pub(super) frozen: Gauge,
    pub(super) open: Family<OpenLabels, Gauge>,
    pub(super) oldest: Family<OldestLabels, Gauge>,
    pub(super) dead_letters: Single,
    pub(super) approvals: Single,
    pub(super) events_waiting: Single,
    pub(super) events_given_up: Single,
    pub(super) events_oldest: Single,
    pub(super) endpoints_waiting: Family<EndpointLabels, Gauge>,
    pub(super) endpoints_oldest: Family<EndpointLabels, Gauge>,
    pub(super) circuits: Family<CircuitLabels, Gauge>,
    pub(super) paused: Family<ProviderLabels, Gauge>,
    pub(super) balances: Family<BalanceLabels, Gauge>,
    pub(super) balance_low: Family<ProviderLabels, Gauge>,
    pub(super) balance_read: Family<ProviderLabels, Gauge>,
    pub(super) places: Gauge,
    pub(super) places_taken: Gauge,
    pub(super) log_dropped: Counter,
    pub(super) certificate: Single,
    pub(super) disk_free: Single,
    pub(super) resident: Single,
    pub(super) open_files: Single,
    pub(super) open_files_max: Single,
    pub(super) uptime: Gauge,
    pub(super) checks: Family<CheckLabels, Gauge>,
    pub(super) clock_offset: Family<[(&'static str, &'static str); 0], Gauge<f64, AtomicU64>>,
}

impl StateGauges {
    /// Leaves out whatever was found before.
    pub(super) fn forget(&self) {
        self.open.clear();
        self.oldest.clear();
        self.endpoints_waiting.clear();
        self.endpoints_oldest.clear();
        self.connections.clear();
        self.circuits.clear();
        self.checks.clear();
        self.clock_offset.clear();
        self.balances.clear();
        for family in [&self.paused, &self.balance_low, &self.balance_read] {
            family.clear();
        }
        for single in self.singles() {
            single.clear();
        }
    }

    /// Every gauge that may be left out.
    pub(super) fn singles(&self) -> [&Single; 13] {
        [
            &self.store_bytes,
            &self.standby_behind,
            &self.suspended,
            &self.dead_letters,
            &self.approvals,
            &self.events_waiting,
            &self.events_given_up,
            &self.events_oldest,
            &self.certificate,
            &self.disk_free,
            &self.resident,
            &self.open_files,
            &self.open_files_max,
        ]
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        self.register_payments(registry);
        self.register_webhooks(registry);
        self.register_providers(registry);
        self.register_connection(registry);
        self.register_host(registry);
    }

    fn register_payments(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register(
            "open_payments",
            "Payments that are not final, by provider, state and least age; of the whole store",
            it.open,
        );
        registry.register_with_unit(
            "open_payments_oldest",
            "Age of the oldest payment that is not final, by provider and state",
            Unit::Seconds,
            it.oldest,
        );
        registry.register(
            "payments_suspended",
            "1 while new payments are suspended until the ledger is reconciled",
            it.suspended,
        );
        registry.register(
            "payments_frozen",
            "1 while an operator keeps every account from new payments, as this instance knows it",
            it.frozen,
        );
        registry.register(
            "dead_letters",
            "Changes of providers that could not be applied, 1000 at most",
            it.dead_letters,
        );
        registry.register(
            "approvals_waiting",
            "Changes that wait for the grant of another operator",
            it.approvals,
        );
        registry.register(
            "payment_places",
            "Payments that this instance works on at a time, at most",
            it.places,
        );
        registry.register(
            "payment_places_taken",
            "Payments that this instance works on",
            it.places_taken,
        );
    }

    fn register_webhooks(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register(
            "webhook_events_waiting",
            "Webhook events that wait for an attempt; of the whole store",
            it.events_waiting,
        );
        registry.register(
            "webhook_events_given_up",
            "Webhook events that are attempted no more unless they are replayed",
            it.events_given_up,
        );
        registry.register_with_unit(
            "webhook_events_oldest",
            "Age of the oldest webhook event that waits",
            Unit::Seconds,
            it.events_oldest,
        );
        registry.register(
            "webhook_endpoint_waiting",
            "Webhook events that wait, of the 20 endpoints that are furthest behind",
            it.endpoints_waiting,
        );
        registry.register_with_unit(
            "webhook_endpoint_oldest",
            "Age of the oldest event, of the 20 endpoints that are furthest behind",
            Unit::Seconds,
            it.endpoints_oldest,
        );
    }

    fn register_providers(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register(
            "provider_circuit_open",
            "1 while this instance sends a provider nothing of a service, since too much failed",
            it.circuits,
        );
        registry.register(
            "provider_paused",
            "1 while an operator has paused the provider",
            it.paused,
        );
        registry.register(
            "provider_balance_minor_units",
            "Our balance at the provider as it was read last, in the smallest unit of its currency",
            it.balances,
        );
        registry.register(
            "provider_balance_low",
            "1 while that balance is below what its operator wants to be left",
            it.balance_low,
        );
        registry.register_with_unit(
            "provider_balance_age",
            "Time since that balance was read",
            Unit::Seconds,
            it.balance_read,
        );
    }

    fn register_connection(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register("store_up", "1 while the store answers", it.store_up);
        registry.register(
            "store_counted",
            "1 while everything that waits in the store could be counted in time",
            it.store_counted,
        );
        registry.register_with_unit(
            "store_size",
            "What the store takes",
            Unit::Bytes,
            it.store_bytes,
        );
        registry.register_with_unit(
            "store_standby_behind",
            "What the standby that lists are read from has not replayed of the log",
            Unit::Bytes,
            it.standby_behind,
        );
        registry.register(
            "store_connections",
            "Connections to the store that read, by pool and state; writers have one each",
            it.connections,
        );
    }

    fn register_host(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register("build_info", "1, with the version of the program", it.build);
        registry.register(
            "log_lines_dropped",
            "Lines of the log that were dropped since the start",
            it.log_dropped,
        );
        registry.register_with_unit(
            "certificate_remaining",
            "Time until the certificate that is shown ends",
            Unit::Seconds,
            it.certificate,
        );
        registry.register_with_unit(
            "disk_free",
            "What is free where the data folder is",
            Unit::Bytes,
            it.disk_free,
        );
        registry.register_with_unit(
            "resident_memory",
            "Memory that the process occupies",
            Unit::Bytes,
            it.resident,
        );
        registry.register("open_files", "Open files of the process", it.open_files);
        registry.register(
            "open_files_max",
            "Files that the process may have open",
            it.open_files_max,
        );
        registry.register_with_unit(
            "uptime",
            "Time since the process started",
            Unit::Seconds,
            it.uptime,
        );
        registry.register(
            "check",
            "What a check of /ready came to: 0 as it should be, 1 degraded, 2 failed",
            it.checks,
        );
        registry.register_with_unit(
            "clock_offset",
            "How far the clock is from that of the store",
            Unit::Seconds,
            it.clock_offset,
        );
    }
}
