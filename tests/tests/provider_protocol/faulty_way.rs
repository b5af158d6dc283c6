//! The way between a gateway and a provider process, on which orders meet the faults of the matrix.
//! It must pass on unchanged whatever is no order of a test.

use crate::kinds::{ProviderKinds, RelayedCall};
use async_trait::async_trait;
use domain::time::Timestamp;
use ports::clock::Clock;
use provider_check::{RelayAnswer, RelayHandler, RelaySigner, WireAnswer, WireRequest};
use provider_protocol::Capabilities;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::matrix::WireFault;
use tests::patience;
use tests::sandbox_process::KEYS;

/// Where a provider says what it promises.
const CAPABILITIES: &str = "/v1/capabilities";

/// So many questions about an order meet its fault as well, at most.
const QUESTIONS_STRUCK_MAX: u32 = 3;

/// How long a request is kept on its way at most: twice what its answer is waited for.
const LATE_S_MAX: u32 = 6;

/// How long the end of a connection is kept back where no answer comes.
const SILENT_FOR: Duration = Duration::from_secs(30);

/// How far clocks differ that do not agree, in seconds: twice what signatures allow.
const STALE_BY_S: i64 = 600;

/// The clock of this machine, set so many seconds ahead.
#[derive(Debug, Default)]
pub(crate) struct RelayClock {
    ahead_s: AtomicI64,
}

impl RelayClock {
    pub(crate) fn right() -> Arc<Self> {
        Arc::default()
    }

    fn stale() -> Arc<Self> {
        let clock = Self::right();
        clock.set(-STALE_BY_S);
        clock
    }

    pub(crate) fn set(&self, ahead_s: i64) {
        self.ahead_s.store(ahead_s, Ordering::SeqCst);
    }
}

#[async_trait]
impl Clock for RelayClock {
    fn now(&self) -> Timestamp {
        let ahead = self.ahead_s.load(Ordering::SeqCst) * 1_000;
        Timestamp::from_millis(patience::time_of_day().as_millis() + ahead)
    }

    fn uptime(&self) -> Duration {
        patience::uptime()
    }

