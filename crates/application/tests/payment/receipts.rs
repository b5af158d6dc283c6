//! What a provider reports over sessions of its own: each receipt reaches the attempt that its
//! identity belongs to and proves nothing that the provider never said, and each message of a
//! person is recorded before it may be acknowledged.

use super::incoming::{messages_of, report};
use super::sms::{ask, message, statuses, world_with};
use super::support::request::Worker;
use super::support::{BALANCE, World};
use application::Gateway;
use application::providers::Providers;
use application::routes::RouteTable;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::family::AbsenceEnds;
use domain::messaging::{Conversation, IncomingMessage, IncomingMessagesQuery, ProviderMessageId};
use domain::order::Service;
use domain::provider::{
    AbsencePolicy, Fulfilment, ProviderId, ProviderTransactionId, QueryOutcome, Receipt,
    Submission, SubmitOutcome, UnknownCause,
};
use domain::sms::DeliveryStatus::{self, Delivered, Submitted, Undelivered};
use domain::sms::{Dispatch, SenderStatus};
use domain::time::Timestamp;
use domain::transaction::{State, Status};
use ports::PortError;
use ports::incoming_messages::{IncomingMessages, IncomingMessagesPage, IncomingRecording};
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use ports::receipts::{
    Acceptance, AcceptedMessage, AcceptedPart, DeliveryReceipt, MessageExtent, MessageResult,
    ReceiptBook, ReceiptResult, Receipts,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use testkit::builders::provider_id;
use testkit::clock::settle;

/// A network that names the parts `part-0` and so on, and reports by itself.
#[derive(Debug)]
struct ReportingNetwork {
    id: ProviderId,
    acceptance: Acceptance,
    /// Whether the answer to a submission is lost on the way.
    loses_answers: bool,
    book: Mutex<Option<Arc<dyn ReceiptBook>>>,
    closed: AtomicBool,
}

impl ReportingNetwork {
    fn new(acceptance: Acceptance, loses_answers: bool) -> Arc<Self> {
        Arc::new(Self {
            id: provider_id("smsc"),
            acceptance,
            loses_answers,
            book: Mutex::default(),
            closed: AtomicBool::new(false),
        })
    }

    fn book(&self) -> Arc<dyn ReceiptBook> {
        self.book.lock().unwrap().clone().expect("attached")
    }

    async fn reports(&self, id: &str, status: DeliveryStatus) -> ReceiptResult {
        let receipt = DeliveryReceipt {
            id: ProviderTransactionId::parse(id).unwrap(),
            status,
        };
        self.book().apply(&receipt).await
    }
}

#[async_trait]
impl Provider for ReportingNetwork {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        AbsencePolicy {
            ends: AbsenceEnds::Search,
            ..AbsencePolicy::CAUTIOUS
        }
    }

    fn receipts(&self) -> Option<&dyn Receipts> {
        Some(self)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let granted = permit.ask().await;
        if granted.and_then(Granted::begin_writing).is_err() {
            return SubmitOutcome::NotSent.into();
        }
        let named = match self.acceptance {
            Acceptance::Whole => 3,
            Acceptance::Partial => 2,
        };
        let accepted = (0..named).map(|part| AcceptedPart {
            id: ProviderTransactionId::parse(&format!("part-{part}")).unwrap(),
            extent: MessageExtent::Part(part),
        });
        let message = AcceptedMessage {
            reference: submission.reference.clone(),
            parts: 3,
            acceptance: self.acceptance,
            accepted: accepted.collect(),
        };
        self.book().remember(&message).await.unwrap();
        if self.loses_answers || self.acceptance == Acceptance::Partial {
            return SubmitOutcome::Unknown(UnknownCause::ConnectionLost).into();
        }
        SubmitOutcome::Delivered(Receipt {
            reference: submission.reference.clone(),
            amount: submission.order.amount(),
            fulfilment: Fulfilment::Sms(Dispatch::new(3)),
        })
        .into()
    }

    async fn query(&self, _: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        QueryOutcome::Unknown.into()
    }
}

