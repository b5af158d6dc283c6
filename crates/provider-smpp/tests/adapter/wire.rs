//! The adapter with faults between it and the SMSC, and adapters that read them wrongly: the suite
//! must pass the one and fail each of the others.

use crate::bench::{Noting, SmppBench, settings, started, three_parts};
use async_trait::async_trait;
use domain::order::{Order, Service};
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Refusal, RefusalKind, Submission, SubmitOutcome,
    UnknownCause,
};
use domain::reference::ProviderReference;
use ports::permit::SendPermit;
use ports::provider::{AttemptQuery, Provider, ProviderAnswer};
use ports::receipts::Receipts as _;
use provider_smpp::{SmppProvider, StatusTable};
use std::sync::Arc;
use std::time::Duration;
use testkit::builders::provider_id;
use testkit::clock::ManualClock;
use testkit::contract::provider::{ProviderBehaviour, ProviderUnderTest};
use testkit::contract::wire_stream::{
    self as laws, StreamProviderUnderTest, an_answer_that_is_lost_is_unknown_and_written_once,
};
use testkit::pdu_proxy::PduServer;
use testkit::permit::FixedPermit;

/// The adapter keeps every law.
mod adapter {
    testkit::stream_contract!(crate::bench::started);
}

/// The command that has a message sent.
const SUBMIT_SM: u32 = 0x04;

#[async_trait]
impl StreamProviderUnderTest for SmppBench {
    fn pdu_server(&self) -> PduServer {
        PduServer {
            port: self.fake.port,
            writes: SUBMIT_SM,
        }
    }

    async fn at_stream_port(&self, port: u16) -> Arc<dyn Provider> {
        let mut settings = settings(port);
        settings.timers.answer = Duration::from_secs(1);
        settings.timers.enquire = Duration::from_millis(200);
        settings.timers.enquire_answer = Duration::from_millis(400);
        let provider = SmppProvider::open(provider_id("smsc"), settings, ManualClock::start());
        let provider = Arc::new(provider.unwrap());
        provider.attach(Arc::clone(&self.book) as _);
        Arc::new(self.noting(provider))
    }

    async fn long_order(&self, _: Service) -> (Order, usize) {
        (self.order(&three_parts(), &[]), 3)
    }

    fn refusals(&self) -> Vec<u32> {
        let table = StatusTable::embedded();
        let refuses = table.statuses().iter();
        let refuses = refuses.filter(|row| row.refusal_kind().is_some());
        refuses.map(|row| row.status).collect()
    }
}

/// How an adapter is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SmppMisreading {
    /// A connection that breaks is taken for a message that was not sent.
    LostIsNotSent,
    /// Silence is taken for a message that was not sent.
    SilenceIsNotSent,
    /// An answer that cannot be read is taken for a refusal.
    UnreadableIsDeclined,
    /// So is a status that is not listed.
    UnlistedIsDeclined,
    /// What has no answer is written again.
    WritesAgain,
    /// It writes whatever became of its permit.
    PermitIgnored,
    /// What was taken in part is taken for a message that was not sent.
    NotFoundIsAbsent,
}

/// The adapter, misread.
#[derive(Debug)]
struct MisreadAdapter {
    inside: Arc<dyn Provider>,
    wrong: SmppMisreading,
}

impl MisreadAdapter {
    fn misread(&self, outcome: SubmitOutcome) -> SubmitOutcome {
        let declined = SubmitOutcome::Declined(Refusal {
            kind: RefusalKind::Order,
            code: "misread".to_owned(),
            reason: "misread".to_owned(),
        });
        match (self.wrong, &outcome) {
            (
                SmppMisreading::LostIsNotSent,
                SubmitOutcome::Unknown(UnknownCause::ConnectionLost),
            )
            | (SmppMisreading::SilenceIsNotSent, SubmitOutcome::Unknown(UnknownCause::Timeout)) => {
                SubmitOutcome::NotSent
            }
            (
                SmppMisreading::UnreadableIsDeclined,
                SubmitOutcome::Unknown(UnknownCause::Unreadable),
            )
            | (
                SmppMisreading::UnlistedIsDeclined,
                SubmitOutcome::Unknown(UnknownCause::Unlisted),
            ) => declined,
            _ => outcome,
        }
    }
}

#[async_trait]
impl Provider for MisreadAdapter {
    fn id(&self) -> &ProviderId {
        self.inside.id()
    }

