//! The gateway's own adapter between faults and the provider: what is not certain it must call
//! unknown, and afterwards it must find out what became of the order.

use crate::bench::Bench;
use crate::call_reply::{CheckStep, broken, not_applicable};
use crate::checked_service::CheckedService;
use crate::json_edit::{copy, set};
use crate::relay::{RelayAnswer, RelayHandler, RelaySigner, SignedRelay};
use crate::scenario::{AllowedOrder, ExpectedEnd};
use crate::wire_message::{WireAnswer, WireRequest};
use async_trait::async_trait;
use domain::order::Order;
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::transaction::PreparedAttempt;
use outbound_http::PlainHttp;
use ports::clock::Clock;
use ports::permit::{Granted, PERMIT_VALID, SendPermit, Withheld};
use ports::provider::{AttemptQuery, Naming, Provider as _};
use provider_http::{HttpProvider, HttpProviderSettings};
use provider_protocol::{AbsenceProof, BODY_BYTES_MAX, Feature, PATH_PREFIX};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The deadline of submissions that come too late: the others are answered long before theirs.
const SHORT_DEADLINE: Duration = Duration::from_millis(800);

/// How much later than the deadline a delayed answer comes.
const DELAY: Duration = Duration::from_millis(1_200);

/// Ten minutes, twice the window of the clocks.
const FAR_AWAY: i64 = 600;

/// What arrives instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelayFault {
    Cut,
    Html,
    Text,
    Empty,
    NoContent,
    BadGateway,
    Redirect,
    Unsigned,
    WrongKey,
    StaleClock,
    Crossed,
    TooLarge,
    HalfAnswer,
    SlowDrip,
    Delayed,
}

/// Where the fault is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultPlace {
    /// The request never reaches the provider.
    BeforeProvider,
    /// The provider answers, and its answer is lost.
    AfterProvider,
}

#[derive(Debug)]
struct FaultHandler {
    fault: RelayFault,
    place: FaultPlace,
    healed: Arc<AtomicBool>,
    /// A code that the provider lists, so that the lie could be believed.
    lie: (String, String),
}

#[async_trait]
impl RelayHandler for FaultHandler {
    async fn handle(&self, request: WireRequest, signer: &RelaySigner) -> RelayAnswer {
        let submits = request.method == "POST" && request.path == format!("{PATH_PREFIX}/attempts");
        if submits && !self.healed.load(Ordering::SeqCst) {
            if self.place == FaultPlace::AfterProvider {
                signer.forward(&request).await;
            }
            return self.faulty(&request, signer).await;
        }
        match signer.forward(&request).await {
            Some(answer) => {
                RelayAnswer::Answer(signer.signed((answer.status, answer.body), &request))
            }
            None => RelayAnswer::Nothing,
        }
    }
}

impl FaultHandler {
    /// A refusal that the provider never gave.
    fn refusal(&self, request: &WireRequest) -> Value {
        let asked: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let (code, kind) = &self.lie;
        json!({
            "reference": copy(&asked, "/reference"), "service": copy(&asked, "/service"),
            "amount": copy(&asked, "/amount"), "beneficiary": copy(&asked, "/order/number"),
            "state": "declined", "at": "2026-01-15T09:00:00.000Z", "sequence": 2,
            "refusal": {"kind": kind, "code": code, "reason": "the kit says so"},
        })
    }