#[async_trait]
impl Receipts for ReportingNetwork {
    fn attach(&self, book: Arc<dyn ReceiptBook>) {
        *self.book.lock().unwrap() = Some(book);
    }

    async fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }
}

/// A gateway whose messages go to the network, with its worker.
async fn serving(world: &World, network: &Arc<ReportingNetwork>) -> (Gateway, Worker) {
    let delivering = vec![(Service::Sms, Arc::clone(network) as Arc<dyn Provider>)];
    let gateway = world.gateway_with(|parts| parts.providers = Providers::new(delivering));
    let worker = Worker::ready(&gateway).await;
    settle().await;
    (gateway, worker)
}

fn three_parts() -> String {
    "a".repeat(400)
}

#[tokio::test]
async fn receipts_move_the_parts_they_name_and_no_money() {
    let world = world_with(SenderStatus::Approved).await;
    let network = ReportingNetwork::new(Acceptance::Whole, false);
    let (gateway, worker) = serving(&world, &network).await;
    let sent = ask(&gateway, message(&three_parts())).await.unwrap();
    assert_eq!(statuses(&sent.transaction), [Submitted; 3]);
    let wallet = world.wallet().await;
    // The last part first, and one twice.
    for (id, status, after) in [
        ("part-2", Delivered, [Submitted, Submitted, Delivered]),
        ("part-2", Undelivered, [Submitted, Submitted, Delivered]),
        ("part-0", Delivered, [Delivered, Submitted, Delivered]),
        ("part-0", Delivered, [Delivered, Submitted, Delivered]),
        ("part-1", Delivered, [Delivered; 3]),
    ] {
        assert_eq!(network.reports(id, status).await, ReceiptResult::Stored);
        assert_eq!(statuses(&world.stored("order-1").await), after, "{id}");
    }
    assert_eq!(world.wallet().await, wallet);
    worker.stop().await;
    gateway.drain().await;
    assert!(network.closed.load(Ordering::SeqCst));
    world.is_right().await;
}

/// What the provider accepted as a whole was stored, so its receipt is the answer that was lost.
#[tokio::test]
async fn a_receipt_of_a_message_whose_answer_was_lost_settles_it_once() {
    let world = world_with(SenderStatus::Approved).await;
    let network = ReportingNetwork::new(Acceptance::Whole, true);
    let (gateway, worker) = serving(&world, &network).await;
    let (asked, ()) = tokio::join!(ask(&gateway, message(&three_parts())), async {
        settle().await;
        let stored = world.stored("order-1").await;
        assert!(matches!(stored.state, State::InDoubt(_)), "{stored:?}");
        for _ in 0..2 {
            let result = network.reports("part-1", Delivered).await;
            assert_eq!(result, ReceiptResult::Stored);
        }
        world.pass(super::support::seconds(60)).await;
    });
    drop(asked);
    let stored = world.stored("order-1").await;
    assert_eq!(statuses(&stored), [Submitted, Delivered, Submitted]);
    assert_eq!(world.wallet().await.1, 0);
    worker.stop().await;
    world.is_right().await;
}

#[tokio::test]
async fn a_receipt_of_a_message_that_was_accepted_in_part_proves_nothing() {
    let world = world_with(SenderStatus::Approved).await;
    let network = ReportingNetwork::new(Acceptance::Partial, false);
    let (gateway, worker) = serving(&world, &network).await;
    let (asked, ()) = tokio::join!(ask(&gateway, message(&three_parts())), async {
        settle().await;
        for id in ["part-0", "part-1"] {
            let result = network.reports(id, Delivered).await;
            assert_eq!(result, ReceiptResult::Stored);
        }
        let unknown = network.reports("part-2", Delivered).await;
        assert_eq!(unknown, ReceiptResult::Unmatched);
        world.pass(super::support::seconds(60)).await;
    });
    drop(asked);
    let stored = world.stored("order-1").await;
    assert_eq!(stored.status(), Status::Pending);
    let (available, held) = world.wallet().await;
    assert_eq!(available + held, BALANCE);
    assert!(held > 0, "nothing is charged and nothing is given back");
    worker.stop().await;
    world.is_right().await;
}

