//! What is counted and timed as it happens. A label must have few values: the families, providers,
//! paths and words of ours, and never an account, a reference or anything that a client sends.

mod labels;

use self::labels::{
    CallLabels, CallTimeLabels, DoubtLabels, FinalLabels, LimitLabels, PathLabels, PaymentLabels,
    RequestLabels, ResultLabels, ServiceLabels, SourceLabels,
};
use domain::transaction::Status;
use ports::measurements::{
    CommittedBatch, ListSource, MeasuredPayment, MeasuredRequest, Measurements, NamedLimit,
    ProviderCall,
};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// Bounds of what a client waits for, in seconds: a lookup in the program, a database, a provider,
/// and the longest answer window.
const REQUEST_BOUNDS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0,
];

/// Bounds of what a provider takes, in seconds.
const PROVIDER_BOUNDS: [f64; 10] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];

/// Bounds of the time to a final status, in seconds: at once, within the answer window, and by
/// recovery up to a week later.
const FINAL_BOUNDS: [f64; 12] = [
    0.1, 0.5, 1.0, 5.0, 20.0, 60.0, 300.0, 1_800.0, 7_200.0, 28_800.0, 86_400.0, 604_800.0,
];

/// Bounds of a commit, in seconds: a disk that is fast, one that is not, and one that is stuck.
const COMMIT_BOUNDS: [f64; 11] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 10.0,
];

/// Bounds of the size of a batch, up to the most change sets that are committed together.
const BATCH_BOUNDS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Bounds of the age of an event at an attempt, in seconds: at once, and by retries over days.
const DELIVERY_BOUNDS: [f64; 9] = [
    0.1, 0.5, 1.0, 5.0, 30.0, 300.0, 3_600.0, 21_600.0, 259_200.0,
];

type Times<L> = Family<L, Histogram, fn() -> Histogram>;

/// The path of a request that is none of ours.
const OTHER_PATH: &str = "other";

const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::Successful => "successful",
        Status::Failed => "failed",
        Status::Reversed => "reversed",
    }
}

/// Counts and times what the gateway does.
#[derive(Debug, Clone)]
pub struct Instruments {
    requests: Family<RequestLabels, Counter>,
    request_times: Times<PathLabels>,
    limits: Family<LimitLabels, Counter>,
    opened: Family<PaymentLabels, Counter>,
    ended: Family<FinalLabels, Counter>,
    doubts: Family<DoubtLabels, Counter>,
    final_times: Times<ServiceLabels>,
    calls: Family<CallLabels, Counter>,
    call_times: Times<CallTimeLabels>,
    commits: Family<ResultLabels, Counter>,
    commit_times: Histogram,
    batch_sizes: Histogram,
    altered: Counter,
    lists: Family<SourceLabels, Counter>,
    deliveries: Family<ResultLabels, Counter>,
    delivery_ages: Histogram,
}

impl Instruments {
    /// Every instrument at zero.
    pub fn new() -> Self {
        let limits = Family::<LimitLabels, Counter>::default();
        for limit in NamedLimit::ALL {
            // There from the start, so that the first refusal is a rise.
            let limit = limit.code();
            drop(limits.get_or_create(&LimitLabels { limit }));
        }
        Self {
            requests: Family::default(),
            request_times: Family::new_with_constructor(|| Histogram::new(REQUEST_BOUNDS)),
            limits,
            opened: Family::default(),
            ended: Family::default(),
            doubts: Family::default(),
            final_times: Family::new_with_constructor(|| Histogram::new(FINAL_BOUNDS)),
            calls: Family::default(),
            call_times: Family::new_with_constructor(|| Histogram::new(PROVIDER_BOUNDS)),
            commits: Family::default(),
            commit_times: Histogram::new(COMMIT_BOUNDS),
            batch_sizes: Histogram::new(BATCH_BOUNDS),
            altered: Counter::default(),
            lists: Family::default(),
            deliveries: Family::default(),
            delivery_ages: Histogram::new(DELIVERY_BOUNDS),
        }
    }

    /// Has a registry show them.
    pub(crate) fn register(&self, registry: &mut Registry) {
        self.register_edge(registry);
        self.register_payments(registry);
        self.register_store(registry);
    }

    fn register_edge(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register(
            "http_requests",
            "Requests that were answered, by method, path of the interface and status",
            it.requests,
        );
        registry.register_with_unit(
            "http_request_duration",
            "Time from a request's head to its answer, by path of the interface",
            Unit::Seconds,
            it.request_times,
        );
        registry.register(
            "limit_hits",
            "Requests and connections that a limit refused, by limit",
            it.limits,
        );
    }

    fn register_payments(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register(
            "payments_opened",
            "Payments that were opened, by service and first provider",
            it.opened,
        );
        registry.register(
            "payments_ended",
            "Payments that came to an end, by service, provider and status",
            it.ended,
        );
        registry.register(
            "payments_doubted",
            "Payments whose outcome was not known after an answer, by service, provider and cause",
            it.doubts,
        );
        registry.register_with_unit(
            "payment_final_duration",
            "Time from the opening of a payment to its end, by service",
            Unit::Seconds,
            it.final_times,
        );
        registry.register(
            "provider_calls",
            "Calls of providers, by provider, call and outcome",
            it.calls,
        );
        registry.register_with_unit(
            "provider_call_duration",
            "Time that providers took, by provider and call",
            Unit::Seconds,
            it.call_times,
        );
    }

