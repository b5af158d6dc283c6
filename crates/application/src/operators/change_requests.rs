//! Changes that operators ask for over HTTP, and what became of them. The server has the key that
//! signs a request while it answers, so a request must change nothing: another operator grants it,
//! under a key that the server never has, and the log of operators is the only record of that.

use super::http_keys::signing_key;
use super::{NotSigned, Operators, Signer, is_signed};
use crate::hex::hex;
use domain::operations::change_request::{
    ChangeReason, ChangeRequest, ChangeRequestState, RequestedChange,
};
use domain::operator::{Act, Actor, OperatorEntry, OperatorOrder, Roster};
use domain::time::Timestamp;
use ports::PortError;
use ports::change_requests::ChangeRequestStore;
use ports::operators::Appended;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The acts that decisions are read from: who is an operator, with which key, and what was decided.
const ACTS: [Act; 6] = [
    Act::OperatorAdd,
    Act::OperatorRevoke,
    Act::OperatorHttpKey,
    Act::OperatorHttpKeyRevoke,
    Act::RequestGrant,
    Act::RequestRefuse,
];

/// How far the clock of the computer that grants may be behind that of the server that took a
/// request in: as of signed requests elsewhere.
const CLOCK_SKEW_MAX: Duration = Duration::from_mins(5);

/// How long a grant may be carried out where that was cut short: as long as a request waits.
const GRANT_LASTS: Duration = Duration::from_hours(24);

/// How often a request is numbered again because others were faster.
const NUMBERED_MAX: usize = 20;

/// Why nothing was asked for.
#[derive(Debug, thiserror::Error)]
pub enum NotRequested {
    /// The key opens nothing, or not any more.
    #[error("the key opens nothing any more")]
    NoOperator,
    /// As many requests of the operator wait as may.
    #[error(
        "{} requests of this operator wait to be granted",
        ChangeRequests::OPEN_MAX
    )]
    TooMany,
    /// The log could not be read, or was tampered with.
    #[error(transparent)]
    NotSigned(#[from] NotSigned),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] PortError),
}

/// Why a request was neither granted nor refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotDecidable {
    /// It is granted by another operator.
    #[error("it was asked for by this operator; another one must grant it")]
    OwnRequest,
    /// It is in a state that nothing follows.
    #[error("it is {0} already")]
    Closed(&'static str),
}

/// A request with what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedRequest {
    /// What was asked for.
    pub request: ChangeRequest,
    /// What became of it.
    pub state: ChangeRequestState,
    /// When an operator granted or refused it.
    pub decided_at: Option<Timestamp>,
}

impl TrackedRequest {
    /// Whether another operator must still grant it.
    pub fn waits(&self) -> bool {
        self.state == ChangeRequestState::Required
    }

    /// Whether it is granted, and so lately that what was cut short may be done again. Later the
    /// same change is asked for anew: what held a day ago is no reason for it today.
    pub fn is_granted_lately(&self, now: Timestamp) -> bool {
        let granted = matches!(self.state, ChangeRequestState::Granted(_));
        let since = self.decided_at.filter(|_| granted);
        since.is_some_and(|at| now < at.plus(GRANT_LASTS))
    }
}

/// The requests of operators.
#[derive(Debug, Clone)]
pub struct ChangeRequests {
    operators: Operators,
    store: Arc<dyn ChangeRequestStore>,
}

impl ChangeRequests {
    /// Most requests of an operator that wait: more than anyone grants in a day, and few enough to
    /// be read.
    pub const OPEN_MAX: usize = 20;

    /// How many of the newest are looked at: what waits is among them, as it waits a day at most.
    pub const NEWEST_MAX: u32 = 1_000;

    /// Over the log and the store of requests.
    pub fn new(operators: Operators, store: Arc<dyn ChangeRequestStore>) -> Self {
        Self { operators, store }
    }

