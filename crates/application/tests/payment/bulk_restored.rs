//! A batch beside a store that was set back: a provider may know its payments from before, under
//! references that do not say whose they are. None of them may be sent again or given back.

use super::support::request::once;
use super::support::shelf::BANK;
use super::support::{BALANCE, World, merchant, minutes};
use application::batches::{ALL_ITEMS, BatchReport};
use application::providers::Providers;
use application::recovery::Recovery;
use application::settling::{NotSettled, Proposal};
use application::{Gateway, QueueWorker, RequestError};
use async_trait::async_trait;
use domain::bank::{AccountNumber, BankIdentifier, BulkPayees, BulkPayout, Narration, Payout};
use domain::batch::{BatchKind, BatchProgress, OnFailure};
use domain::order::Service;
use domain::provider::{AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::{ProviderReference, UndatedReference};
use domain::reference_settlement::SettledAs;
use domain::transaction::{AttemptNumber, Status};
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, OwnReferences, Provider, ProviderAnswer};
use ports::reconciliation::{
    AcknowledgeOutcome, Acknowledgement, Clearance, MissingReference, Reconciliation,
};
use std::sync::Arc;
use testkit::builders::{account_id, naira, provider_id, reference, refusal, vouched};
use testkit::provider::{QueryReply, ScriptedProvider};

/// A provider whose references begin with the day on which they were made.
#[derive(Debug)]
struct DatedProvider(Arc<ScriptedProvider>);

const DAY: &str = "20260115";

impl OwnReferences for DatedProvider {
    fn undated(&self, derived: &ProviderReference) -> UndatedReference {
        UndatedReference::new(format!("x{}", derived.as_str().replace(['.', ':'], "-")))
    }

    fn read(&self, reference: &ProviderReference) -> Option<UndatedReference> {
        let undated = reference.as_str().strip_prefix(DAY)?;
        Some(UndatedReference::new(undated.to_owned()))
    }
}

#[async_trait]
impl Provider for DatedProvider {
    fn id(&self) -> &ProviderId {
        self.0.id()
    }

    fn absence_policy(&self, service: Service) -> AbsencePolicy {
        self.0.absence_policy(service)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        self.0.submit(submission, permit).await
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        self.0.query(attempt).await
    }

    fn own_references(&self) -> Option<&dyn OwnReferences> {
        Some(self)
    }
}

fn gateway(world: &World) -> Gateway {
    let provider: Arc<dyn Provider> = Arc::new(DatedProvider(world.provider.clone()));
    let routes = Service::delivered().map(|service| (service, provider.clone()));
    world.gateway_with(|parts| parts.providers = Providers::new(routes.collect()))
}

/// What the provider knows the first attempt of a payment by.
fn known_as(world: &World, name: &str) -> ProviderReference {
    let first = AttemptNumber::FIRST;
    let derived = ProviderReference::derive(&account_id("shop"), &reference(name), first);
    let undated = DatedProvider(world.provider.clone()).undated(&derived);
    ProviderReference::from_echo(format!("{DAY}{undated}"))
}

/// Payments are suspended and a person resumes them with what the provider knows and the store does
/// not.
async fn resumed_with(gateway: &Gateway, world: &World, missing: &[ProviderReference]) {
    let store = &world.exposed.store;
    let suspended = store.suspend("a test", Clearance::Records).await;
    suspended.unwrap();
    let provider = provider_id("sandbox");
    let missing = missing.iter().cloned();
    let missing: Vec<MissingReference> = missing
        .map(|reference| gateway.missing_reference(&provider, reference))
        .collect();
    assert!(missing.iter().all(|it| it.undated.is_some()));
    let vouching = Acknowledgement {
        missing,
        ..vouched([])
    };
    let acknowledged = gateway.acknowledge(&vouching).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
}