    fn absence_policy(&self, service: Service) -> AbsencePolicy {
        self.inside.absence_policy(service)
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let granted = FixedPermit::granted();
        let permit: &dyn SendPermit = if self.wrong == SmppMisreading::PermitIgnored {
            drop(permit.ask().await);
            &granted
        } else {
            permit
        };
        let mut answer = self.inside.submit(submission, permit).await;
        let is_unknown = matches!(answer.outcome, SubmitOutcome::Unknown(_));
        if self.wrong == SmppMisreading::WritesAgain && is_unknown {
            answer = self.inside.submit(submission, permit).await;
        }
        answer.outcome = self.misread(answer.outcome);
        answer
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let mut answer = self.inside.query(attempt).await;
        let is_unknown = answer.outcome == QueryOutcome::Unknown;
        if self.wrong == SmppMisreading::NotFoundIsAbsent && is_unknown {
            answer.outcome = QueryOutcome::NotFound;
        }
        answer
    }
}

/// The bench of an adapter that is wrong.
struct MisreadBench {
    inside: SmppBench,
    wrong: SmppMisreading,
}

impl MisreadBench {
    async fn started(wrong: SmppMisreading) -> Self {
        Self {
            inside: started().await,
            wrong,
        }
    }

    fn misread(&self, inside: Arc<dyn Provider>) -> Arc<dyn Provider> {
        let wrong = self.wrong;
        Arc::new(MisreadAdapter { inside, wrong })
    }
}

#[async_trait]
impl ProviderUnderTest for MisreadBench {
    fn provider(&self) -> Arc<dyn Provider> {
        self.misread(self.inside.provider())
    }

    fn services(&self) -> Vec<Service> {
        self.inside.services()
    }

    async fn order(&self, service: Service, behaviour: ProviderBehaviour) -> Order {
        ProviderUnderTest::order(&self.inside, service, behaviour).await
    }

    async fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.inside.deliveries(reference).await
    }

    async fn let_time_pass(&self) {}
}

#[async_trait]
impl StreamProviderUnderTest for MisreadBench {
    fn pdu_server(&self) -> PduServer {
        self.inside.pdu_server()
    }

    async fn at_stream_port(&self, port: u16) -> Arc<dyn Provider> {
        self.misread(self.inside.at_stream_port(port).await)
    }

    async fn long_order(&self, service: Service) -> (Order, usize) {
        self.inside.long_order(service).await
    }

    fn refusals(&self) -> Vec<u32> {
        self.inside.refusals()
    }
}

#[tokio::test]
#[should_panic(expected = "Sms Cut: NotSent")]
async fn an_adapter_that_takes_a_cut_for_not_sent_is_found() {
    let bench = MisreadBench::started(SmppMisreading::LostIsNotSent).await;
    an_answer_that_is_lost_is_unknown_and_written_once(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms Cut BeforeProvider: NotSent")]
async fn an_adapter_that_takes_a_cut_between_two_parts_for_not_sent_is_found() {
    let bench = MisreadBench::started(SmppMisreading::LostIsNotSent).await;
    laws::a_fault_after_a_part_was_taken_is_unknown(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms Silence: NotSent")]
async fn an_adapter_that_takes_silence_for_not_sent_is_found() {
    let bench = MisreadBench::started(SmppMisreading::SilenceIsNotSent).await;
    laws::a_request_that_is_lost_is_unknown_and_written_once(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms Nack: Declined")]
async fn an_adapter_that_takes_a_nack_for_a_refusal_is_found() {
    let bench = MisreadBench::started(SmppMisreading::UnreadableIsDeclined).await;
    an_answer_that_is_lost_is_unknown_and_written_once(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms status 0x9: Declined")]
async fn an_adapter_that_takes_any_status_for_a_refusal_is_found() {
    let bench = MisreadBench::started(SmppMisreading::UnlistedIsDeclined).await;
    laws::only_a_listed_status_refuses(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms Cut: it is written once")]
async fn an_adapter_that_writes_again_is_found() {
    let bench = MisreadBench::started(SmppMisreading::WritesAgain).await;
    laws::a_request_that_is_lost_is_unknown_and_written_once(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms: without a permit")]
async fn an_adapter_that_ignores_its_permit_is_found() {
    let bench = MisreadBench::started(SmppMisreading::PermitIgnored).await;
    laws::without_a_permit_no_pdu_arrives(&bench).await;
}

#[tokio::test]
#[should_panic(expected = "Sms Cut: NotFound")]
async fn an_adapter_that_answers_that_a_lost_message_is_absent_is_found() {
    let bench = MisreadBench::started(SmppMisreading::NotFoundIsAbsent).await;
    an_answer_that_is_lost_is_unknown_and_written_once(&bench).await;
}

/// Keeps the book of numbers in one place for all adapters of the bench.
impl SmppBench {
    fn noting(&self, inside: Arc<SmppProvider>) -> Noting {
        Noting {
            inside,
            numbers: Arc::clone(&self.noting.numbers),
        }
    }
}