    async fn faulty(&self, request: &WireRequest, signer: &RelaySigner) -> RelayAnswer {
        let lie = || self.refusal(request).to_string().into_bytes();
        let plain = |status, kind: &str, body: &[u8]| {
            let kind = ("Content-Type".to_owned(), kind.to_owned());
            RelayAnswer::Answer(WireAnswer::new(status, vec![kind], body.to_vec()))
        };
        let right = || signer.signed((200, lie()), request);
        match self.fault {
            RelayFault::Cut => RelayAnswer::Nothing,
            RelayFault::Html => plain(200, "text/html", b"<html><body>declined</body></html>"),
            RelayFault::Text => plain(200, "text/plain", b"DECLINED"),
            RelayFault::Empty => plain(200, "application/json", b""),
            RelayFault::NoContent => RelayAnswer::Answer(WireAnswer::new(204, vec![], vec![])),
            RelayFault::BadGateway => RelayAnswer::Answer(signer.signed((502, lie()), request)),
            RelayFault::Redirect => {
                let to = ("Location".to_owned(), "http://127.0.0.1:9/".to_owned());
                RelayAnswer::Answer(WireAnswer::new(307, vec![to], Vec::new()))
            }
            RelayFault::Unsigned => plain(200, "application/json", &lie()),
            RelayFault::WrongKey => {
                RelayAnswer::Answer(signer.signed_by_other((200, lie()), request))
            }
            RelayFault::StaleClock => {
                RelayAnswer::Answer(signer.signed_at(-FAR_AWAY, (200, lie()), request))
            }
            RelayFault::Crossed => RelayAnswer::Answer(signer.crossed((200, lie()), request)),
            RelayFault::TooLarge => {
                let mut large = self.refusal(request);
                set(&mut large, "/more", json!("x".repeat(BODY_BYTES_MAX)));
                let body = large.to_string().into_bytes();
                RelayAnswer::Answer(signer.signed((200, body), request))
            }
            RelayFault::HalfAnswer => RelayAnswer::Cut(right(), 20),
            RelayFault::SlowDrip => RelayAnswer::Slow(right()),
            RelayFault::Delayed => {
                tokio::time::sleep(SHORT_DEADLINE.saturating_add(DELAY)).await;
                RelayAnswer::Answer(right())
            }
        }
    }
}

/// The kit sends at once, so nothing is waited for.
#[derive(Debug)]
struct AtOnce(Arc<dyn Clock>);

#[async_trait]
impl SendPermit for AtOnce {
    async fn ask(&self) -> Result<Granted, Withheld> {
        let until = self.0.uptime().saturating_add(PERMIT_VALID);
        Ok(Granted::until(Arc::clone(&self.0), until))
    }
}

/// The adapter behind a relay, and one attempt of it.
pub(super) struct AdapterWorld {
    pub(super) adapter: HttpProvider,
    relay: Option<SignedRelay>,
    healed: Arc<AtomicBool>,
    prepared: PreparedAttempt,
    order: Order,
    started_at: domain::time::Timestamp,
}

impl AdapterWorld {
    pub(super) async fn start(
        bench: &Bench,
        order: &AllowedOrder,
        (fault, place): (RelayFault, FaultPlace),
    ) -> CheckStep<Self> {
        let unusable = |why: &dyn std::fmt::Display| -> CheckStep<Self> {
            broken(format!("the adapter cannot be set up: {why}"))
        };
        let upstream = (bench.upstream.clone(), Arc::clone(&bench.clock));
        let Some(signer) = RelaySigner::new(bench.keys.clone(), upstream, bench.nonce()) else {
            return unusable(&"its keys cannot be used");
        };
        let promised = bench.promised()?;
        let listed = promised.refusal_codes.first();
        let lie = listed.map(|it| (it.code.clone(), it.kind.clone()));
        let healed = Arc::new(AtomicBool::new(false));
        let handler = FaultHandler {
            fault,
            place,
            healed: Arc::clone(&healed),
            lie: lie.unwrap_or_else(|| ("sealed".to_owned(), "moment".to_owned())),
        };
        let relay = match SignedRelay::start(signer, handler).await {
            Ok(relay) => relay,
            Err(error) => return unusable(&error),
        };
        let Some(id) = ProviderId::parse("checked").ok() else {
            return unusable(&"its name cannot be used");
        };
        let settings = HttpProviderSettings {
            id,
            url: relay.url().to_owned(),
            plain: PlainHttp::ToLoopback,
            authorities: Vec::new(),
            keys: bench.keys.shared().clone(),
            review_after: AbsencePolicy::CAUTIOUS.review_after,
        };
        let adapter = match HttpProvider::new(settings, Arc::clone(&bench.clock)) {
            Ok(adapter) => adapter,
            Err(error) => return unusable(&error),
        };
        if let Err(error) = adapter.refresh().await {
            return broken(format!(
                "the adapter does not take up the capabilities: {error}"
            ));
        }
        if !adapter.serves(&order.order) {
            return not_applicable("the gateway sells nothing of this service on its grade");
        }
        let started_at = bench.now();
        let prepared = adapter.prepare(Naming {
            derived: bench.derived(),
            order: &order.order,
            started_at,
        });
        bench.remember(&prepared.reference, order);
        Ok(Self {
            adapter,
            relay: Some(relay),
            healed,
            prepared,
            order: order.order.clone(),
            started_at,
        })
    }