async fn ask(gateway: &Gateway) -> Result<application::BatchResult, RequestError> {
    let payouts = ["item-1", "item-2", "item-3"].map(|item| Payout {
        reference: reference(item),
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse("0123456785").unwrap(),
        amount: naira("100.00"),
        narration: Narration::parse("Pay of May").unwrap(),
        salary: None,
    });
    let order = BulkPayout {
        reference: reference("run-1"),
        on_failure: OnFailure::Continue,
        payees: BulkPayees::Each(payouts.into()),
    };
    gateway
        .pay_out_in_bulk(&merchant("shop"), once(order))
        .await
}

async fn cancel(gateway: &Gateway) -> BatchReport {
    let run = reference("run-1");
    let named = (BatchKind::BankTransfers, &run);
    let cancelled = gateway.cancel_batch(&merchant("shop"), named).await;
    cancelled.unwrap().unwrap()
}

async fn progress(gateway: &Gateway) -> BatchProgress {
    let run = reference("run-1");
    let named = (BatchKind::BankTransfers, &run);
    let found = gateway.batch(&merchant("shop"), named, ALL_ITEMS).await;
    found.unwrap().unwrap().progress
}

#[tokio::test]
async fn what_its_provider_may_know_is_neither_sent_nor_given_back() {
    let world = World::new().await;
    let gateway = gateway(&world);
    let price = ask(&gateway).await.unwrap().batch.price.minor() / 3;
    let known = known_as(&world, "item-2");
    resumed_with(&gateway, &world, std::slice::from_ref(&known)).await;
    let waits = BatchProgress {
        queued: 1,
        cancelled: 2,
        ..BatchProgress::default()
    };
    for _ in 0..2 {
        assert_eq!(cancel(&gateway).await.progress, waits);
    }
    let worker = QueueWorker::new(&gateway);
    for _ in 0..2 {
        worker.sweep().await.unwrap();
        world.pass(minutes(25 * 60)).await;
    }
    assert_eq!(progress(&gateway).await, waits);
    assert_eq!(world.provider.submissions(), []);
    assert_eq!(world.wallet().await, (BALANCE - price, price));
    // Booked without its name, it would keep the payment from ever ending.
    let provider = provider_id("sandbox");
    let absorbed = (SettledAs::Absorbed(naira("100.00")), "a test");
    let nameless = gateway.settle_reference((&known, &provider), None, absorbed);
    let refused = nameless.await;
    assert!(matches!(refused, Err(NotSettled::Queued)), "{refused:?}");
    // A person says whose it is: then the provider decides.
    let named = (account_id("shop"), reference("item-2"));
    let asked = (&known, &provider);
    let proposed = gateway.propose_settlement(asked, Some(&named)).await;
    assert_eq!(proposed.unwrap(), Proposal::Reopened);
    let decided = (SettledAs::Reopened, "a test");
    let settled = gateway.settle_reference(asked, Some(&named), decided).await;
    settled.unwrap();
    world
        .provider
        .on_query(QueryReply::say(QueryOutcome::Declined(refusal())));
    let mut recovery = Recovery::new(&gateway);
    world.follow_up_for(&mut recovery, 2).await;
    assert_eq!(world.provider.queries(), [known]);
    assert_eq!(world.stored("item-2").await.status(), Status::Failed);
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_new_batch_is_refused_for_the_payments_that_are_being_settled_and_names_them() {
    let world = World::new().await;
    let gateway = gateway(&world);
    let known = ["item-1", "item-3"].map(|name| known_as(&world, name));
    resumed_with(&gateway, &world, &known).await;
    let Err(RequestError::Items(refused)) = ask(&gateway).await else {
        panic!("not refused by its payments");
    };
    let places: Vec<_> = refused.iter().map(|it| it.place).collect();
    assert_eq!(places, [0, 2]);
    for item in refused {
        assert!(matches!(item.error, RequestError::ReferenceUnsettled));
    }
    assert_eq!(world.wallet().await, (BALANCE, 0));
}
