//! Passes every request through the layers of the edge in one order, and every answer back out.
//! Nothing may leave that was not written here.

mod admitted;
mod answer_log;
mod noting;
mod refusals;
mod unserved;

use self::answer_log::{log, request_span};
use self::noting::RequestNote;
use self::refusals::{
    has_too_many_headers, head_too_large, misdirected, names_one_host, not_encrypted,
    refused_by_its_head, turned_away,
};
use crate::admission::operators::names_operator;
use crate::admission::{RateLimiters, RequestOpener, RequestSource, RouteNeeds};
use crate::app::App;
use crate::authenticated_request::RequestOrigin;
use crate::layers::body::Body;
use crate::layers::client_address::{Peer, TrustedProxies};
use crate::layers::concurrency::ConcurrencyPermit;
use crate::layers::connection_owner::ConnectionOwner;
use crate::layers::cors::{self, CrossOrigin};
use crate::layers::entity_tag::{self, KnownTags};
use crate::layers::host::{NamedHost, ServedHosts};
use crate::layers::negotiation::{self, AnswerFormat};
use crate::layers::request_id::{RequestId, RequestIds};
use crate::layers::security_headers::{self, TransportSecurity};
use crate::layers::signature::SignedHead;
use crate::layers::traceparent::CallerTraces;
use crate::layers::{api_version, panics};
use crate::reply::HttpReply;
use crate::routes;
use crate::routes::checkout::page::{self, PagePath};
use crate::routes::dispatch::dispatch;
use crate::routes::provider_callback;
use crate::routes::row::RouteRow;
use crate::routes::vtpass::{self, VtpassPath};
use crate::settings::EdgeSettings;
use crate::streamed_file::ReplyBody;
use application::Gateway;
use application::measuring::NamedLimit;
use application::peers::Budgets;
use bytes::Bytes;
use http::header::{HeaderMap, HeaderName, HeaderValue, VARY};
use http::{Request, Response, StatusCode};
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use tracing::Instrument;

/// Where a balancer asks whether the process answers.
pub(crate) const HEALTH: &str = "/healthz";

/// The header with the id of the request, on every answer.
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The edge of a gateway; clones share everything.
#[derive(Debug, Clone)]
pub struct Edge(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    routes: &'static [RouteRow],
    ids: RequestIds,
    proxies: TrustedProxies,
    hosts: Option<ServedHosts>,
    cors_origins: Option<Vec<String>>,
    caller_traces: CallerTraces,
    app: App,
}

/// A written answer.
#[derive(Debug)]
pub(crate) struct EdgeResponse {
    pub(crate) response: Response<ReplyBody>,
    /// The concurrency permit that is kept until the client has read the answer.
    pub(crate) permit: Option<Arc<ConcurrencyPermit>>,
}

/// What is known of a request before its account is.
pub(crate) struct Arrival<'a> {
    id: RequestId,
    address: IpAddr,
    connection: Option<&'a dyn ConnectionOwner>,
    host: Option<&'a NamedHost>,
    /// The account and key that opened it, once that is known.
    opener: &'a OnceLock<RequestOpener>,
    /// Whether an answer can be written in a format it accepts.
    acceptable: bool,
}

impl Arrival<'_> {
    /// What admission looks at of a request: what may be signed, and the headers with its
    /// credentials.
    pub(crate) fn source<'a>(
        &'a self,
        signed: SignedHead<'a>,
        headers: &'a HeaderMap,
    ) -> RequestSource<'a> {
        RequestSource {
            signed,
            headers,
            address: self.address,
            id: self.id,
            connection: self.connection,
            opener: self.opener,
        }
    }
}

/// What of a request decides how its answer is written, for any answer.
struct ResponseContext {
    id: RequestId,
    format: AnswerFormat,
    transport: TransportSecurity,
    cross_origin: Option<CrossOrigin>,
    known_tags: KnownTags,
}

impl Edge {
    /// The edge of a gateway.
    pub fn new(gateway: Gateway, settings: &EdgeSettings) -> Self {
        let app = App {
            gateway,
            body_timeout: settings.body_timeout,
            limiters: Arc::new(RateLimiters::new(
                settings.limits,
                Arc::clone(&settings.account_limits),
            )),
            logos: settings.logos.clone(),
            callbacks: Arc::default(),
            pages: Arc::default(),
            vtpass: settings.vtpass,
            unknown_ids: Arc::default(),
            administration: settings.administration.clone(),
        };
        Self::over(routes::table::endpoints(), app, settings)
    }