    /// Nothing is broken on the way from now on.
    pub(super) fn heal(&self) {
        self.healed.store(true, Ordering::SeqCst);
    }

    pub(super) fn reference(&self) -> &ProviderReference {
        &self.prepared.reference
    }

    async fn submit(&self, bench: &Bench, deadline: Duration) -> SubmitOutcome {
        let submission = Submission {
            reference: self.prepared.reference.clone(),
            adapter_state: self.prepared.adapter_state.clone(),
            order: self.order.clone(),
            started_at: self.started_at,
            deadline,
            not_after: self.started_at.plus(Duration::from_mins(2)),
        };
        let permit = AtOnce(Arc::clone(&bench.clock));
        self.adapter.submit(&submission, &permit).await.outcome
    }

    pub(super) async fn ask(&self) -> QueryOutcome {
        let query = AttemptQuery {
            adapter_state: self.prepared.adapter_state.as_deref(),
            order: Some(&self.order),
            started_at: Some(self.started_at),
            ..AttemptQuery::by(&self.prepared.reference)
        };
        self.adapter.query(&query).await.outcome
    }
}

/// A submission meets a fault; afterwards the adapter asks.
pub(crate) async fn under(
    bench: &Bench,
    of: &CheckedService,
    (fault, place): (RelayFault, FaultPlace),
) -> CheckStep {
    let profile = *bench.profile(of)?;
    let order = match place {
        FaultPlace::BeforeProvider => of.order(ExpectedEnd::Delivered)?.clone(),
        // Its own reference is made by the adapter.
        FaultPlace::AfterProvider => bench.purchase(of).await?.0,
    };
    let effects = bench.effects().await?;
    let world = AdapterWorld::start(bench, &order, (fault, place)).await?;
    let deadline = match fault {
        RelayFault::SlowDrip | RelayFault::Delayed => SHORT_DEADLINE,
        RelayFault::Cut
        | RelayFault::Html
        | RelayFault::Text
        | RelayFault::Empty
        | RelayFault::NoContent
        | RelayFault::BadGateway
        | RelayFault::Redirect
        | RelayFault::Unsigned
        | RelayFault::WrongKey
        | RelayFault::StaleClock
        | RelayFault::Crossed
        | RelayFault::TooLarge
        | RelayFault::HalfAnswer => {
            Duration::from_secs(profile.deadline_seconds).max(Duration::from_secs(5))
        }
    };
    let outcome = world.submit(bench, deadline).await;
    if !matches!(outcome, SubmitOutcome::Unknown(_)) {
        return broken(format!("the adapter says {outcome:?} instead of unknown"));
    }
    world.heal();
    if place == FaultPlace::AfterProvider {
        bench.settled(world.reference()).await?;
        let found = world.ask().await;
        if !matches!(found, QueryOutcome::Delivered(_)) {
            return broken(format!("it was delivered, and the adapter finds {found:?}"));
        }
        return bench.effects_since(effects, 1).await;
    }
    let seals = profile.absence == AbsenceProof::Sealed && bench.promised()?.offers(Feature::Seal);
    let found = world.ask().await;
    let settled = match &found {
        QueryOutcome::Declined(refusal) => seals && refusal.code == provider_protocol::SEALED,
        QueryOutcome::NotFound => !seals,
        QueryOutcome::Delivered(_)
        | QueryOutcome::Pending
        | QueryOutcome::Reversed
        | QueryOutcome::Unknown => false,
    };
    if !settled {
        return broken(format!("it never arrived, and the adapter finds {found:?}"));
    }
    bench.effects_since(effects, 0).await
}

/// No connection: it is certain that nothing was sent.
pub(crate) async fn not_sent(bench: &Bench, of: &CheckedService) -> CheckStep {
    bench.profile(of)?;
    let order = of.order(ExpectedEnd::Delivered)?;
    let fault = (RelayFault::Cut, FaultPlace::BeforeProvider);
    let mut world = AdapterWorld::start(bench, order, fault).await?;
    let Some(relay) = world.relay.take() else {
        return not_applicable("there is no relay");
    };
    relay.closed().await;
    let outcome = world.submit(bench, SHORT_DEADLINE).await;
    if outcome == SubmitOutcome::NotSent {
        return Ok(());
    }
    broken(format!("without a connection the adapter says {outcome:?}"))
}
