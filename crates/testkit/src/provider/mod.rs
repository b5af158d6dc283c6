//! A scripted provider with its own journal of what it delivered. It must never deliver twice under
//! one reference, whatever its scripted answers say.

mod balance;
mod journal;
mod lookups;
mod reply;

pub use balance::ScriptedBalance;
pub use journal::{BookLine, JournalledState};
pub use reply::{QueryReply, ScriptedReply};

use crate::builders::provider_id;
use async_trait::async_trait;
use domain::float::ProviderBalance;
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::provider::{
    AbsencePolicy, AttemptDetails, Fulfilment, ProviderId, ProviderTransactionId, QueryOutcome,
    Submission, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::sms::{DeliveryStatus, Dispatch};
use journal::ProviderBook;
use lookups::ScriptedLookups;
use ports::PortError;
use ports::callbacks::{
    CallbackContent, CallbackHint, CallbackRefused, Callbacks, MessageReport, ProviderCallback,
};
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit};
use ports::provider::{AttemptQuery, Changes, Provider, ProviderAnswer};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A provider under a test's control. Without instructions it delivers what it is sent, answers
/// queries from its book and knows every meter, smartcard and bank account.
#[derive(Debug)]
pub struct ScriptedProvider {
    id: ProviderId,
    profile: AbsencePolicy,
    clock: Arc<dyn Clock>,
    script: Mutex<ProviderScript>,
}

#[derive(Debug, Default)]
struct ProviderScript {
    replies: VecDeque<ScriptedReply>,
    query_replies: VecDeque<QueryReply>,
    lookups: ScriptedLookups,
    submissions: Vec<Submission>,
    queries: Vec<(ProviderReference, Option<ProviderTransactionId>)>,
    cursors: Vec<u64>,
    book: ProviderBook,
    details: AttemptDetails,
    balance: ScriptedBalance,
    balances_asked: usize,
    reports: Vec<MessageReport>,
    /// Families of which every incoming message is said to be reported.
    reporting: Vec<Service>,
}

