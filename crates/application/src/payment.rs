//! The one payment flow, top to bottom: plan and commit the opening, dispatch, plan and commit the
//! settlement, answer. Nothing may be sent before its attempt is committed, and no answer may claim
//! more than was committed.

pub(crate) mod batch;
mod claimed_places;
pub(crate) mod entry;
mod lately;
mod next_attempt;
mod opening;
mod permit;
mod purchase;
pub(crate) mod queue;
mod routing;
pub(crate) mod window;

pub use purchase::{PaymentResult, Purchase, ReplayMark};

use crate::fingerprint::{Fingerprinted, fingerprint};
use crate::gateway::{Gateway, Merchant};
use crate::opening_references::OpeningReference;
use crate::record::{Driver, TimedObservation};
use crate::request_error::RequestError;
use crate::spending::SpendingCheck;
use crate::stages;
use crate::submission_guard::SubmissionPlace;
use crate::under_way::UnfinishedTransaction;
use domain::account::AccountId;
use domain::idempotency::Idempotency;
use domain::opening::Draft;
use domain::order::Order;
use domain::pricing::Quote;
use domain::provider::{ProviderId, Submission, SubmitOutcome, UnknownCause};
use domain::reference::MerchantReference;
use domain::transaction::{AttemptNumber, PreparedAttempt, Sending, State, Transaction};
use entry::Confirmed;
use opening::OpenResult;
use permit::AttemptPermit;
use ports::PortError;
use ports::fault_point::FaultStep;
use ports::measurements::ProviderCallKind;
use ports::provider::{Provider, ProviderAnswer};
use ports::transactions::AttemptKey;
use routing::ChosenRoute;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tracing::Instrument;
use window::{Window, is_answer};

/// An order that was looked up and priced.
#[derive(Debug)]
pub(crate) struct PricedOrder {
    pub(crate) order: Order,
    pub(crate) quote: Quote,
}

/// Progress of the payment flow, for the request that waits.
enum FlowUpdate {
    /// What is committed now.
    Committed(Transaction),
    /// The transaction that already had the reference or key; nothing was opened.
    Duplicate(Transaction),
    /// Why nothing was opened.
    Rejected(RequestError),
}

/// Most committed states between two looks of the waiting request; the flow never waits for it.
const PROGRESS_MAX: usize = 64;

impl Gateway {
    /// Pays: opens the transaction, has it delivered and settles it, in a task of its own; answers
    /// with what is committed once that is final, needs a person, or the answer window ends.
    ///
    /// Where preparation was refused, the refusal is answered only if the reference is unused: a
    /// repeated request is answered with its transaction, whatever has changed since.
    pub(crate) async fn pay<C: Fingerprinted>(
        &self,
        merchant: &Merchant,
        purchase: &Purchase<C>,
        prepared: Result<PricedOrder, RequestError>,
    ) -> Result<PaymentResult, RequestError> {
        let account = &merchant.account.id;
        let reference = purchase.command.reference();
        let listed = self.opening().list(account, reference);
        let idempotency = self.idempotency(purchase);
        let routed = prepared.and_then(|priced| {
            let priced = self.at_quoted_price(account, purchase.quote.as_ref(), priced)?;
            self.for_sale(&priced)?;
            let checked = Self::within_limits(merchant, &priced)?;
            let chosen = self.route_of(&priced.order, (&merchant.account, reference))?;
            Ok((priced, chosen, checked))
        });
        let (PricedOrder { order, quote }, chosen, checked) = match routed {
            Ok(routed) => routed,
            Err(refused) => {
                let Some(earlier) = self.earlier(account, reference).await? else {
                    return Err(refused);
                };
                return self.resolve_duplicate(earlier, idempotency.as_ref()).await;
            }
        };
        let (provider, route) = chosen.map(ChosenRoute::into_parts).unzip();
        let by = provider
            .as_ref()
            .map_or_else(ProviderId::gateway, |it| it.id().clone());
        let draft = Draft {
            number: self.parts().ids.transaction_number(),
            account: account.clone(),
            reference: reference.clone(),
            idempotency: idempotency.clone(),
            order,
            quote,
            prepared: PreparedAttempt::derived(by, (account, reference), AttemptNumber::FIRST),
            route,
        };
        let (progress, updates) = mpsc::channel(PROGRESS_MAX);
        let flow = Flow {
            gateway: self.clone(),
            provider,
            progress,
        };
        let span = tracing::Span::current();
        self.tasks()
            .start_payment(flow.run((draft, checked), listed).instrument(span))?;
        self.answer(updates, idempotency.as_ref()).await
    }

