//! From spans of the program to spans that are exported. Only the attributes that are listed here
//! may leave: what else stands in a span is for the log alone, such as the address of a client.

use std::fmt;

use opentelemetry::trace::{
    SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId,
    TraceState, Tracer as _,
};
use opentelemetry::{Context as TraceContext, KeyValue, Value};
use opentelemetry_sdk::trace::SdkTracer;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// The target of spans that are there for traces alone.
const STAGES: &str = "manilla::trace";

/// The target of the span of a request, and of the line that ends it.
const REQUESTS: &str = "http_server::edge::answer_log";

/// What a balancer asks each second: an answer to it has no news.
const HEALTH: &str = "/healthz";

/// From here on an answer is an error of ours.
const SERVER_ERROR: i64 = 500;

/// The methods of requests that are named; others may be any text.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// What of the program becomes part of traces.
pub(super) fn filter() -> FilterFn {
    FilterFn::new(is_traced as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::INFO)
}

fn is_traced(of: &Metadata<'_>) -> bool {
    [STAGES, REQUESTS].contains(&of.target())
}

/// Makes spans that are exported.
#[derive(Debug)]
pub(super) struct SpanLayer {
    tracer: SdkTracer,
}

/// A span of a trace, kept with the span of the program that it was made of.
struct Traced(TraceContext);

impl SpanLayer {
    pub(super) const fn new(tracer: SdkTracer) -> Self {
        Self { tracer }
    }
}

impl<S> Layer<S> for SpanLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else {
            return;
        };
        let parent = span.parent().and_then(|parent| {
            let kept = parent.extensions();
            kept.get::<Traced>().map(|Traced(context)| context.clone())
        });
        let mut origin = Origin::default();
        attributes.record(&mut origin);
        if origin.is_health {
            return;
        }
        let parent = parent.unwrap_or_else(|| origin.caller());
        let name = attributes.metadata().name();
        let builder = SpanBuilder::from_name(name).with_kind(kind(name));
        let made = parent.with_span(self.tracer.build_with_context(builder, &parent));
        let recorded = made.span();
        if recorded.is_recording() {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            if let Some(name) = fields.name_of_request() {
                recorded.update_name(name);
            }
            recorded.set_attributes(fields.listed);
        }
        span.extensions_mut().insert(Traced(made));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else {
            return;
        };
        if let Some(Traced(made)) = span.extensions().get::<Traced>()
            && made.span().is_recording()
        {
            let mut fields = Fields::default();
            values.record(&mut fields);
            made.span().set_attributes(fields.listed);
        }
    }

    /// A request is answered: its span ends, although work on its payment may go on.
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let Some(span) = context.event_span(event) else {
            return;
        };
        if event.metadata().target() != REQUESTS {
            return;
        }
        if let Some(Traced(made)) = span.extensions().get::<Traced>()
            && made.span().is_recording()
        {
            let mut fields = Fields::default();
            event.record(&mut fields);
            if fields.status.is_some_and(|status| status >= SERVER_ERROR) {
                made.span().set_status(Status::error(""));
            }
            made.span().set_attributes(fields.listed);
            made.span().end();
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let made = span.extensions_mut().remove::<Traced>();
        if let Some(Traced(made)) = made {
            made.span().end();
        }
    }
}

/// Which way a span looks at the other side.
fn kind(name: &str) -> SpanKind {
    match name {
        "request" => SpanKind::Server,
        "provider call" | "webhook delivery" => SpanKind::Client,
        _ => SpanKind::Internal,
    }
}

/// What decides where a span belongs, before it is known whether it is exported.
#[derive(Debug, Default)]
struct Origin {
    caller: Option<SpanContext>,
    is_health: bool,
}

impl Origin {
    /// The span that a caller named, or none.
    fn caller(self) -> TraceContext {
        let context = TraceContext::new();
        match self.caller {
            Some(caller) => context.with_remote_span_context(caller),
            None => context,
        }
    }
}

impl Visit for Origin {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "path" => self.is_health = value == HEALTH,
            "traceparent" => self.caller = remote(value),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

/// The span that a header `traceparent` names, which was checked when it was read.
fn remote(traceparent: &str) -> Option<SpanContext> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    let flags = u8::from_str_radix(parts.next()?, 16).ok()?;
    let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
    Some(SpanContext::new(trace, span, flags, true, TraceState::NONE))
}

/// The attributes that may leave.
#[derive(Debug, Default)]
struct Fields {
    listed: Vec<KeyValue>,
    method: Option<&'static str>,
    route: Option<String>,
    status: Option<i64>,
}

impl Fields {
    /// `POST /payment/airtime`, as traces name requests.
    fn name_of_request(&self) -> Option<String> {
        let method = self.method?;
        Some(match &self.route {
            Some(route) => format!("{method} {route}"),
            None => method.to_owned(),
        })
    }

    fn put(&mut self, name: &'static str, value: impl Into<Value>) {
        self.listed.push(KeyValue::new(name, value));
    }

