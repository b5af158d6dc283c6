//! What operators ask for over HTTP: another operator grants it, in time and while the key that
//! asked for it is the operator's, and what no key of an operator signed is no request.

use application::operators::change_requests::{
    ChangeRequests, NotDecidable, NotRequested, TrackedRequest, digest,
};
use application::operators::http_keys::{http_key_end, http_key_order, mint_http_key};
use application::operators::{Operators, Signer};
use async_trait::async_trait;
use domain::operations::change_request::{
    ChangeReason, ChangeRequest, ChangeRequestState, RequestedChange,
};
use domain::operator::{Act, OperatorName, OperatorOrder, PublicKey};
use operator_keys::SigningKey;
use ports::PortError;
use ports::change_requests::ChangeRequestStore;
use ports::operators::{Appended, OperatorLog as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::builders::{START, change_request, provider_id};
use testkit::clock::ManualClock;
use testkit::memory::MemoryStore;

struct Desk {
    store: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    operators: Operators,
    requests: ChangeRequests,
    alpha: Signer,
    beta: Signer,
    key: String,
}

fn signer(name: &str, seed: u8) -> Signer {
    Signer {
        name: OperatorName::parse(name).unwrap(),
        key: SigningKey::from_seed([seed; 32]).unwrap(),
    }
}

fn paused(provider: &str) -> (RequestedChange, ChangeReason) {
    let change = RequestedChange::Pause(provider_id(provider));
    let reason = ChangeReason::parse("float is spent").unwrap();
    (change, reason)
}

impl Desk {
    /// Two operators, the first of whom has a key for requests over HTTP.
    async fn new() -> Self {
        let store = MemoryStore::new();
        let clock = Arc::new(ManualClock::at(START));
        let operators = Operators::new(store.clone(), clock.clone());
        let (alpha, beta) = (signer("alpha", 1), signer("beta", 2));
        for new in [&alpha, &beta] {
            let add = OperatorOrder::new(Act::OperatorAdd).under(&new.name);
            let add = add.with(PublicKey(new.key.public()));
            operators.sign(&alpha, &add).await.unwrap();
        }
        let key = mint_http_key([7; 32]);
        let order = http_key_order(&alpha.name, &key).unwrap();
        operators.sign(&alpha, &order).await.unwrap();
        Self {
            requests: ChangeRequests::new(operators.clone(), store.clone()),
            store,
            clock,
            operators,
            alpha,
            beta,
            key,
        }
    }

    async fn ask(&self, provider: &str) -> Result<TrackedRequest, NotRequested> {
        self.requests
            .ask(("alpha", &self.key), paused(provider))
            .await
    }

    async fn asked(&self, provider: &str) -> TrackedRequest {
        self.ask(provider).await.unwrap()
    }

    async fn state(&self, of: &TrackedRequest) -> ChangeRequestState {
        let found = self.requests.request(of.request.number).await.unwrap();
        found.unwrap().state
    }
}

#[tokio::test]
async fn another_operator_grants_it_and_the_one_who_asked_never() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    assert_eq!(asked.state, ChangeRequestState::Required);
    let own = desk.requests.grant(&desk.alpha, &asked).await.unwrap();
    assert_eq!(own, Err(NotDecidable::OwnRequest));
    assert_eq!(desk.state(&asked).await, ChangeRequestState::Required);
    let entries = desk.store.entries(0, 100).await.unwrap().len();
    desk.requests
        .grant(&desk.beta, &asked)
        .await
        .unwrap()
        .unwrap();
    let granted = ChangeRequestState::Granted(desk.beta.name.clone());
    assert_eq!(desk.state(&asked).await, granted);
    // What was cut short is taken up again, and signed once.
    let again = desk.requests.newest().await.unwrap().remove(0);
    desk.requests
        .grant(&desk.beta, &again)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(desk.store.entries(0, 100).await.unwrap().len(), entries + 1);
    let refused = desk.requests.refuse(&desk.beta, &again).await.unwrap();
    assert_eq!(refused, Err(NotDecidable::Closed("Granted")));
}