impl ScriptedProvider {
    /// The provider `sandbox` with the cautious profile.
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self::named("sandbox", AbsencePolicy::CAUTIOUS, clock))
    }

    /// A provider with a name and a profile.
    pub fn named(id: &str, profile: AbsencePolicy, clock: Arc<dyn Clock>) -> Self {
        Self {
            id: provider_id(id),
            profile,
            clock,
            script: Mutex::default(),
        }
    }

    /// What it does with the next new submission that has no instruction yet.
    pub fn on_submit(&self, reply: ScriptedReply) -> &Self {
        self.script().replies.push_back(reply);
        self
    }

    /// What it does with the next query that has no instruction yet.
    pub fn on_query(&self, reply: QueryReply) -> &Self {
        self.script().query_replies.push_back(reply);
        self
    }

    /// What it reports beside every outcome from now on.
    pub fn reports_details(&self, details: AttemptDetails) -> &Self {
        self.script().details = details;
        self
    }

    /// What it says is left of our money from now on.
    pub fn says_left(&self, balance: ScriptedBalance) -> &Self {
        self.script().balance = balance;
        self
    }

    /// Gives the place of a message that a callback may bring.
    pub fn received(&self, report: MessageReport) -> usize {
        let reports = &mut self.script().reports;
        reports.push(report);
        reports.len() - 1
    }

    /// Reports every message that people send of a family, from now on.
    pub fn reports_messages(&self, service: Service) -> &Self {
        self.script().reporting.push(service);
        self
    }

    /// How often it was asked what is left.
    pub fn balances_asked(&self) -> usize {
        self.script().balances_asked
    }

    /// The cursors it was asked for changes from since the last time this was called.
    pub fn asked_from(&self) -> Vec<u64> {
        std::mem::take(&mut self.script().cursors)
    }

    /// Delivers, now and in full, what it accepted before.
    pub fn finish(&self, reference: &ProviderReference) {
        self.script().book.finish(reference);
    }

    /// Refuses, for good, what it accepted before.
    pub fn refuse(&self, reference: &ProviderReference) {
        self.script().book.refuse(reference);
    }

    /// Reverses what it delivered, and reports that among its changes.
    pub fn take_back(&self, reference: &ProviderReference) {
        self.script().book.take_back(reference);
    }

    /// Sets the status of each part of a message it delivered, and reports that among its
    /// changes.
    pub fn observe(&self, reference: &ProviderReference, parts: &[DeliveryStatus]) {
        let dispatch = Dispatch::try_from_parts(parts.to_vec()).expect("one part at least");
        self.observe_delivery(reference, Fulfilment::Sms(dispatch));
    }

    /// Sets what became of a message it delivered, and reports that among its changes.
    pub fn observe_delivery(&self, reference: &ProviderReference, received: Fulfilment) {
        self.script().book.observe(reference, received);
    }

    /// Reports a finding unasked, whatever its journal says.
    pub fn report(&self, reference: &ProviderReference, finding: QueryOutcome) {
        self.script().book.report(reference, finding);
    }

    /// Everything it was sent, in order.
    pub fn submissions(&self) -> Vec<Submission> {
        self.script().submissions.clone()
    }

    /// Every reference it was asked about, in order.
    pub fn queries(&self) -> Vec<ProviderReference> {
        let queries = &self.script().queries;
        queries.iter().map(|(asked, _)| asked.clone()).collect()
    }

    /// Its own identity of each attempt, as the queries named it, in order.
    pub fn queried_ids(&self) -> Vec<Option<ProviderTransactionId>> {
        let queries = &self.script().queries;
        queries.iter().map(|(_, id)| id.clone()).collect()
    }

    /// Its book, in the order things arrived.
    pub fn journal(&self) -> Vec<BookLine> {
        self.script().book.lines().to_vec()
    }

    /// How many deliveries of an attempt reached a customer, those taken back since included.
    pub fn deliveries(&self, reference: &ProviderReference) -> u32 {
        self.script().book.deliveries(reference)
    }

    fn answer<T>(&self, outcome: T) -> ProviderAnswer<T> {
        let details = self.script().details.clone();
        ProviderAnswer { outcome, details }
    }

    fn script(&self) -> MutexGuard<'_, ProviderScript> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Books a submission and decides the answer, all at once: a caller that stops waiting changes
    /// nothing of what happened.
    fn take(&self, submission: &Submission) -> (ScriptedReply, SubmitOutcome) {
        let mut script = self.script();
        script.submissions.push(submission.clone());
        if script.book.knows(&submission.reference) {
            let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
            return (ScriptedReply::deliver(), duplicate);
        }
        let reply = script
            .replies
            .pop_front()
            .unwrap_or_else(ScriptedReply::deliver);
        let outcome = reply.happens(submission, &mut script.book);
        (reply, outcome)
    }
}

#[async_trait]
impl Provider for ScriptedProvider {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        self.profile
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
        let (reply, outcome) = self.take(submission);
        if reply.is_silent() {
            pending::<()>().await;
        }
        self.clock.sleep(reply.delay()).await;
        self.answer(outcome)
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let reference = attempt.reference;
        let reply = {
            let mut script = self.script();
            script
                .queries
                .push((reference.clone(), attempt.id.cloned()));
            script.query_replies.pop_front().unwrap_or_default()
        };
        if reply.is_silent() {
            pending::<()>().await;
        }
        self.clock.sleep(reply.delay()).await;
        // What is found is what is true when the answer leaves, not when the question arrived.
        let said = reply.said();
        let outcome = said.unwrap_or_else(|| self.script().book.finding(reference));
        self.answer(outcome)
    }

    fn callbacks(&self) -> Option<&dyn Callbacks> {
        Some(self)
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        let said = {
            let mut script = self.script();
            script.balances_asked += 1;
            script.balance
        };
        said.answered(self.clock.now()).await
    }

    fn reports_messages_of(&self, service: Service, _: &PhoneNumber) -> bool {
        self.script().reporting.contains(&service)
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        let mut script = self.script();
        script.cursors.push(cursor);
        Ok(script.book.changes_since(cursor))
    }
}