/// A store of messages that may be away.
#[derive(Debug)]
struct Wavering {
    inside: Arc<dyn IncomingMessages>,
    away: AtomicBool,
}

impl Wavering {
    fn looked_at(&self) -> Result<&dyn IncomingMessages, PortError> {
        if self.away.load(Ordering::SeqCst) {
            return Err(PortError::new("test", "the store is away"));
        }
        Ok(&*self.inside)
    }
}

#[async_trait]
impl IncomingMessages for Wavering {
    async fn record_incoming(
        &self,
        message: &IncomingMessage,
    ) -> Result<IncomingRecording, PortError> {
        self.looked_at()?.record_incoming(message).await
    }

    async fn has_incoming(
        &self,
        provider: &ProviderId,
        id: &ProviderMessageId,
    ) -> Result<bool, PortError> {
        self.looked_at()?.has_incoming(provider, id).await
    }

    async fn incoming_messages(
        &self,
        account: &AccountId,
        query: &IncomingMessagesQuery,
    ) -> Result<IncomingMessagesPage, PortError> {
        self.looked_at()?.incoming_messages(account, query).await
    }

    async fn last_incoming(
        &self,
        account: &AccountId,
        conversation: Conversation<'_>,
    ) -> Result<Option<Timestamp>, PortError> {
        self.looked_at()?.last_incoming(account, conversation).await
    }
}

#[tokio::test]
async fn a_message_of_a_person_may_be_acknowledged_once_it_is_recorded() {
    let world = world_with(SenderStatus::Approved).await;
    let network = ReportingNetwork::new(Acceptance::Whole, false);
    let store = Arc::new(Wavering {
        inside: world.exposed.store.clone(),
        away: AtomicBool::new(true),
    });
    let gateway = world.gateway_with(|parts| {
        let network = Arc::clone(&network) as Arc<dyn Provider>;
        parts.providers = Providers::new(vec![(Service::Sms, network)]);
        parts.incoming = Arc::clone(&store) as _;
    });
    let worker = Worker::ready(&gateway).await;
    settle().await;
    let book = network.book();
    let id = ProviderMessageId::parse("in-1").unwrap();
    let said = || report("in-1", "CornerShop");
    assert_eq!(book.take_message(said()).await, MessageResult::Failed);
    assert!(book.has_message(&id).await.is_err());
    store.away.store(false, Ordering::SeqCst);
    assert!(!book.has_message(&id).await.unwrap());
    for _ in 0..2 {
        assert_eq!(book.take_message(said()).await, MessageResult::Taken);
        assert!(book.has_message(&id).await.unwrap());
    }
    let messages = messages_of(&world, "shop").await;
    let providers = messages.iter().map(|it| it.provider.as_str());
    assert_eq!(providers.collect::<Vec<_>>(), ["smsc"]);
    // One of no account is not asked for again.
    let unknown = book.take_message(report("in-2", "Unregistrd")).await;
    assert_eq!(unknown, MessageResult::Taken);
    worker.stop().await;
}

/// It is not known of which environment it is: the network keeps it until there is a route.
#[tokio::test]
async fn a_message_of_a_person_from_a_provider_without_a_route_is_asked_for_again() {
    let world = world_with(SenderStatus::Approved).await;
    let network = ReportingNetwork::new(Acceptance::Whole, false);
    let (gateway, worker) = serving(&world, &network).await;
    let provider = Arc::clone(&network) as Arc<dyn Provider>;
    let without = RouteTable::new(Vec::new());
    let without = Providers::routed(vec![Arc::clone(&provider)], Arc::new(without));
    gateway.replace_providers(without);
    let said = || report("in-1", "CornerShop");
    let book = network.book();
    assert_eq!(book.take_message(said()).await, MessageResult::Failed);
    assert_eq!(messages_of(&world, "shop").await, []);
    gateway.replace_providers(Providers::new(vec![(Service::Sms, provider)]));
    assert_eq!(book.take_message(said()).await, MessageResult::Taken);
    assert_eq!(messages_of(&world, "shop").await.len(), 1);
    worker.stop().await;
}