    fn over(routes: &'static [RouteRow], app: App, settings: &EdgeSettings) -> Self {
        Self(Arc::new(Inner {
            routes,
            ids: RequestIds::new(settings.instance),
            proxies: TrustedProxies::new(settings.trusted_proxies.clone()),
            hosts: settings.hosts.clone(),
            cors_origins: settings.cors_origins.clone(),
            caller_traces: settings.caller_traces,
            app,
        }))
    }

    /// The budgets of its accounts, to be shared with other instances by
    /// [`Gateway::listen`](application::Gateway::listen).
    pub fn budgets(&self) -> Arc<dyn Budgets> {
        Arc::<RateLimiters>::clone(&self.0.app.limiters)
    }

    /// Whether the forwarding headers of an address are trusted.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.0.proxies.trust(address)
    }

    /// The proxies the operator trusts to name the client of a request.
    pub(crate) fn proxies(&self) -> &TrustedProxies {
        &self.0.proxies
    }

    /// How the answer to a request is written.
    fn frame(
        &self,
        transport: TransportSecurity,
        format: AnswerFormat,
        request: &Request<Body>,
    ) -> ResponseContext {
        ResponseContext {
            id: self.0.ids.next(),
            format,
            transport,
            cross_origin: CrossOrigin::of(request.headers(), self.0.cors_origins.as_deref()),
            known_tags: KnownTags::of(request),
        }
    }

    /// Counts what a limit refused.
    pub(crate) fn limit_hit(&self, limit: NamedLimit) {
        self.0.app.gateway.measurements().limit_hit(limit);
    }

    pub(crate) async fn answer_over(
        &self,
        peer: Peer,
        connection: Option<&dyn ConnectionOwner>,
        request: Request<Body>,
    ) -> EdgeResponse {
        let client = self.0.proxies.client(peer, request.headers());
        let is_from_proxy = self.trusts(peer.address);
        let may_be_foreign = client.transport == TransportSecurity::Tls && names_one_host(&request);
        let hosts = self.0.hosts.as_ref();
        let named = NamedHost::of(&request, is_from_proxy);
        let foreign = hosts.and_then(|hosts| hosts.foreign(named.as_ref()));
        let asked = (request.uri().path(), request.uri().query());
        let accepted = negotiation::choose(request.headers(), asked);
        let acceptable = accepted.is_ok();
        let frame = self.frame(client.transport, accepted.unwrap_or_default(), &request);
        let vtpass = VtpassPath::of(&self.0.app, request.uri().path());
        let page = PagePath::of(request.uri().path()).map(PagePath::listed);
        let listed = vtpass.map(VtpassPath::listed).or(page);
        let listed = routes::table::known(request.uri().path()).or(listed);
        let proxy_id = is_from_proxy
            .then(|| answer_log::proxy_id(request.headers()))
            .flatten()
            .map(str::to_owned);
        let trace = is_from_proxy
            .then(|| self.0.caller_traces.of(request.headers()))
            .flatten();
        let span = request_span((frame.id, proxy_id.as_deref()), &request, (listed, trace));
        let from = (frame.id, client.address);
        let mut note = RequestNote::of(&self.0.app.gateway, from, &request, listed);
        let arrival = Arrival {
            id: frame.id,
            address: client.address,
            connection,
            host: named.as_ref(),
            opener: &note.opener,
            acceptable,
        };
        let answered = async {
            if let Some(host) = foreign.filter(|_| may_be_foreign) {
                return turned_away(request, misdirected(&host)).await;
            }
            self.answer_in(&frame, &arrival, request).await
        };
        let reply = answered.instrument(span.clone()).await;
        let mut reply = match vtpass {
            Some(_) => VtpassPath::shaped(reply),
            None => reply,
        };
        if let Some(limit) = reply.limit() {
            self.limit_hit(limit);
        }
        // Asked for each second by a balancer; an answer to it has no news.
        if listed != Some(HEALTH) {
            log(&span, (reply.status(), reply.references()), note.begun());
        }
        note.answered(reply.status());
        EdgeResponse {
            permit: reply.take_permit(),
            response: ReplyBody::of(frame.seal(reply)),
        }
    }

    /// Refuses or answers a request. Which paths, formats and versions exist is disclosed to
    /// accounts only: without credentials the answer is that credentials are required, except on
    /// public paths.
    async fn answer_in(
        &self,
        frame: &ResponseContext,
        arrival: &Arrival<'_>,
        request: Request<Body>,
    ) -> HttpReply {
        if let Some(reply) = frame.reject_before_routing(&request) {
            return turned_away(request, reply).await;
        }
        let acceptable = arrival.acceptable;
        let anyone = RequestOrigin {
            merchant: None,
            operator: None,
            host: arrival.host,
        };
        let (method, path) = (request.method(), request.uri().path());
        if let Some(provider) = provider_callback::provider_at(&self.0.app, path) {
            let from = (&provider, arrival.address);
            return provider_callback::handle(&self.0.app, from, request).await;
        }
        if let Some(path) = VtpassPath::of(&self.0.app, path) {
            // It would make the state of every request several times as large.
            let answered = Box::pin(vtpass::handle(&self.0.app, path, arrival, request));
            return panics::answered(answered).await;
        }
        if PagePath::of(path).is_some() {
            // It would make the state of every request larger.
            let answered = Box::pin(page::handle(&self.0.app, request));
            return panics::answered(answered).await;
        }
        if routes::table::is_public(path) {
            // It would make the state of every request larger.
            return Box::pin(self.answer_read(anyone, request, acceptable)).await;
        }
        let App {
            limiters, gateway, ..
        } = &self.0.app;
        let needs = RouteNeeds {
            class: routes::table::class(method, path),
            scope: routes::table::scope(method, path),
        };
        let source = arrival.source(SignedHead::of(&request), request.headers());
        if names_operator(request.headers()) {
            // It would make the state of every request larger.
            return Box::pin(self.answer_operator(arrival, request)).await;
        }
        // It would make the state of every request larger.
        match Box::pin(limiters.admit(gateway, &source, needs)).await {
            Err(reply) => turned_away(request, reply).await,
            Ok(admitted) => {
                let admitted = (admitted, anyone);
                Box::pin(self.answer_account(admitted, request, acceptable)).await
            }
        }
    }

    /// Answers a request that may learn which paths exist.
    async fn answer_read(
        &self,
        origin: RequestOrigin<'_>,
        request: Request<Body>,
        acceptable: bool,
    ) -> HttpReply {
        if let Some(reply) = refused_by_its_head(&request, acceptable) {
            return turned_away(request, reply).await;
        }
        let Inner { routes, app, .. } = self.0.as_ref();
        let dispatched = dispatch(routes, app, origin, request);
        Box::pin(panics::answered(dispatched)).await
    }
}