    fn register_store(&self, registry: &mut Registry) {
        let it = self.clone();
        registry.register("commits", "Batches of change sets, by result", it.commits);
        registry.register_with_unit(
            "commit_duration",
            "Time to make a batch durable, from its first statement on",
            Unit::Seconds,
            it.commit_times,
        );
        registry.register(
            "commit_batch_size",
            "Change sets that were committed together",
            it.batch_sizes,
        );
        registry.register(
            "altered_rows_read",
            "Wallets and transactions that were refused: they are not as a gateway wrote them",
            it.altered,
        );
        registry.register(
            "list_reads",
            "Pages of lists and reports, by the server they were read from",
            it.lists,
        );
        registry.register(
            "webhook_attempts",
            "Attempts to deliver webhook events, by result",
            it.deliveries,
        );
        registry.register_with_unit(
            "webhook_delivery_age",
            "Age of webhook events when they were accepted",
            Unit::Seconds,
            it.delivery_ages,
        );
    }
}

impl Default for Instruments {
    fn default() -> Self {
        Self::new()
    }
}

fn labels(payment: MeasuredPayment<'_>) -> PaymentLabels {
    PaymentLabels {
        service: payment.service.code(),
        provider: payment.provider.as_str().to_owned(),
    }
}

impl Measurements for Instruments {
    fn request_answered(&self, request: MeasuredRequest) {
        let path = request.path.unwrap_or(OTHER_PATH);
        let counted = RequestLabels {
            method: request.method,
            path,
            status: request.status,
        };
        self.requests.get_or_create(&counted).inc();
        let times = self.request_times.get_or_create(&PathLabels { path });
        times.observe(request.took.as_secs_f64());
    }

    fn limit_hit(&self, limit: NamedLimit) {
        let limit = limit.code();
        self.limits.get_or_create(&LimitLabels { limit }).inc();
    }

    fn payment_opened(&self, payment: MeasuredPayment<'_>) {
        self.opened.get_or_create(&labels(payment)).inc();
    }

    fn payment_in_doubt(&self, payment: MeasuredPayment<'_>, is_acknowledged: bool) {
        let PaymentLabels { service, provider } = labels(payment);
        let cause = if is_acknowledged {
            "acknowledged"
        } else {
            "unanswered"
        };
        let doubted = DoubtLabels {
            service,
            provider,
            cause,
        };
        self.doubts.get_or_create(&doubted).inc();
    }

    fn payment_ended(&self, payment: MeasuredPayment<'_>, status: Status, after: Duration) {
        let PaymentLabels { service, provider } = labels(payment);
        let status = status_word(status);
        let ended = FinalLabels {
            service,
            provider,
            status,
        };
        self.ended.get_or_create(&ended).inc();
        let times = self.final_times.get_or_create(&ServiceLabels { service });
        times.observe(after.as_secs_f64());
    }

    fn provider_called(&self, call: ProviderCall<'_>) {
        let provider = call.provider.as_str().to_owned();
        let timed = CallTimeLabels {
            provider: provider.clone(),
            call: call.kind.code(),
        };
        self.call_times
            .get_or_create(&timed)
            .observe(call.took.as_secs_f64());
        let called = CallLabels {
            provider,
            call: call.kind.code(),
            outcome: call.outcome,
        };
        self.calls.get_or_create(&called).inc();
    }

    fn batch_committed(&self, batch: CommittedBatch) {
        let result = if batch.is_durable {
            "durable"
        } else {
            "failed"
        };
        self.commits.get_or_create(&ResultLabels { result }).inc();
        self.commit_times.observe(batch.took.as_secs_f64());
        let size = u32::try_from(batch.size).unwrap_or(u32::MAX);
        self.batch_sizes.observe(f64::from(size));
    }

    fn altered_rows_read(&self, rows: usize) {
        self.altered.inc_by(u64::try_from(rows).unwrap_or(u64::MAX));
    }

    fn list_read(&self, from: ListSource) {
        let source = from.code();
        self.lists.get_or_create(&SourceLabels { source }).inc();
    }

    fn delivery_attempted(&self, is_accepted: bool, age: Duration) {
        let result = if is_accepted { "accepted" } else { "failed" };
        let counted = ResultLabels { result };
        self.deliveries.get_or_create(&counted).inc();
        if is_accepted {
            self.delivery_ages.observe(age.as_secs_f64());
        }
    }
}

#[cfg(test)]
impl Instruments {
    /// Has every metric a series: one without is not shown.
    pub(crate) fn touch(&self) {
        let provider = domain::provider::ProviderId::gateway();
        let payment = MeasuredPayment {
            service: domain::order::Service::Airtime,
            provider: &provider,
        };
        let took = Duration::ZERO;
        self.request_answered(MeasuredRequest {
            method: "GET",
            path: None,
            status: 200,
            took,
        });
        self.payment_opened(payment);
        self.payment_in_doubt(payment, true);
        self.payment_ended(payment, Status::Failed, took);
        self.provider_called(ProviderCall {
            provider: &provider,
            kind: ports::measurements::ProviderCallKind::Query,
            outcome: "pending",
            took,
        });
        self.batch_committed(CommittedBatch {
            size: 1,
            is_durable: true,
            took,
        });
        self.list_read(ListSource::Standby);
        self.delivery_attempted(true, took);
    }
}