/// Signed past the command.
#[tokio::test]
async fn a_grant_of_the_operator_who_asked_or_of_another_content_grants_nothing() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    let other = OperatorOrder::new(Act::RequestGrant).under(1).with("00");
    desk.operators.sign(&desk.beta, &other).await.unwrap();
    assert_eq!(desk.state(&asked).await, ChangeRequestState::Required);
    let own = OperatorOrder::new(Act::RequestGrant).under(1);
    let own = own.with(digest(&asked.request));
    desk.operators.sign(&desk.alpha, &own).await.unwrap();
    assert_eq!(desk.state(&asked).await, ChangeRequestState::Expired);
}

#[tokio::test]
async fn a_request_ends_with_its_day_and_with_the_key_that_signed_it() {
    let desk = Desk::new().await;
    let old = desk.asked("my-shop").await;
    desk.clock.jump(Duration::from_hours(24));
    assert_eq!(desk.state(&old).await, ChangeRequestState::Expired);
    let late = desk.requests.request(1).await.unwrap().unwrap();
    let refused = desk.requests.grant(&desk.beta, &late).await.unwrap();
    assert_eq!(refused, Err(NotDecidable::Closed("Expired")));
    let fresh = desk.asked("my-shop").await;
    assert_eq!(fresh.request.number, 2);
    let end = http_key_end(&desk.alpha.name);
    desk.operators.sign(&desk.beta, &end).await.unwrap();
    assert_eq!(desk.state(&fresh).await, ChangeRequestState::Expired);
    let refused = desk.ask("my-shop").await.unwrap_err();
    assert!(matches!(refused, NotRequested::NoOperator), "{refused}");
}

#[tokio::test]
async fn the_same_is_asked_for_once_and_twenty_wait_at_most() {
    let desk = Desk::new().await;
    let first = desk.asked("shop-1").await;
    assert_eq!(desk.asked("shop-1").await, first);
    for number in 2..=ChangeRequests::OPEN_MAX {
        desk.asked(&format!("shop-{number}")).await;
    }
    let refused = desk.ask("shop-21").await.unwrap_err();
    assert!(matches!(refused, NotRequested::TooMany), "{refused}");
    desk.requests
        .refuse(&desk.alpha, &first)
        .await
        .unwrap()
        .unwrap();
    let refused = ChangeRequestState::Refused(desk.alpha.name.clone());
    assert_eq!(desk.state(&first).await, refused);
    assert_eq!(desk.asked("shop-21").await.request.number, 21);
}

/// Granted on one day and taken up on another, it would be made against what holds by then.
#[tokio::test]
async fn what_was_granted_is_taken_up_for_a_day_and_no_longer() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    let granted = desk.requests.grant(&desk.beta, &asked).await.unwrap();
    assert_eq!(granted, Ok(()));
    desk.clock.jump(Duration::from_hours(24));
    let old = desk.requests.newest().await.unwrap().remove(0);
    assert!(matches!(old.state, ChangeRequestState::Granted(_)));
    let again = desk.requests.grant(&desk.beta, &old).await.unwrap();
    assert_eq!(again, Err(NotDecidable::Closed("Granted")));
}

/// Both read that it waits.
#[tokio::test]
async fn of_two_operators_who_decide_at_once_the_first_decides() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    let refused = desk.requests.refuse(&desk.alpha, &asked).await.unwrap();
    assert_eq!(refused, Ok(()));
    let granted = desk.requests.grant(&desk.beta, &asked).await.unwrap();
    assert_eq!(granted, Err(NotDecidable::Closed("Refused")));
    let other = desk.asked("other").await;
    let granted = desk.requests.grant(&desk.beta, &other).await.unwrap();
    assert_eq!(granted, Ok(()));
    let refused = desk.requests.refuse(&desk.alpha, &other).await.unwrap();
    assert_eq!(refused, Err(NotDecidable::Closed("Granted")));
}