    fn suspended(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

#[derive(Debug, Default)]
struct FaultRecord {
    /// The faults of orders, by what the provider knows them by.
    faults: BTreeMap<String, WireFault>,
    /// The orders that met theirs.
    met: BTreeSet<String>,
    questions: BTreeMap<String, u32>,
    /// An answer about an order, and whose it is.
    last: Option<(String, Vec<u8>)>,
}

/// The way.
#[derive(Debug, Clone)]
pub(crate) struct FaultyWay {
    record: Arc<Mutex<FaultRecord>>,
    /// Signs for the provider, with its clock.
    right: Arc<RelaySigner>,
    /// The same with a clock that is wrong.
    stale: Arc<RelaySigner>,
    provider: String,
    kinds: Arc<ProviderKinds>,
}

impl FaultyWay {
    /// A way to a provider on which nothing goes wrong yet. The gateway is shown providers of these
    /// kinds.
    pub(crate) fn new(provider: &str, kinds: Arc<ProviderKinds>) -> Self {
        let signer = |clock| RelaySigner::to_loopback(provider, KEYS, clock).expect("a signer");
        Self {
            record: Arc::default(),
            right: Arc::new(signer(RelayClock::right())),
            stale: Arc::new(signer(RelayClock::stale())),
            provider: provider.to_owned(),
            kinds,
        }
    }

    /// From now on these orders meet their faults, by what the provider knows them by.
    pub(crate) fn strike(&self, faults: BTreeMap<String, WireFault>) {
        self.record.lock().unwrap().faults = faults;
    }

    /// How many orders met their fault.
    pub(crate) fn met(&self) -> usize {
        self.record.lock().unwrap().met.len()
    }

    /// The order that a request is about, and the fault that it meets.
    fn strikes(&self, request: &WireRequest) -> Option<(String, WireFault)> {
        let call = RelayedCall::of(request)?;
        let is_order = call.is_order();
        let reference = call.reference;
        let mut record = self.record.lock().unwrap();
        let fault = *record.faults.get(&reference)?;
        if is_order {
            record.met.insert(reference.clone());
            return Some((reference, fault));
        }
        let questions = record.questions.entry(reference.clone()).or_default();
        *questions += 1;
        let struck = drawn(&reference) % (QUESTIONS_STRUCK_MAX + 1);
        (*questions <= struck).then_some((reference, fault))
    }

    /// What the provider answers, signed for the gateway.
    async fn passed(&self, request: &WireRequest, signer: &RelaySigner) -> Option<WireAnswer> {
        if let Some(status) = self.kinds.arrives(request) {
            return Some(signer.signed((status, Vec::new()), request));
        }
        let answer = self.right.forward(request).await?;
        let body = if request.path == CAPABILITIES {
            let mut said: Capabilities = serde_json::from_slice(&answer.body).ok()?;
            self.kinds.promise(&mut said);
            serde_json::to_vec(&said).ok()?
        } else {
            self.kinds.shown(request, answer.body)
        };
        Some(signer.signed((answer.status, body), request))
    }

    /// The answer about another order than the one that it is given to, rightly signed.
    fn crossed(
        &self,
        (reference, answer): (&str, WireAnswer),
        request: &WireRequest,
        signer: &RelaySigner,
    ) -> RelayAnswer {
        let mut record = self.record.lock().unwrap();
        let own = (reference.to_owned(), answer.body);
        let other = record.last.replace(own);
        let other = other.filter(|(of, _)| of != reference);
        other.map_or(RelayAnswer::Nothing, |(_, body)| {
            RelayAnswer::Answer(signer.signed((answer.status, body), request))
        })
    }
}

fn page(status: u16) -> RelayAnswer {
    let html = ("Content-Type".to_owned(), "text/html".to_owned());
    let body = b"<html><body>Please sign in</body></html>".to_vec();
    RelayAnswer::Answer(WireAnswer::new(status, vec![html], body))
}

/// A number of a reference: the same in each run, and of each seed another.
pub(crate) fn drawn(reference: &str) -> u32 {
    reference
        .bytes()
        .fold(0, |sum, byte| sum * 31 % 65_521 + u32::from(byte))
}

/// Whether something in between passes a request on before it answers in its own words.
fn is_passed_on(reference: &str) -> bool {
    drawn(reference).is_multiple_of(2)
}

fn answered(answer: Option<WireAnswer>) -> RelayAnswer {
    answer.map_or(RelayAnswer::Nothing, RelayAnswer::Answer)
}

#[async_trait]
impl RelayHandler for FaultyWay {
    async fn handle(&self, request: WireRequest, signer: &RelaySigner) -> RelayAnswer {
        let Some((reference, fault)) = self.strikes(&request) else {
            return answered(self.passed(&request, signer).await);
        };
        match fault {
            // Nothing listens then; no request gets here.
            WireFault::Unreachable | WireFault::CutBefore => RelayAnswer::Nothing,
            WireFault::CutAfter => {
                self.passed(&request, signer).await;
                RelayAnswer::Nothing
            }
            WireFault::CutBody => match self.passed(&request, signer).await {
                Some(answer) => RelayAnswer::Cut(answer, 12),
                None => RelayAnswer::Nothing,
            },
            WireFault::Silent => {
                self.passed(&request, signer).await;
                tokio::time::sleep(SILENT_FOR).await;
                RelayAnswer::Nothing
            }
            WireFault::LateRequest => {
                let late_s = 1 + drawn(&reference) % LATE_S_MAX;
                tokio::time::sleep(Duration::from_secs(late_s.into())).await;
                answered(self.passed(&request, signer).await)
            }
            WireFault::SlowAnswer => match self.passed(&request, signer).await {
                Some(answer) => RelayAnswer::Slow(answer),
                None => RelayAnswer::Nothing,
            },
            WireFault::Html | WireFault::ServerError => {
                if is_passed_on(&reference) {
                    self.passed(&request, signer).await;
                }
                page(if fault == WireFault::Html { 200 } else { 502 })
            }
            WireFault::EmptyBody => {
                self.passed(&request, signer).await;
                RelayAnswer::Answer(WireAnswer::new(200, Vec::new(), Vec::new()))
            }
            WireFault::Redirect => {
                let to = format!("{}{}", self.provider, request.path);
                let headers = vec![("Location".to_owned(), to)];
                RelayAnswer::Answer(WireAnswer::new(307, headers, Vec::new()))
            }
            WireFault::Duplicated => {
                let (first, second) =
                    tokio::join!(self.passed(&request, signer), self.passed(&request, signer));
                answered(if is_passed_on(&reference) {
                    first
                } else {
                    second
                })
            }
            WireFault::Crossed => match self.passed(&request, signer).await {
                Some(answer) => self.crossed((&reference, answer), &request, signer),
                None => RelayAnswer::Nothing,
            },
            WireFault::StaleClock => answered(self.stale.forward(&request).await),
        }
    }
}