    /// Pays where preparing asks others, such as a biller whose meter it is: a repeated request is
    /// answered with its transaction before anything is asked, and whatever the others would say.
    pub(crate) async fn pay_once<C: Fingerprinted>(
        &self,
        merchant: &Merchant,
        purchase: &Purchase<C>,
        asked: impl Future<Output = Result<PricedOrder, RequestError>>,
    ) -> Result<PaymentResult, RequestError> {
        let reference = purchase.command.reference();
        let _listed = self.opening().list(&merchant.account.id, reference);
        if let Some(earlier) = self.earlier(&merchant.account.id, reference).await? {
            let idempotency = self.idempotency(purchase);
            return self.resolve_duplicate(earlier, idempotency.as_ref()).await;
        }
        self.pay(merchant, purchase, asked.await).await
    }

    /// The transaction that has a reference.
    async fn earlier(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        let earlier = self.parts().transactions.by_reference(account, reference);
        earlier.await.map_err(PortError::with_nothing_done)
    }

    fn idempotency<C: Fingerprinted>(&self, purchase: &Purchase<C>) -> Option<Idempotency> {
        let key = purchase.retry_key.clone()?;
        let asked = (&purchase.command, purchase.quote.as_ref());
        let meaning = fingerprint(&self.parts().pepper, asked);
        Some(Idempotency {
            key,
            fingerprint: meaning,
        })
    }

    /// Waits for a final state until the window ends; then for whatever is committed.
    async fn answer(
        &self,
        mut updates: mpsc::Receiver<FlowUpdate>,
        idempotency: Option<&Idempotency>,
    ) -> Result<PaymentResult, RequestError> {
        let window = self
            .parts()
            .clock
            .sleep(self.parts().settings.answer_window);
        tokio::pin!(window);
        // The window runs while the opening is being stored, too. Only until then there is nothing
        // true to answer, so the opening is waited for however long it takes.
        let (first, mut over) = tokio::select! {
            biased;
            first = updates.recv() => (first, false),
            () = &mut window => (updates.recv().await, true),
        };
        let mut last = match first {
            Some(FlowUpdate::Committed(opened)) => opened,
            Some(FlowUpdate::Duplicate(earlier)) => {
                return self.resolve_duplicate(earlier, idempotency).await;
            }
            Some(FlowUpdate::Rejected(refused)) => return Err(refused),
            None => {
                return Err(PortError::new("payment", "the flow ended without a result").into());
            }
        };
        while !over && !is_answer(&last) {
            tokio::select! {
                biased;
                next = updates.recv() => match next {
                    Some(FlowUpdate::Committed(transaction)) => last = transaction,
                    Some(FlowUpdate::Duplicate(_) | FlowUpdate::Rejected(_)) | None => break,
                },
                () = &mut window => over = true,
            }
        }
        Ok(PaymentResult {
            transaction: last,
            replay: ReplayMark::New,
        })
    }
}

/// One payment under way.
struct Flow {
    gateway: Gateway,
    /// Who delivers the first attempt; `None` where the gateway books it alone.
    provider: Option<Arc<dyn Provider>>,
    progress: mpsc::Sender<FlowUpdate>,
}

impl Flow {
    /// Runs a payment to its end or to the end of the answer window. Its reference leaves the list
    /// of those that may be opened before anything is published, so that the request that is
    /// refused does not find itself there.
    async fn run(self, (draft, checked): (Draft, SpendingCheck), opening: OpeningReference) {
        self.gateway
            .parts()
            .probe
            .reached(FaultStep::BeforeOpen)
            .await;
        let listed = self
            .gateway
            .under_way()
            .list(&draft.account, &draft.reference);
        let begun = listed.begin();
        let opened = self.open(draft, checked).await;
        drop(opening);
        let (transaction, first) = match opened {
            Ok(OpenResult::New(transaction, entry)) => (*transaction, entry),
            Ok(OpenResult::Duplicate(earlier)) => {
                return self.publish_update(FlowUpdate::Duplicate(*earlier));
            }
            Err(refused) => return self.publish_update(FlowUpdate::Rejected(refused)),
        };
        self.gateway
            .parts()
            .probe
            .reached(FaultStep::AfterOpen)
            .await;
        self.publish_update(FlowUpdate::Committed(transaction.clone()));
        let sent = self.send(transaction, (first, None), (&listed, begun));
        if let Some(transaction) = sent.await {
            drop(listed);
            self.follow(transaction).await;
        }
    }

    /// Sends the attempt that was recorded after the uptime `begun`, in a place that was reserved
    /// for it or is free, and one that may follow it. `None` where a result could not be stored.
    async fn send(
        &self,
        mut transaction: Transaction,
        (first, place): (Confirmed, Option<SubmissionPlace>),
        (listed, mut begun): (&UnfinishedTransaction, Duration),
    ) -> Option<Transaction> {
        let (mut sent, mut first) = (None, Some((first, place)));
        while let State::Sending(sending) = transaction.state {
            // An attempt leaves once, whatever a store may answer.
            if sent >= Some(sending.attempt) {
                return None;
            }
            sent = Some(sending.attempt);
            let answer = self.submit(&transaction, (sending, first.take()), begun);
            let answer = answer.await;
            // The next attempt, where there is one, is recorded together with this outcome.
            begun = listed.begin();
            transaction = self.settle(transaction, sending, answer).await?;
            self.publish_update(FlowUpdate::Committed(transaction.clone()));
        }
        Some(transaction)
    }

