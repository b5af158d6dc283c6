//! References that only the provider knows: nothing is booked but what the provider says for
//! certain and a person accepts, and nothing of it twice.

use super::support::request::{Request, Worker, buy};
use super::support::{BALANCE, World, attempt, merchant, minutes, seconds};
use application::RequestError;
use application::reference_use::ReferenceUse;
use application::settling::{NotSettled, Payer, Proposal, Undecided};
use domain::provider::{Fulfilment, QueryOutcome, Receipt};
use domain::reference::ProviderReference;
use domain::reference_settlement::SettledAs;
use domain::transaction::{State, Status};
use ports::reconciliation::{AcknowledgeOutcome, Clearance, Reconciliation};
use testkit::builders::{
    credits, current_attempt, kobo, naira, provider_id, reference, refusal, vouched,
};
use testkit::journal::MemoryJournal;
use testkit::provider::{QueryReply, ScriptedReply};

const PROVIDER: &str = "sandbox";

/// A store without these purchases and a new journal: only the provider knows them. They are noted
/// and payments are taken again.
async fn lost(world: World, references: &[&str]) -> World {
    let backup = world.exposed.store.backup();
    for reference in references {
        buy(&world.gateway(), reference).await.unwrap();
    }
    world.exposed.store.restore(&backup);
    let world = World {
        journal: MemoryJournal::new(),
        ..world
    };
    let missing = references.iter().map(|it| attempt(it, 1));
    are_acknowledged(&world, missing.collect()).await;
    world
}

async fn are_acknowledged(world: &World, missing: Vec<ProviderReference>) {
    let store = &world.exposed.store;
    let suspended = store.suspend("a test", Clearance::Records).await;
    suspended.unwrap();
    let acknowledged = world.gateway().acknowledge(&vouched(missing)).await;
    assert_eq!(acknowledged.unwrap(), AcknowledgeOutcome::Resumed);
}

async fn propose(world: &World, reference: &ProviderReference) -> Proposal {
    let provider = provider_id(PROVIDER);
    let proposed = world.gateway();
    let proposed = proposed.propose_settlement((reference, &provider), None);
    let proposed = proposed.await;
    proposed.unwrap()
}

async fn settle(
    world: &World,
    reference: &ProviderReference,
    settled_as: SettledAs,
) -> Result<(), NotSettled> {
    let provider = provider_id(PROVIDER);
    let of = (reference, &provider);
    let gateway = world.gateway();
    let decided = (settled_as, "Ngozi Eze");
    gateway.settle_reference(of, None, decided).await
}

async fn unsettled(world: &World) -> Vec<ProviderReference> {
    let listed = world.exposed.store.unsettled().await.unwrap();
    listed.into_iter().map(|it| it.reference).collect()
}

/// The references of changes that wait as dead letters.
async fn open_dead_letters(world: &World) -> Vec<ProviderReference> {
    let open = world.stores.changes.open_letters(100).await.unwrap();
    open.into_iter().map(|letter| letter.id.reference).collect()
}

fn worth() -> SettledAs {
    SettledAs::Charged(naira("1,000.00"))
}

#[tokio::test]
async fn a_delivery_that_only_the_provider_knows_is_charged_once_and_never_bought_again() {
    let world = lost(World::new().await, &["order-1"]).await;
    let name = attempt("order-1", 1);
    let refused = buy(&world.gateway(), "order-1").await;
    assert!(
        matches!(refused, Err(RequestError::ReferenceUnsettled)),
        "{refused:?}"
    );
    let expected = Proposal::Delivered {
        amount: naira("1,000.00"),
        payer: Payer::Account,
    };
    assert_eq!(propose(&world, &name).await, expected);
    assert_eq!(unsettled(&world).await.len(), 1, "nothing is booked");
    settle(&world, &name, worth()).await.unwrap();
    let again = settle(&world, &name, worth()).await;
    assert!(matches!(again, Err(NotSettled::Settled)), "{again:?}");
    assert_eq!(world.wallet().await, (BALANCE - 100_000, 0));
    let refused = buy(&world.gateway(), "order-1").await;
    assert!(
        matches!(refused, Err(RequestError::ReferenceSettled)),
        "{refused:?}"
    );
    assert_eq!(world.provider.deliveries(&name), 1);
    world.is_right().await;
}

#[tokio::test]
async fn a_wallet_without_the_amount_is_credited_or_the_loss_absorbed() {
    let world = lost(World::new().await, &["order-1", "order-2"]).await;
    let (name, other) = (attempt("order-1", 1), attempt("order-2", 1));
    let much = SettledAs::Charged(kobo(BALANCE + 1));
    let refused = settle(&world, &name, much).await;
    assert!(
        matches!(refused, Err(NotSettled::InsufficientFunds(_))),
        "{refused:?}"
    );
    let absorbed = SettledAs::Absorbed(naira("1,000.00"));
    settle(&world, &name, absorbed).await.unwrap();
    assert_eq!(world.wallet().await, (BALANCE, 0));
    assert_eq!(unsettled(&world).await, [other]);
    world.is_right().await;
}