/// Callbacks of the scripted provider: one reference a line, or `message` and the place of one of
/// its reports; signed with `x-signature: right`.
impl Callbacks for ScriptedProvider {
    fn read(&self, callback: &ProviderCallback<'_>) -> Result<CallbackContent, CallbackRefused> {
        if callback.header("x-signature") != Some(b"right") {
            return Err(CallbackRefused::NotAuthentic);
        }
        let text = std::str::from_utf8(callback.body).map_err(|_| CallbackRefused::Unreadable)?;
        let hint = |line: &str| CallbackHint {
            reference: ProviderReference::from_echo(line),
        };
        let received = text.strip_prefix("message ");
        let received = received.and_then(|n| n.parse::<usize>().ok());
        if let Some(n) = received {
            let reports = &self.script().reports;
            let report = reports.get(n).ok_or(CallbackRefused::Unreadable)?;
            return Ok(CallbackContent::Messages(vec![report.clone()]));
        }
        Ok(CallbackContent::about(text.lines().map(hint)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::{airtime, receipt_of, submission};
    use crate::clock::{ManualClock, START, settle};
    use crate::permit::FixedPermit;
    use std::time::Duration;
    use tokio::task::JoinSet;

    #[tokio::test]
    async fn a_late_answer_takes_the_clocks_time_and_is_delivered_at_once() {
        let clock = ManualClock::start();
        let provider = ScriptedProvider::new(clock.clone());
        let late = Duration::from_secs(25);
        provider.on_submit(ScriptedReply::deliver().after(late));
        let sent = submission("shop.order-1.1", airtime().order());
        let mut tasks = JoinSet::new();
        let (asked, sending) = (provider.clone(), sent.clone());
        tasks.spawn(async move {
            asked
                .submit(&sending, &FixedPermit::granted())
                .await
                .outcome
        });
        clock.until_sleepers(1).await;
        assert_eq!(provider.deliveries(&sent.reference), 1);
        clock.advance(late).await;
        let expected = SubmitOutcome::Delivered(receipt_of(&sent.reference, &sent.order));
        assert_eq!(tasks.join_all().await, [expected]);
        assert_eq!(clock.now(), START.plus(late));
        assert_eq!(provider.submissions(), [sent]);
    }

    #[tokio::test]
    async fn a_silent_provider_has_delivered_all_the_same() {
        let clock = ManualClock::start();
        let provider = ScriptedProvider::new(clock.clone());
        provider.on_submit(ScriptedReply::deliver().silently());
        let sent = submission("shop.order-1.1", airtime().order());
        let mut tasks = JoinSet::new();
        let (asked, sending) = (provider.clone(), sent.clone());
        tasks.spawn(async move {
            asked
                .submit(&sending, &FixedPermit::granted())
                .await
                .outcome
        });
        settle().await;
        assert!(tasks.try_join_next().is_none());
        tasks.shutdown().await;
        assert_eq!(provider.deliveries(&sent.reference), 1);
        let again = provider
            .submit(&sent, &FixedPermit::granted())
            .await
            .outcome;
        let duplicate = SubmitOutcome::Unknown(UnknownCause::DuplicateReference);
        assert_eq!(again, duplicate);
    }

    #[tokio::test]
    async fn queries_answer_as_scripted_and_then_the_truth() {
        let provider = ScriptedProvider::new(ManualClock::start());
        provider.on_query(QueryReply::say(QueryOutcome::Pending));
        let reference = ProviderReference::from_echo("shop.order-1.1");
        assert_eq!(
            provider.query(&AttemptQuery::by(&reference)).await.outcome,
            QueryOutcome::Pending
        );
        assert_eq!(
            provider.query(&AttemptQuery::by(&reference)).await.outcome,
            QueryOutcome::NotFound
        );
        assert_eq!(provider.queries(), [reference.clone(), reference]);
    }
}
