//! Two providers of one family. An order may go to the second only once the first certainly did
//! not deliver it, while its merchant waits, and for no fault of its own; everything after that is
//! asked of the one that has it.

use super::support::provider::ExposedProvider;
use super::support::request::Request;
use super::support::{BALANCE, World, attempt, seconds};
use application::Gateway;
use application::providers::Providers;
use application::recovery::Recovery;
use application::settings::Settings;
use domain::ledger::{LedgerAccount, TransferKind};
use domain::order::Service;
use domain::provider::{
    AbsencePolicy, AttemptDetails, ProviderTransactionId, QueryOutcome, RefusalKind, UnknownCause,
};
use domain::transaction::{AttemptNumber, Proof, State, Status, Transaction};
use std::sync::Arc;
use testkit::builders::{current_attempt, provider_id, receipt_of};
use testkit::provider::{ScriptedProvider, ScriptedReply};

/// What the airtime of a request costs.
const PRICE: i64 = 97_000;

const MOMENT: RefusalKind = RefusalKind::Moment { retry_after: None };

/// A world with a second provider.
struct TwoProviders {
    world: World,
    other: Arc<ScriptedProvider>,
    gateway: Gateway,
}

impl TwoProviders {
    async fn new() -> Self {
        let world = World::new().await;
        let clock = world.clock.clone();
        let other = ScriptedProvider::named("other", AbsencePolicy::CAUTIOUS, clock.clone());
        let other = Arc::new(other);
        let exposed = (world.exposed.store.clone(), clock);
        let network = ExposedProvider::new(other.clone(), world.faults.clone(), exposed);
        let gateway = world.gateway_with(|parts| {
            let first = world.network.clone();
            let routes = Service::delivered().flat_map(|service| {
                [
                    (service, first.clone() as _),
                    (service, network.clone() as _),
                ]
            });
            parts.providers = Providers::new(routes.collect());
        });
        Self {
            world,
            other,
            gateway,
        }
    }

    /// What a purchase comes to.
    async fn bought(&self) -> Transaction {
        let request = Request::buy(&self.gateway, "order-1");
        self.world.pass(seconds(30)).await;
        request.answer().await.unwrap();
        self.world.stored("order-1").await
    }

    fn deliveries(&self) -> [u32; 2] {
        let under = [attempt("order-1", 1), attempt("order-1", 2)];
        [&self.world.provider, &self.other]
            .map(|provider| under.iter().map(|it| provider.deliveries(it)).sum())
    }
}

#[tokio::test]
async fn a_refusal_through_no_fault_of_the_order_goes_to_the_next_provider() {
    for kind in [RefusalKind::Account, MOMENT] {
        let two = TwoProviders::new().await;
        two.world
            .provider
            .on_submit(ScriptedReply::decline_for(kind));
        let tx = two.bought().await;
        assert_eq!(tx.status(), Status::Successful, "{kind:?}");
        assert_eq!(*tx.provider(), provider_id("other"));
        assert!(matches!(tx.earlier[0].proof, Proof::Refused(_)));
        let first = tx.prepared.route_of(AttemptNumber::FIRST).unwrap();
        let second = tx.prepared.route_of(current_attempt(&tx)).unwrap();
        assert_eq!((first.priority, first.place), (0, 0));
        assert_eq!((second.priority, second.place), (1, 1));
        assert_eq!(second.number, first.number + 1);
        assert_eq!(two.deliveries(), [0, 1]);
        assert_eq!(two.world.wallet().await, (BALANCE - PRICE, 0));
        let transfers = two.world.stores.transfers(&tx).await;
        let capture = transfers.iter().find(|it| it.kind == TransferKind::Capture);
        let float = LedgerAccount::Float(provider_id("other"));
        assert_eq!(capture.map(|it| &it.credit), Some(&float));
        two.world.is_right().await;
    }
}

#[tokio::test]
async fn a_fault_of_the_order_and_a_lookalike_go_nowhere_else() {
    for kind in [RefusalKind::Order, RefusalKind::Lookalike] {
        let two = TwoProviders::new().await;
        two.world
            .provider
            .on_submit(ScriptedReply::decline_for(kind));
        let tx = two.bought().await;
        assert_eq!(tx.status(), Status::Failed, "{kind:?}");
        assert_eq!(two.other.submissions(), []);
        assert_eq!(two.world.wallet().await, (BALANCE, 0));
        two.world.is_right().await;
    }
}