#[tokio::test]
async fn only_a_definite_answer_about_the_very_reference_is_a_proposal() {
    let world = lost(World::new().await, &["order-1"]).await;
    let name = attempt("order-1", 1);
    let receipt = |reference: &ProviderReference, amount| {
        let reference = reference.clone();
        let fulfilment = Fulfilment::Airtime;
        QueryOutcome::Delivered(Receipt {
            reference,
            amount,
            fulfilment,
        })
    };
    let other = attempt("order-9", 1);
    let in_credits = "CRD 5.00".to_owned();
    for (said, expected) in [
        (QueryOutcome::Pending, Undecided::Pending),
        (QueryOutcome::NotFound, Undecided::NotFound),
        (QueryOutcome::Unknown, Undecided::Unknown),
        (
            receipt(&other, naira("5.00")),
            Undecided::OtherReference(other.clone()),
        ),
        (
            receipt(&name, credits("5.00")),
            Undecided::OtherCurrency(in_credits),
        ),
    ] {
        world.provider.on_query(QueryReply::say(said));
        let proposed = propose(&world, &name).await;
        assert_eq!(proposed, Proposal::Undecided(expected));
    }
    let provider = provider_id("other");
    let gateway = world.gateway();
    let proposed = gateway.propose_settlement((&name, &provider), None).await;
    let expected = Proposal::Undecided(Undecided::ProviderUnknown);
    assert_eq!(proposed.unwrap(), expected);
}

#[tokio::test]
async fn what_was_declined_or_taken_back_sets_the_reference_free() {
    for said in [QueryOutcome::Declined(refusal()), QueryOutcome::Reversed] {
        let world = lost(World::new().await, &["order-1"]).await;
        let name = attempt("order-1", 1);
        world.provider.on_query(QueryReply::say(said));
        assert_eq!(propose(&world, &name).await, Proposal::NotDelivered);
        let expected = [name.clone(), attempt("order-1", 2)];
        assert_eq!(world.provider.queries(), expected, "the other attempt too");
        settle(&world, &name, SettledAs::NotDelivered)
            .await
            .unwrap();
        assert_eq!(world.wallet().await, (BALANCE, 0));
        // The provider knows the reference, so it is asked: it says that it was delivered once.
        let again = Request::buy(&world.gateway(), "order-1");
        world.pass(seconds(21)).await;
        let again = again.answer().await;
        assert!(again.is_ok(), "{again:?}");
        assert_eq!(world.provider.deliveries(&name), 1);
    }
}

#[tokio::test]
async fn a_reference_is_not_set_free_while_another_attempt_under_it_may_be_delivered() {
    let world = lost(World::new().await, &["order-1"]).await;
    let name = attempt("order-1", 1);
    for said in [QueryOutcome::Pending, QueryOutcome::Unknown] {
        let declined = QueryOutcome::Declined(refusal());
        world.provider.on_query(QueryReply::say(declined));
        world.provider.on_query(QueryReply::say(said));
        let expected = Undecided::OtherAttempt(attempt("order-1", 2));
        assert_eq!(propose(&world, &name).await, Proposal::Undecided(expected));
    }
}

#[tokio::test]
async fn an_unparsable_reference_is_absorbed_and_never_charged() {
    let world = World::new().await;
    let foreign = ProviderReference::from_echo("TXN 4711");
    are_acknowledged(&world, vec![foreign.clone()]).await;
    assert_eq!(propose(&world, &foreign).await, Proposal::NotDelivered);
    world
        .provider
        .on_query(QueryReply::say(QueryOutcome::Delivered(Receipt {
            reference: foreign.clone(),
            amount: naira("5.00"),
            fulfilment: Fulfilment::Airtime,
        })));
    let expected = Proposal::Delivered {
        amount: naira("5.00"),
        payer: Payer::Gateway,
    };
    assert_eq!(propose(&world, &foreign).await, expected);
    let refused = settle(&world, &foreign, worth()).await;
    assert!(
        matches!(refused, Err(NotSettled::NotOurs(_))),
        "{refused:?}"
    );
    let absorbed = SettledAs::Absorbed(naira("5.00"));
    settle(&world, &foreign, absorbed).await.unwrap();
    assert_eq!(unsettled(&world).await, []);
    world.is_right().await;
}

/// The store has the first attempt open, and only the provider knows the second.
async fn in_its_second_attempt(delivered: bool) -> World {
    let world = World::new().await;
    world
        .provider
        .on_submit(ScriptedReply::not_sent().after(seconds(1)));
    if !delivered {
        world.provider.on_submit(ScriptedReply::accept());
    }
    let request = Request::buy(&world.gateway(), "order-1");
    world.pass(seconds(0)).await;
    let first = world.exposed.store.backup();
    world.pass(seconds(21)).await;
    request.answer().await.unwrap();
    world.exposed.store.restore(&first);
    let journal = MemoryJournal::new();
    World { journal, ..world }
}

