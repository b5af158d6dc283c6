//! What operators' tools ask of a server: its metrics, and whether it is ready.

use crate::folder::GatewayFolder;
use crate::process::{GatewayProcess, Launch};
use reqwest::Client;
use std::time::Duration;
use tokio_rustls::rustls::crypto::ring;

/// The variable that says where metrics are served.
pub const LISTEN: &str = "MANILLA_MONITORING_LISTEN";

/// The longest an answer may take: a store that does not answer is given up before.
const WITHIN: Duration = Duration::from_secs(30);

/// Where a server is asked.
#[derive(Debug)]
pub struct Monitored {
    client: Client,
    at: String,
}

impl Monitored {
    /// A server that is watched.
    #[must_use]
    pub fn start(folder: &GatewayFolder) -> (GatewayProcess, Self) {
        let launch = Launch {
            environment: vec![(LISTEN, "127.0.0.1:0".to_owned())],
            ..Launch::default()
        };
        let server = GatewayProcess::launch(folder, &launch);
        let line = server.printed().iter();
        let mut urls = line.filter_map(|line| line.strip_prefix("metrics "));
        let url = urls.next().expect("it prints where metrics are served");
        let at = url.strip_suffix("/metrics").expect("their path").to_owned();
        // A second call finds the first one's provider, which is the same.
        let _ = ring::default_provider().install_default();
        let client = Client::builder().timeout(WITHIN).no_proxy().build();
        let client = client.expect("a client");
        (server, Self { client, at })
    }

    /// The address and the port.
    #[must_use]
    pub fn address(&self) -> &str {
        self.at.strip_prefix("http://").expect("its scheme")
    }

    /// The status and the text of an answer; none where there was no answer.
    pub async fn try_get(&self, path: &str) -> Option<(u16, String)> {
        let request = self.client.get(format!("{}{path}", self.at));
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        Some((status, answer.text().await.ok()?))
    }

    /// The status and the text of an answer.
    pub async fn get(&self, path: &str) -> (u16, String) {
        self.try_get(path).await.expect("it answers")
    }

    /// The metrics.
    pub async fn metrics(&self) -> String {
        let (status, text) = self.get("/metrics").await;
        assert_eq!(status, 200, "{text}");
        assert!(text.ends_with("# EOF\n"), "{text}");
        text
    }

    /// Whether it is ready, and the check of a name.
    pub async fn check(&self, name: &str) -> (bool, serde_json::Value) {
        let (status, text) = self.get("/ready").await;
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let ready = status == 200;
        assert!(ready || status == 503, "{status} {text}");
        assert_eq!(report["ready"], ready, "{text}");
        let checks = report["checks"].as_array().expect("checks");
        let found = checks.iter().find(|check| check["name"] == name);
        (ready, found.cloned().unwrap_or_default())
    }
}

/// The value of a series; none where it is not there.
#[must_use]
pub fn value(metrics: &str, series: &str) -> Option<f64> {
    let mut lines = metrics.lines();
    let found = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    found.map(|text| text.parse().expect("a number"))
}
