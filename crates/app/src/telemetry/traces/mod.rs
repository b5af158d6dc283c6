//! Traces on their way to a collector. Nothing may wait for it: a span that finds no room in the
//! queue, or that the collector does not take, is lost and counted.

mod client;
mod layer;
mod queue;

use std::sync::OnceLock;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanExporter as _};
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

use self::client::CollectorClient;
use self::layer::SpanLayer;
use self::queue::Exporting;
use crate::config::Traces;

/// What is exported; traces are one for the process.
static EXPORTING: OnceLock<Exporting> = OnceLock::new();

/// Starts exporting, where there is a collector. The layer must be part of the subscriber.
pub(super) fn start<S>(
    traces: &Traces,
) -> anyhow::Result<Option<impl Layer<S> + Send + Sync + use<S>>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let Some(collector) = &traces.collector else {
        return Ok(None);
    };
    let resource = Resource::builder()
        .with_service_name("manilla")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("process.pid", i64::from(std::process::id())))
        .build();
    let mut exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(CollectorClient::new(collector.clone())?)
        .with_endpoint(client::PATH)
        // What is lost is counted once, and the next batch is the next attempt.
        .with_retry_policy(RetryPolicy::disabled())
        .build()?;
    exporter.set_resource(&resource);
    let (spans, exporting) = queue::start(exporter)?;
    let _ = EXPORTING.set(exporting);
    let provider = SdkTracerProvider::builder()
        .with_span_processor(spans)
        .with_sampler(Sampler::ParentBased(Box::new(sampler(traces.per_mille))))
        .with_resource(resource)
        .build();
    let layer = SpanLayer::new(provider.tracer("manilla"));
    Ok(Some(layer.with_filter(layer::filter())))
}

/// Exports what is queued, though not for long.
pub(super) fn flush() {
    if let Some(exporting) = EXPORTING.get() {
        exporting.flush();
    }
}

#[expect(
    clippy::float_arithmetic,
    reason = "the sampler takes a share as a fraction, and no amount depends on it"
)]
fn sampler(per_mille: u16) -> Sampler {
    Sampler::TraceIdRatioBased(f64::from(per_mille) / 1000.0)
}
