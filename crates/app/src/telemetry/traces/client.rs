//! How a collector is reached: through our own HTTP client, so that there is one set of rules for
//! certificates, deadlines and redirects.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use outbound_http::{OutboundClient, OutboundRequest, OutboundSettings, OutboundTarget};

use crate::clock::SystemClock;

/// Where a collector takes traces, below its base address.
pub(super) const PATH: &str = "/v1/traces";

/// How long one export may take: a collector near by takes milliseconds.
const DEADLINE: Duration = Duration::from_secs(3);

/// Sends to one collector.
#[derive(Debug)]
pub(super) struct CollectorClient(OutboundClient);

impl CollectorClient {
    pub(super) fn new(collector: OutboundTarget) -> anyhow::Result<Self> {
        let clock = Arc::new(SystemClock);
        let client = OutboundClient::new(collector, OutboundSettings::default(), clock)?;
        Ok(Self(client))
    }
}

#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let mut outbound = OutboundRequest::post_json(PATH, body);
        for (name, value) in &head.headers {
            outbound = outbound.with(name.clone(), value.clone());
        }
        let answer = self.0.ask(outbound, DEADLINE).await?;
        let mut response = Response::new(answer.body);
        *response.status_mut() = StatusCode::from_u16(answer.status)?;
        *response.headers_mut() = answer.headers;
        Ok(response)
    }
}