    /// Asks for a change in the name of the operator whose name and key these are. What that
    /// operator asked for before and still waits is answered instead of a second one.
    ///
    /// # Errors
    /// When the key opens nothing, too many wait, or nothing could be stored.
    pub async fn ask(
        &self,
        (name, key): (&str, &str),
        (change, reason): (RequestedChange, ChangeReason),
    ) -> Result<TrackedRequest, NotRequested> {
        let operator = self.operators.authenticate(name, key).await?;
        let (Some(by), Some(signing)) = (operator, signing_key(key)) else {
            return Err(NotRequested::NoOperator);
        };
        let mut request = ChangeRequest {
            number: 0,
            by,
            at: self.operators.clock.now(),
            change,
            reason,
            signature: Vec::new(),
        };
        for _ in 0..NUMBERED_MAX {
            // Read first: what others store after it makes this number a taken one.
            request.number = self.store.last_number().await?.saturating_add(1);
            let waiting = self.waiting(&request).await?;
            if let Some(same) = waiting.iter().find(|it| it.request.repeats(&request)) {
                return Ok(same.clone());
            }
            if waiting.len() >= Self::OPEN_MAX {
                return Err(NotRequested::TooMany);
            }
            request.signature = signing.sign(&request.signed_bytes());
            if self.store.append(&request).await? == Appended::Done {
                let (state, decided_at) = (ChangeRequestState::Required, None);
                return Ok(TrackedRequest {
                    request,
                    state,
                    decided_at,
                });
            }
        }
        Err(NotRequested::NotSigned(NotSigned::Behind))
    }

    /// What the operator of a request asked for that waits.
    async fn waiting(&self, request: &ChangeRequest) -> Result<Vec<TrackedRequest>, NotSigned> {
        let mut newest = self.store.newest(Self::NEWEST_MAX).await?;
        // Before a signature is verified: most requests are of others, or decided by their age.
        newest.retain(|it| it.by == request.by && request.at < it.expires_at());
        let log = self.decisions().await?;
        let tracked = newest.into_iter().filter_map(|it| log.track(it));
        Ok(tracked
            .filter(|it| it.state == ChangeRequestState::Required)
            .collect())
    }

    /// The newest requests, newest first. What no key of an operator signed is left out: the role
    /// of a server can write it.
    ///
    /// # Errors
    /// When the log was tampered with, or the store failed.
    pub async fn newest(&self) -> Result<Vec<TrackedRequest>, NotSigned> {
        let requests = self.store.newest(Self::NEWEST_MAX).await?;
        let log = self.decisions().await?;
        Ok(requests
            .into_iter()
            .filter_map(|it| log.track(it))
            .collect())
    }

    /// The request of a number; `None` where there is none, or no key of an operator signed it.
    ///
    /// # Errors
    /// When the log was tampered with, or the store failed.
    pub async fn request(&self, number: u64) -> Result<Option<TrackedRequest>, NotSigned> {
        let Some(request) = self.store.request(number).await? else {
            return Ok(None);
        };
        Ok(self.decisions().await?.track(request))
    }

    /// Grants a request, once. What it asks for is done afterwards; where that is cut short, the
    /// request stays granted and it is done by the next try, within a day.
    ///
    /// # Errors
    /// When this is the operator who asked, it is decided or expired, or nothing could be signed.
    pub async fn grant(
        &self,
        signer: &Signer,
        tracked: &TrackedRequest,
    ) -> Result<Result<(), NotDecidable>, NotSigned> {
        if tracked.request.by == signer.name {
            return Ok(Err(NotDecidable::OwnRequest));
        }
        let decided = self.decide(signer, Act::RequestGrant, tracked).await?;
        if decided.is_granted_lately(self.operators.clock.now()) {
            return Ok(Ok(()));
        }
        Ok(Err(NotDecidable::Closed(decided.state.word())))
    }

    /// Refuses a request. The operator who asked may, too.
    ///
    /// # Errors
    /// When it is decided or expired, or nothing could be signed.
    pub async fn refuse(
        &self,
        signer: &Signer,
        tracked: &TrackedRequest,
    ) -> Result<Result<(), NotDecidable>, NotSigned> {
        let decided = self.decide(signer, Act::RequestRefuse, tracked).await?;
        if matches!(decided.state, ChangeRequestState::Refused(_)) {
            return Ok(Ok(()));
        }
        Ok(Err(NotDecidable::Closed(decided.state.word())))
    }

    /// Signs a decision where none was made, and answers what the log then says: of two operators
    /// who decide at once, the first one's decision holds.
    async fn decide(
        &self,
        signer: &Signer,
        act: Act,
        tracked: &TrackedRequest,
    ) -> Result<TrackedRequest, NotSigned> {
        // A key may have been revoked while a passphrase was typed.
        let current = self.tracked_now(&tracked.request).await?;
        if current.state != ChangeRequestState::Required {
            return Ok(current);
        }
        let order = decision(act, &tracked.request);
        self.operators.sign(signer, &order).await?;
        self.tracked_now(&tracked.request).await
    }

