//! The adapter on the test bench, with a book that keeps what it is handed.

use crate::fake::{FakeSmsc, Reply};
use async_trait::async_trait;
use domain::messaging::{ProviderMessageId, ReceivedMessage};
use domain::order::{Order, Service};
use domain::provider::{ProviderId, QueryOutcome, Submission, SubmitOutcome};
use domain::reference::ProviderReference;
use domain::sms::{Content, MessageKind, Segments};
use ports::PortError;
use ports::callbacks::MessageReport;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use ports::receipts::{
    Acceptance, AcceptedMessage, DeliveryReceipt, MessageResult, ReceiptBook, ReceiptResult,
    Receipts,
};
use provider_smpp::{PlainSmpp, SmppCredentials, SmppProvider, SmppSettings, SmppTarget};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testkit::builders::{phone, provider_id, purchase_of, sms, submission};
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::permit::FixedPermit;
use tokio::sync::Semaphore;

/// How long a test waits for what must happen.
const WITHIN: Duration = Duration::from_secs(20);

#[derive(Debug, Default)]
pub(crate) struct TestBook {
    pub(crate) remembered: Mutex<Vec<AcceptedMessage>>,
    pub(crate) received: Mutex<Vec<DeliveryReceipt>>,
    /// Messages of people, each once by its identity.
    pub(crate) messages: Mutex<Vec<ReceivedMessage>>,
    /// How often one was handed over.
    pub(crate) handed: AtomicUsize,
    /// Where set, messages of people wait for it before they are recorded.
    pub(crate) held: Mutex<Option<Arc<Semaphore>>>,
    /// The store is away.
    pub(crate) fails: Mutex<bool>,
    /// Messages of people are recorded, and it is not known.
    pub(crate) loses: Mutex<bool>,
}

#[async_trait]
impl ReceiptBook for TestBook {
    async fn remember(&self, message: &AcceptedMessage) -> Result<(), PortError> {
        if *self.fails.lock().unwrap() {
            return Err(PortError::new("test", "the store is away"));
        }
        self.remembered.lock().unwrap().push(message.clone());
        Ok(())
    }

    async fn apply(&self, receipt: &DeliveryReceipt) -> ReceiptResult {
        if *self.fails.lock().unwrap() {
            return ReceiptResult::Failed;
        }
        let remembered = self.remembered.lock().unwrap();
        let mut parts = remembered.iter().flat_map(|message| &message.accepted);
        if !parts.any(|part| part.id == receipt.id) {
            return ReceiptResult::Unmatched;
        }
        self.received.lock().unwrap().push(receipt.clone());
        ReceiptResult::Stored
    }

    async fn accepted_whole(&self, reference: &ProviderReference) -> Result<Option<u8>, PortError> {
        let remembered = self.remembered.lock().unwrap();
        let mut whole = remembered.iter();
        let whole = whole.find(|message| {
            message.reference == *reference && message.acceptance == Acceptance::Whole
        });
        Ok(whole.map(|message| message.parts))
    }

    async fn take_message(&self, report: MessageReport) -> MessageResult {
        self.handed.fetch_add(1, Ordering::SeqCst);
        let held = self.held.lock().unwrap().clone();
        if let Some(held) = held {
            held.acquire().await.unwrap().forget();
        }
        if *self.fails.lock().unwrap() {
            return MessageResult::Failed;
        }
        let mut messages = self.messages.lock().unwrap();
        if messages.iter().all(|known| known.id != report.message.id) {
            messages.push(report.message);
        }
        if *self.loses.lock().unwrap() {
            return MessageResult::Failed;
        }
        MessageResult::Taken
    }

    async fn has_message(&self, id: &ProviderMessageId) -> Result<bool, PortError> {
        if *self.fails.lock().unwrap() {
            return Err(PortError::new("test", "the store is away"));
        }
        let messages = self.messages.lock().unwrap();
        Ok(messages.iter().any(|known| known.id == *id))
    }
}

/// Notes which number each reference was sent to.
#[derive(Debug)]
pub(crate) struct Noting {
    pub(crate) inside: Arc<SmppProvider>,
    pub(crate) numbers: Arc<Mutex<HashMap<String, String>>>,
}

#[async_trait]
impl Provider for Noting {
    fn id(&self) -> &ProviderId {
        self.inside.id()
    }

    fn absence_policy(&self, service: Service) -> domain::provider::AbsencePolicy {
        self.inside.absence_policy(service)
    }

    fn serves(&self, order: &Order) -> bool {
        self.inside.serves(order)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let number = submission.order.digits().to_owned();
        let reference = submission.reference.as_str().to_owned();
        self.numbers.lock().unwrap().insert(reference, number);
        self.inside.submit(submission, permit).await
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        self.inside.query(attempt).await
    }
}