    fn text(&mut self, field: &Field, value: String) {
        match field.name() {
            "method" => {
                let known = METHODS.into_iter().find(|known| *known == value);
                self.method = known.or(Some("HTTP"));
                self.put("http.request.method", known.unwrap_or("_OTHER"));
            }
            "path" => {
                self.route = Some(value.clone());
                self.put("http.route", value);
            }
            name => {
                if let Some(listed) = listed(name) {
                    self.put(listed, value);
                }
            }
        }
    }
}

/// The fields that leave as they are.
fn listed(name: &str) -> Option<&'static str> {
    const LISTED: [&str; 8] = [
        "request_id",
        "mrcReference",
        "txnReference",
        "provider",
        "call",
        "outcome",
        "event",
        "endpoint",
    ];
    LISTED.into_iter().find(|listed| *listed == name)
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field, value.to_owned());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "status" {
            let status = i64::try_from(value).unwrap_or(i64::MAX);
            self.status = Some(status);
            self.put("http.response.status_code", status);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "method" || listed(field.name()).is_some() {
            self.text(field, format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_sdk::error::OTelSdkResult;
    use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, Span, SpanData, SpanProcessor};
    use tracing::field::{Empty, display};
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    #[derive(Debug, Clone, Default)]
    struct Ended(Arc<Mutex<Vec<SpanData>>>);

    impl SpanProcessor for Ended {
        fn on_start(&self, _: &mut Span, _: &TraceContext) {}

        fn on_end(&self, span: SpanData) {
            self.0.lock().unwrap().push(span);
        }

        fn force_flush(&self) -> OTelSdkResult {
            Ok(())
        }

        fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
            Ok(())
        }
    }

    /// The spans of some work, in the order they ended in.
    fn ended(sampler: Sampler, work: impl FnOnce()) -> Vec<SpanData> {
        let ended = Ended::default();
        let provider = SdkTracerProvider::builder()
            .with_sampler(Sampler::ParentBased(Box::new(sampler)))
            .with_span_processor(ended.clone())
            .build();
        let layer = SpanLayer::new(provider.tracer("test")).with_filter(filter());
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, work);
        let ended = ended.0.lock().unwrap();
        ended.clone()
    }

    fn request(path: &'static str, traceparent: Option<&str>) -> tracing::Span {
        tracing::info_span!(
            target: REQUESTS,
            "request",
            method = display("GET"),
            path,
            account = "shop",
            client = display("192.0.2.1"),
            traceparent,
        )
    }

    fn answer(span: &tracing::Span, status: u16) {
        span.in_scope(|| tracing::info!(target: REQUESTS, status, duration_us = 1, "answered"));
    }

    fn keys(span: &SpanData) -> Vec<&str> {
        span.attributes.iter().map(|it| it.key.as_str()).collect()
    }

    #[test]
    fn only_what_is_listed_leaves_and_a_method_of_any_text_does_not() {
        let spans = ended(Sampler::AlwaysOn, || {
            answer(&request("/account/balance", None), 500);
            let method = display("0803");
            drop(tracing::info_span!(target: REQUESTS, "request", method));
            drop(tracing::info_span!("another", mrcReference = "a"));
        });
        assert_eq!(spans.len(), 2);
        assert_eq!(spans[0].name, "GET /account/balance");
        let listed = [
            "http.request.method",
            "http.route",
            "http.response.status_code",
        ];
        assert_eq!(keys(&spans[0]), listed);
        assert_eq!(spans[0].status, Status::error(""));
        assert_eq!(spans[1].name, "HTTP");
        assert_eq!(spans[1].attributes[0].value.as_str(), "_OTHER");
    }

    #[test]
    fn a_request_ends_with_its_answer_and_what_goes_on_stays_its_child() {
        let spans = ended(Sampler::AlwaysOn, || {
            let request = request("/payment/airtime", None);
            let child = request
                .in_scope(|| tracing::info_span!(target: STAGES, "provider call", outcome = Empty));
            answer(&request, 202);
            child.record("outcome", "delivered");
        });
        assert_eq!(spans.len(), 2);
        assert_eq!(spans[0].name, "GET /payment/airtime");
        assert_eq!(spans[0].status, Status::Unset);
        assert_eq!(spans[1].name, "provider call");
        assert_eq!(spans[1].span_kind, SpanKind::Client);
        assert_eq!(spans[1].parent_span_id, spans[0].span_context.span_id());
        assert_eq!(keys(&spans[1]), ["outcome"]);
    }

    #[test]
    fn a_caller_decides_on_its_own_traces() {
        let header =
            |flags| format!("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-{flags}");
        let spans = ended(Sampler::AlwaysOff, || {
            drop(request("/one", None));
            answer(&request("/two", Some(&header("01"))), 200);
        });
        assert_eq!(spans.len(), 1);
        assert_eq!(spans[0].name, "GET /two");
        assert!(spans[0].parent_span_is_remote);
        let none = ended(Sampler::AlwaysOn, || {
            drop(request("/three", Some(&header("00"))));
        });
        assert_eq!(none.len(), 0);
    }

    #[test]
    fn what_a_balancer_asks_is_no_trace() {
        let spans = ended(Sampler::AlwaysOn, || drop(request(HEALTH, None)));
        assert_eq!(spans.len(), 0);
    }
}