/// A stolen key asks, and is revoked while another operator types a passphrase.
#[tokio::test]
async fn a_request_that_ended_since_it_was_read_is_not_granted() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    let end = http_key_end(&desk.alpha.name);
    desk.operators.sign(&desk.beta, &end).await.unwrap();
    let granted = desk.requests.grant(&desk.beta, &asked).await.unwrap();
    assert_eq!(granted, Err(NotDecidable::Closed("Expired")));
}

/// The clock of the computer that grants may be a little behind.
#[tokio::test]
async fn a_request_of_the_next_minutes_waits_and_one_of_tomorrow_does_not() {
    let desk = Desk::new().await;
    let asked = desk.asked("my-shop").await;
    for (behind, state) in [
        (Duration::from_mins(5), ChangeRequestState::Required),
        (Duration::from_secs(301), ChangeRequestState::Expired),
    ] {
        let clock = Arc::new(ManualClock::at(START.minus(behind)));
        let operators = Operators::new(desk.store.clone(), clock);
        let there = ChangeRequests::new(operators, desk.store.clone());
        let found = there.request(asked.request.number).await.unwrap();
        assert_eq!(found.unwrap().state, state, "{behind:?} behind");
    }
}

/// A store at which another instance is asked for the same at a step of the request.
#[derive(Debug)]
struct Overtaken {
    store: Arc<MemoryStore>,
    other: ChangeRequests,
    key: String,
    /// Steps until it happens.
    steps: AtomicUsize,
}

impl Overtaken {
    async fn step(&self) {
        if self.steps.fetch_sub(1, Ordering::Relaxed) == 1 {
            let wanted = paused("my-shop");
            self.other.ask(("alpha", &self.key), wanted).await.unwrap();
        }
    }
}

#[async_trait]
impl ChangeRequestStore for Overtaken {
    async fn append(&self, request: &ChangeRequest) -> Result<Appended, PortError> {
        self.step().await;
        ChangeRequestStore::append(&*self.store, request).await
    }

    async fn newest(&self, limit: u32) -> Result<Vec<ChangeRequest>, PortError> {
        self.step().await;
        let newest = ChangeRequestStore::newest(&*self.store, limit).await;
        self.step().await;
        newest
    }

    async fn last_number(&self) -> Result<u64, PortError> {
        self.step().await;
        let last = ChangeRequestStore::last_number(&*self.store).await;
        self.step().await;
        last
    }

    async fn request(&self, number: u64) -> Result<Option<ChangeRequest>, PortError> {
        ChangeRequestStore::request(&*self.store, number).await
    }
}

#[tokio::test]
async fn the_same_asked_for_at_two_instances_at_once_is_one_request() {
    for steps in 1..=5 {
        let desk = Desk::new().await;
        let overtaken = Arc::new(Overtaken {
            store: desk.store.clone(),
            other: desk.requests.clone(),
            key: desk.key.clone(),
            steps: AtomicUsize::new(steps),
        });
        let requests = ChangeRequests::new(desk.operators.clone(), overtaken.clone());
        let wanted = paused("my-shop");
        let asked = requests.ask(("alpha", &desk.key), wanted).await.unwrap();
        assert_eq!(asked.request.number, 1, "at step {steps}");
        let all = desk.requests.newest().await.unwrap();
        assert_eq!(all, [asked], "at step {steps}");
    }
}

#[tokio::test]
async fn what_no_key_of_the_operator_signed_is_no_request() {
    let desk = Desk::new().await;
    let forged = change_request(1);
    let appended = ChangeRequestStore::append(&*desk.store, &forged).await;
    assert_eq!(appended.unwrap(), Appended::Done);
    assert_eq!(desk.requests.request(1).await.unwrap(), None);
    assert!(desk.requests.newest().await.unwrap().is_empty());
    let asked = desk.asked("my-shop").await;
    assert_eq!(asked.request.number, 2);
    assert_eq!(desk.requests.newest().await.unwrap(), [asked]);
}
