//! The metrics as text. One scrape at a time looks at the store, and those that come meanwhile or
//! just after it are answered with what it found.

use crate::instruments::Instruments;
use crate::readiness::Readiness;
use crate::state::StateGauges;
use crate::watched::WatchedGateway;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use std::time::Duration;
use tokio::sync::Mutex;

/// The media type of the text.
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long what was found is answered again: below any interval of scrapes that is in use.
const FRESH: Duration = Duration::from_secs(2);

/// What is scraped.
#[derive(Debug)]
pub struct Exposition {
    registry: Registry,
    gauges: StateGauges,
    watched: WatchedGateway,
    /// The uptime of the last look at the store.
    looked: Mutex<Option<Duration>>,
}

impl Exposition {
    /// The metrics of a gateway, and those of its work so far.
    pub fn new(instruments: &Instruments, watched: WatchedGateway) -> Self {
        let mut registry = Registry::with_prefix("manilla");
        let gauges = StateGauges::default();
        instruments.register(&mut registry);
        gauges.register(&mut registry);
        Self {
            registry,
            gauges,
            watched,
            looked: Mutex::default(),
        }
    }

    /// The text, with what the checks of the same gateway came to.
    pub async fn text(&self, readiness: &Readiness) -> String {
        let mut looked = self.looked.lock().await;
        let now = self.watched.gateway.uptime();
        if looked.is_none_or(|at| now.saturating_sub(at) >= FRESH) {
            self.gauges.look(&self.watched).await;
            self.gauges.set_checks(&readiness.report().await);
            *looked = Some(self.watched.gateway.uptime());
        }
        let mut text = String::new();
        // Nothing that writes to a string fails.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Every name of ours in a text.
    fn names(text: &str) -> BTreeSet<String> {
        let ours = |byte: &char| byte.is_ascii_lowercase() || *byte == '_';
        let begun = text.match_indices("manilla_").map(|(at, _)| &text[at..]);
        let names = begun.map(|rest| rest.chars().take_while(ours).collect());
        names.collect()
    }

    /// The names of every series, and those of the metrics alone.
    fn served() -> (BTreeSet<String>, BTreeSet<String>) {
        let (instruments, gauges) = (Instruments::new(), StateGauges::default());
        instruments.touch();
        gauges.touch();
        let mut registry = Registry::with_prefix("manilla");
        instruments.register(&mut registry);
        gauges.register(&mut registry);
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        let (mut series, mut metrics) = (BTreeSet::new(), BTreeSet::new());
        for (name, kind) in types.map(|line| line.split_once(' ').unwrap()) {
            let end = if kind == "counter" { "_total" } else { "" };
            metrics.insert(format!("{name}{end}"));
            series.insert(format!("{name}{end}"));
            if kind == "histogram" {
                series.extend(["_bucket", "_sum", "_count"].map(|end| format!("{name}{end}")));
            }
        }
        (series, metrics)
    }

    #[test]
    fn the_documents_name_the_metrics_that_are_served() {
        let (series, metrics) = served();
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations");
        let read = |name| names(&std::fs::read_to_string(docs.join(name)).unwrap());
        for name in [
            "alerts.yml",
            "alerts-test.yml",
            "dashboard.json",
            "monitoring.md",
            "runbooks.md",
        ] {
            let unknown: Vec<_> = read(name).difference(&series).cloned().collect();
            assert_eq!(unknown, [""; 0], "{name} names what is not served");
        }
        let described = read("monitoring.md");
        let missing: Vec<_> = metrics.difference(&described).collect();
        assert_eq!(missing, [""; 0], "monitoring.md does not describe");
    }
}