    /// Plan 2 and COMMIT 2 of one attempt. `None` where the result could not be stored: recovery
    /// will ask the provider again.
    async fn settle(
        &self,
        transaction: Transaction,
        sending: Sending,
        answer: ProviderAnswer<SubmitOutcome>,
    ) -> Option<Transaction> {
        let parts = self.gateway.parts();
        parts.probe.reached(FaultStep::AfterSubmit).await;
        let (number, attempt) = (transaction.number, sending.attempt);
        tracing::debug!(txnReference = %number, %attempt, outcome = ?answer.outcome, "answered");
        let observed = TimedObservation::answered(sending.attempt, answer);
        let after = self
            .gateway
            .settle_attempt(transaction, &observed, Driver::Flow)
            .await
            .ok()?;
        parts.probe.reached(FaultStep::AfterSettle).await;
        Some(after)
    }

    /// Dispatch of one attempt, recorded after the uptime `begun`. The provider's adapter asks for
    /// the permit once it is connected; nothing is sent without.
    async fn submit(
        &self,
        transaction: &Transaction,
        (sending, first): (Sending, Option<(Confirmed, Option<SubmissionPlace>)>),
        started: Duration,
    ) -> ProviderAnswer<SubmitOutcome> {
        let (entry, place) = first.map_or((None, None), |(entry, place)| (Some(entry), place));
        if !Confirmed::or_retried(entry, &self.gateway, transaction).await {
            return SubmitOutcome::NotSent.into();
        }
        let Some(provider) = self.gateway.provider(transaction.provider()) else {
            return SubmitOutcome::NotSent.into();
        };
        let parts = self.gateway.parts();
        let Some(guard) = self.gateway.providers().guard(provider.id()) else {
            return SubmitOutcome::NotSent.into();
        };
        let own = guard.deadline(&provider, transaction.order.service());
        let longest = parts.settings.call_deadline;
        let deadline = own.map_or(longest, |own| own.min(longest));
        let prepared = transaction.prepared.of(sending.attempt);
        let submission = Submission {
            reference: transaction.provider_reference(sending.attempt),
            adapter_state: prepared.and_then(|prepared| prepared.adapter_state.clone()),
            order: transaction.order.clone(),
            started_at: sending.started_at,
            deadline,
            not_after: sending.started_at.plus(deadline),
        };
        let permit = AttemptPermit {
            gateway: self.gateway.clone(),
            attempt: AttemptKey {
                account: transaction.account.clone(),
                number: transaction.number,
                attempt: sending.attempt,
                version: transaction.version,
            },
            started,
        };
        let begun = self.gateway.uptime();
        let answer = guard.submit((&provider, &submission), &permit, (place, &parts.clock));
        let span = stages::provider_call(provider.id(), ProviderCallKind::Submit, transaction);
        let answer = self.gateway.within(deadline, answer);
        let answer = answer.instrument(span.clone()).await;
        let answer = answer.unwrap_or_else(|| SubmitOutcome::Unknown(UnknownCause::Timeout).into());
        let outcome = self
            .gateway
            .measure_submission(provider.id(), &answer.outcome, begun);
        stages::ended(&span, outcome);
        answer
    }

    /// Asks the provider again while the merchant waits, with growing pauses, until the window
    /// ends; recovery goes on from there.
    async fn follow(&self, mut transaction: Transaction) {
        let settings = &self.gateway.parts().settings;
        let mut window = Window::of(&self.gateway, &transaction);
        let mut checks = 0;
        while let State::InDoubt(in_doubt) = transaction.state {
            let pause = settings.recheck_after(checks, settings.recheck_waiting_max);
            if window.is_over_before(pause).await {
                return;
            }
            checks += 1;
            let Some(provider) = self.gateway.provider(transaction.provider()) else {
                return;
            };
            let asked = self.gateway.ask(&provider, &transaction, in_doubt.attempt);
            let observation = asked.await;
            match self
                .gateway
                .settle_attempt(transaction, &observation, Driver::Flow)
                .await
            {
                Ok(after) => transaction = after,
                Err(_) => return,
            }
            self.publish_update(FlowUpdate::Committed(transaction.clone()));
        }
    }

    /// Publishes progress to the waiting request. Where none waits, or it reads too slowly, the
    /// flow goes on all the same: the store has every state.
    fn publish_update(&self, news: FlowUpdate) {
        let _ = self.progress.try_send(news);
    }
}