#[tokio::test]
async fn an_unknown_outcome_is_never_tried_elsewhere() {
    for cause in UnknownCause::ALL {
        let two = TwoProviders::new().await;
        two.world
            .provider
            .on_submit(ScriptedReply::request_lost(cause));
        let tx = two.bought().await;
        assert_eq!(tx.status(), Status::Pending, "{cause:?}");
        assert_eq!(two.other.submissions(), []);
        two.world.is_right().await;
    }
}

#[tokio::test]
async fn what_never_left_goes_to_the_next_provider() {
    let two = TwoProviders::new().await;
    two.world.provider.on_submit(ScriptedReply::not_sent());
    let tx = two.bought().await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(two.deliveries(), [0, 1]);
    two.world.is_right().await;
}

#[tokio::test]
async fn two_attempts_are_made_at_most() {
    let two = TwoProviders::new().await;
    let refused = || ScriptedReply::decline_for(RefusalKind::Account);
    two.world.provider.on_submit(refused());
    two.other.on_submit(refused());
    let tx = two.bought().await;
    assert_eq!(tx.status(), Status::Failed);
    let sent = [&two.world.provider, &two.other].map(|it| it.submissions().len());
    assert_eq!(sent, [1, 1]);
    assert_eq!(two.world.wallet().await, (BALANCE, 0));
    two.world.is_right().await;
}

#[tokio::test]
async fn a_refusal_that_comes_after_the_merchant_was_answered_goes_nowhere_else() {
    let two = TwoProviders::new().await;
    let late = Settings::default().answer_window + seconds(1);
    let refused = ScriptedReply::decline_for(RefusalKind::Account).after(late);
    two.world.provider.on_submit(refused);
    let tx = two.bought().await;
    assert_eq!(tx.status(), Status::Failed);
    assert_eq!(two.other.submissions(), []);
    two.world.is_right().await;
}

#[tokio::test]
async fn the_second_is_asked_about_the_second_attempt_and_the_first_is_not() {
    let two = TwoProviders::new().await;
    let refused = ScriptedReply::decline_for(MOMENT);
    two.world.provider.on_submit(refused);
    let lost = ScriptedReply::answer_lost(UnknownCause::ConnectionLost);
    two.other.on_submit(lost);
    let tx = two.bought().await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(two.other.queries(), [attempt("order-1", 2)]);
    assert_eq!(two.world.provider.queries(), []);
    assert_eq!(two.deliveries(), [0, 1]);
    two.world.is_right().await;
}

#[tokio::test]
async fn a_yes_after_a_refusal_is_the_loss_of_the_one_that_said_both() {
    let two = TwoProviders::new().await;
    let refused = ScriptedReply::decline_for(RefusalKind::Account);
    two.world.provider.on_submit(refused);
    let tx = two.bought().await;
    let first = attempt("order-1", 1);
    let delivered = QueryOutcome::Delivered(receipt_of(&first, &tx.order));
    two.world.provider.report(&first, delivered);
    Recovery::new(&two.gateway).sweep().await.unwrap();
    let tx = two.world.stored("order-1").await;
    assert!(matches!(&tx.state, State::Successful(_)));
    let transfers = two.world.stores.transfers(&tx).await;
    let loss = transfers.iter().find(|it| it.kind == TransferKind::Loss);
    let float = LedgerAccount::Float(provider_id("sandbox"));
    assert_eq!(loss.map(|it| &it.credit), Some(&float));
    assert_eq!(two.world.wallet().await, (BALANCE - PRICE, 0));
}

#[tokio::test]
async fn a_query_names_the_attempt_as_its_provider_calls_it() {
    let two = TwoProviders::new().await;
    let id = ProviderTransactionId::parse("TX-77");
    let details = AttemptDetails {
        id: id.clone(),
        ..AttemptDetails::default()
    };
    let provider = &two.world.provider;
    provider
        .reports_details(details)
        .on_submit(ScriptedReply::answer_lost(UnknownCause::Timeout));
    let tx = two.bought().await;
    assert_eq!(tx.status(), Status::Successful);
    assert_eq!(tx.reported.of(current_attempt(&tx)).id, id);
    assert_eq!(provider.queried_ids(), [id]);
}