impl ResponseContext {
    /// The answer to a request refused without looking at its path or account: no encryption, no
    /// host, a preflight.
    fn reject_before_routing(&self, request: &Request<Body>) -> Option<HttpReply> {
        if self.transport == TransportSecurity::Plain {
            return Some(not_encrypted());
        }
        if !names_one_host(request) {
            let message = "The request does not name its host.";
            let remedy = "send one Host header, as HTTP/1.1 has it, or over HTTP/2 :authority";
            return Some(HttpReply::request(StatusCode::BAD_REQUEST, message, remedy));
        }
        if has_too_many_headers(request) {
            return Some(head_too_large());
        }
        cors::is_preflight(request.method(), self.cross_origin.as_ref()).then(HttpReply::nothing)
    }

    /// Writes an answer with the headers that every answer has.
    fn seal(self, reply: HttpReply) -> Response<Bytes> {
        let mut response = reply.render(self.format, &self.id);
        entity_tag::apply(&mut response, &self.known_tags);
        let headers = response.headers_mut();
        headers.insert(X_REQUEST_ID, self.id.header());
        headers.insert(VARY, HeaderValue::from_static("Accept, Origin"));
        api_version::apply(headers);
        security_headers::apply(headers, self.transport);
        if let Some(cross_origin) = self.cross_origin {
            cross_origin.apply(headers);
        }
        response
    }

    /// The same in the form of HTTP/1.1, for answers that no library writes: the connection ends
    /// with it.
    fn seal_bytes(self, reply: HttpReply) -> Vec<u8> {
        let response = self.seal(reply);
        let status = response.status();
        let mut bytes = format!("HTTP/1.1 {status}\r\nconnection: close\r\n").into_bytes();
        for (name, value) in response.headers() {
            let line = [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"];
            bytes.extend(line.concat());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(response.body());
        bytes
    }
}

#[cfg(test)]
mod tests;