pub(crate) struct SmppBench {
    pub(crate) fake: FakeSmsc,
    pub(crate) provider: Arc<SmppProvider>,
    pub(crate) book: Arc<TestBook>,
    pub(crate) noting: Arc<Noting>,
    pub(crate) clock: Arc<ManualClock>,
    orders: AtomicUsize,
}

pub(crate) async fn started() -> SmppBench {
    SmppBench::with(|_| ()).await
}

impl SmppBench {
    /// With settings that differ, bound.
    pub(crate) async fn with(change: impl FnOnce(&mut SmppSettings)) -> Self {
        let bench = Self::unbound(FakeSmsc::start().await, change);
        bench.attach();
        bench
            .eventually(|bench| !bench.fake.record().binds.is_empty())
            .await;
        bench
    }

    /// Not bound yet.
    pub(crate) fn unbound(fake: FakeSmsc, change: impl FnOnce(&mut SmppSettings)) -> Self {
        let mut settings = settings(fake.port);
        change(&mut settings);
        let clock = ManualClock::start();
        let open = SmppProvider::open(provider_id("smsc"), settings, Arc::clone(&clock) as _);
        let provider = Arc::new(open.unwrap());
        Self {
            fake,
            book: Arc::default(),
            noting: Arc::new(Noting {
                inside: Arc::clone(&provider),
                numbers: Arc::default(),
            }),
            provider,
            clock,
            orders: AtomicUsize::new(0),
        }
    }

    pub(crate) fn attach(&self) {
        self.provider.attach(Arc::clone(&self.book) as _);
    }

    /// An order to a number of its own, answered so, part by part.
    pub(crate) fn order(&self, text: &str, replies: &[Reply]) -> Order {
        let number = self.orders.fetch_add(1, Ordering::Relaxed);
        let digits = format!("234803{number:07}");
        let mut record = self.fake.record();
        record
            .replies
            .insert(digits.clone(), replies.iter().cloned().collect());
        message(&digits, text)
    }

    /// What came of sending an order under a reference made of `name`.
    pub(crate) async fn submit(&self, name: &str, order: &Order) -> ProviderAnswer<SubmitOutcome> {
        self.submit_permitted(name, order, &FixedPermit::granted())
            .await
    }

    pub(crate) async fn submit_permitted(
        &self,
        name: &str,
        order: &Order,
        permit: &FixedPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let sent = submission(&format!("shop.{name}.1"), order.clone());
        self.provider.submit(&sent, permit).await
    }

    /// Waits until something holds.
    pub(crate) async fn eventually(&self, holds: impl Fn(&Self) -> bool) {
        let held = tokio::time::timeout(WITHIN, async {
            while !holds(self) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        held.await.expect("it did not happen in time");
    }
}

/// A text of three parts in GSM 7-bit.
pub(crate) fn three_parts() -> String {
    "0123456789".repeat(40)
}

pub(crate) fn message(digits: &str, text: &str) -> Order {
    let Order::Sms(mut order) = sms().order() else {
        panic!("no message");
    };
    order.number = phone(digits);
    order.kind = MessageKind::Text;
    order.content = Content::parse(text).unwrap();
    order.segments = Segments::of(order.kind, &order.content).unwrap();
    Order::Sms(order)
}

/// The settings of an SMSC on this machine, with short waits.
pub(crate) fn settings(port: u16) -> SmppSettings {
    let target = SmppTarget::parse(&format!("smpp://127.0.0.1:{port}"), PlainSmpp::ToLoopback);
    let credentials = SmppCredentials::parse("gateway", "s3cret", "").unwrap();
    let mut settings = SmppSettings::new(target.unwrap(), credentials);
    settings.throughput = 1_000;
    settings.timers.reconnect = [Duration::from_millis(10); 5];
    settings.timers.room = Duration::from_secs(2);
    settings.timers.receipt = Duration::from_millis(500);
    settings
}

#[async_trait]
impl ProviderUnderTest for SmppBench {
    fn provider(&self) -> Arc<dyn Provider> {
        Arc::clone(&self.noting) as _
    }

    fn services(&self) -> Vec<Service> {
        vec![Service::Sms]
    }

    fn reports_changes(&self) -> bool {
        false
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        if service != Service::Sms {
            return purchase_of(service).order();
        }
        let reply = match behaviour {
            ProviderBehaviour::Delivers => Reply::Takes,
            ProviderBehaviour::Declines => Reply::Status(0x0B),
            ProviderBehaviour::LosesTheRequest => Reply::Cut,
            ProviderBehaviour::LosesTheAnswer
            | ProviderBehaviour::DeliversLater
            | ProviderBehaviour::TakesBack => panic!("no SMSC is asked about {behaviour:?}"),
        };
        self.order("Your code is 4711.", &[reply])
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        let number = self
            .noting
            .numbers
            .lock()
            .unwrap()
            .get(reference.as_str())
            .cloned();
        number.map_or(0, |number| self.fake.parts_for(&number))
    }

    async fn let_time_pass(&self) {}
}