    async fn tracked_now(&self, request: &ChangeRequest) -> Result<TrackedRequest, NotSigned> {
        let tracked = self.decisions().await?.track(request.clone());
        tracked.ok_or_else(|| NotSigned::Broken("the key of a request is gone".to_owned()))
    }

    /// What the log says of requests.
    async fn decisions(&self) -> Result<Decisions, NotSigned> {
        let mut decisions = Decisions {
            roster: Roster::default(),
            keys: Vec::new(),
            decided: BTreeMap::new(),
            now: self.operators.clock.now(),
        };
        for entry in self.operators.log.of_acts(&ACTS).await? {
            decisions.take_in(entry)?;
        }
        Ok(decisions)
    }
}

/// What an operator signs to decide a request.
fn decision(act: Act, request: &ChangeRequest) -> OperatorOrder {
    OperatorOrder::new(act)
        .under(request.number)
        .with(digest(request))
}

/// A text that stands for a request with its signature: what a decision is signed for.
pub fn digest(request: &ChangeRequest) -> String {
    let mut hash = Sha256::new();
    hash.update(request.signed_bytes());
    hash.update(&request.signature);
    hex(&hash.finalize())
}

/// What the log says of requests at a moment.
#[derive(Debug)]
struct Decisions {
    roster: Roster,
    /// Every key for requests over HTTP that there was.
    keys: Vec<(String, [u8; 32])>,
    /// The first decision of each request, by its number and digest.
    decided: BTreeMap<(String, String), OperatorEntry>,
    now: Timestamp,
}

impl Decisions {
    fn take_in(&mut self, entry: OperatorEntry) -> Result<(), NotSigned> {
        let (act, number) = (entry.order.act, entry.number);
        let is_signed = is_signed(&entry, &self.roster);
        if matches!(act, Act::RequestGrant | Act::RequestRefuse) {
            if !is_signed {
                // It decides nothing: the audit names it (I19).
                return Ok(());
            }
            let (number, digest) = (entry.order.reference.clone(), entry.order.detail.clone());
            self.decided.entry((number, digest)).or_insert(entry);
            return Ok(());
        }
        if !is_signed {
            let why = format!("entry {number} is not signed by an operator");
            return Err(NotSigned::Broken(why));
        }
        let taken_in = self.roster.take_in(&entry);
        taken_in.map_err(|why| NotSigned::Broken(format!("entry {number} is refused: {why}")))?;
        if act == Act::OperatorHttpKey
            && let Some(key) = domain::operator::PublicKey::parse(&entry.order.detail)
        {
            self.keys.push((entry.order.reference.clone(), key.0));
        }
        Ok(())
    }

    /// What became of a request; `None` where no key of its operator ever signed it.
    fn track(&self, request: ChangeRequest) -> Option<TrackedRequest> {
        let bytes = request.signed_bytes();
        let signed_by = |key| operator_keys::is_signed(key, &bytes, &request.signature);
        let mut keys = self.keys.iter();
        let (_, key) = keys.find(|(name, key)| name == request.by.as_str() && signed_by(*key))?;
        let decided = self
            .decided
            .get(&(request.number.to_string(), digest(&request)));
        let state = match decided {
            Some(entry) => decided_state(&request, entry),
            None => self.open_state(&request, *key),
        };
        let decided_at = decided.map(|it| it.at);
        Some(TrackedRequest {
            request,
            state,
            decided_at,
        })
    }

    fn open_state(&self, request: &ChangeRequest, key: [u8; 32]) -> ChangeRequestState {
        let member = self.roster.operator(&request.by);
        let current = member.and_then(|it| it.http_key.as_ref());
        let is_current = current.is_some_and(|it| it.key.0 == key);
        let begins_by = self.now.plus(CLOCK_SKEW_MAX);
        if is_current && self.now < request.expires_at() && request.at <= begins_by {
            ChangeRequestState::Required
        } else {
            ChangeRequestState::Expired
        }
    }
}

/// What the first decision of a request makes of it.
fn decided_state(request: &ChangeRequest, entry: &OperatorEntry) -> ChangeRequestState {
    match &entry.actor {
        Actor::Operator(by) if entry.order.act == Act::RequestRefuse => {
            ChangeRequestState::Refused(by.clone())
        }
        Actor::Operator(by) if *by != request.by => ChangeRequestState::Granted(by.clone()),
        // No command signs that.
        Actor::Operator(_) | Actor::Program => ChangeRequestState::Expired,
    }
}