#[tokio::test]
async fn acknowledging_brings_an_open_transaction_to_the_attempt_that_the_provider_knows() {
    let world = in_its_second_attempt(true).await;
    assert_eq!(current_attempt(&world.stored("order-1").await).get(), 1);
    are_acknowledged(&world, vec![attempt("order-1", 2)]).await;
    let stored = world.stored("order-1").await;
    assert_eq!(current_attempt(&stored).get(), 2);
    assert!(matches!(stored.state, State::InDoubt(_)), "{stored:?}");
    assert_eq!(unsettled(&world).await, []);
    let settled = world.exposed.store.settled_as(&attempt("order-1", 2)).await;
    assert_eq!(settled.unwrap(), Some(SettledAs::Reopened));
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(2)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-1").await.status(), Status::Successful);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 0));
    world.is_right().await;
}

#[tokio::test]
async fn what_is_known_of_the_first_attempt_releases_nothing_once_the_second_is_known() {
    let world = in_its_second_attempt(false).await;
    are_acknowledged(&world, vec![attempt("order-1", 2)]).await;
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(60)).await;
    worker.stop().await;
    let asked = world.provider.queries();
    assert!(asked.contains(&attempt("order-1", 2)), "{asked:?}");
    assert_eq!(world.stored("order-1").await.status(), Status::Pending);
    assert_eq!(world.wallet().await, (BALANCE - 97_000, 97_000));
}

#[tokio::test]
async fn a_transaction_that_ended_without_the_attempt_leaves_it_to_the_gateway() {
    let world = in_its_second_attempt(true).await;
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(60)).await;
    worker.stop().await;
    assert_eq!(world.stored("order-1").await.status(), Status::Failed);
    let name = attempt("order-1", 2);
    are_acknowledged(&world, vec![name.clone()]).await;
    let expected = Proposal::Delivered {
        amount: naira("1,000.00"),
        payer: Payer::Gateway,
    };
    assert_eq!(propose(&world, &name).await, expected);
    let refused = settle(&world, &name, worth()).await;
    assert!(matches!(refused, Err(NotSettled::Unfounded)), "{refused:?}");
    let absorbed = SettledAs::Absorbed(naira("1,000.00"));
    settle(&world, &name, absorbed).await.unwrap();
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn a_change_of_a_settled_reference_is_accounted_for_unless_it_says_otherwise() {
    let world = lost(World::new().await, &["order-1", "order-2"]).await;
    let (name, other) = (attempt("order-1", 1), attempt("order-2", 1));
    let receipt = Receipt {
        reference: name.clone(),
        amount: naira("1,000.00"),
        fulfilment: Fulfilment::Airtime,
    };
    world
        .provider
        .report(&name, QueryOutcome::Delivered(receipt));
    world.provider.take_back(&other);
    let worker = Worker::start(&world.gateway());
    world.pass(minutes(2)).await;
    let open = open_dead_letters(&world).await;
    assert_eq!(
        open,
        [name.clone(), other.clone()],
        "nothing is settled yet"
    );
    settle(&world, &name, worth()).await.unwrap();
    assert_eq!(propose(&world, &other).await, Proposal::NotDelivered);
    settle(&world, &other, worth()).await.unwrap();
    world.pass(minutes(90)).await;
    worker.stop().await;
    let open = open_dead_letters(&world).await;
    assert_eq!(open, [other], "charged, though it was taken back");
}

async fn used(world: &World, name: &str) -> ReferenceUse {
    let (gateway, name) = (world.gateway(), reference(name));
    let found = gateway.reference_use(&merchant("shop"), &name).await;
    found.unwrap()
}

#[tokio::test]
async fn a_reference_is_called_unused_only_where_no_record_of_it_may_have_been_lost() {
    let world = lost(World::new().await, &["order-1", "order-2"]).await;
    buy(&world.gateway(), "order-3").await.unwrap();
    let stored = used(&world, "order-3").await;
    assert!(matches!(stored, ReferenceUse::Stored(_)), "{stored:?}");
    assert_eq!(used(&world, "order-1").await, ReferenceUse::Unsettled);
    assert_eq!(used(&world, "never").await, ReferenceUse::NotStored);
    settle(&world, &attempt("order-1", 1), worth())
        .await
        .unwrap();
    let delivered = ReferenceUse::DeliveredWithoutRecord(naira("1,000.00"));
    assert_eq!(used(&world, "order-1").await, delivered);
    let store = &world.exposed.store;
    store.suspend("a test", Clearance::Records).await.unwrap();
    assert_eq!(used(&world, "never").await, ReferenceUse::Unsettled);
    assert_eq!(used(&world, "order-1").await, ReferenceUse::Unsettled);
    // The provider has no form of its own, so one that does not say whose it is was not sent.
    are_acknowledged(
        &world,
        vec![ProviderReference::from_echo("202611241015tejh")],
    )
    .await;
    assert_eq!(used(&world, "never").await, ReferenceUse::NotStored);
}
