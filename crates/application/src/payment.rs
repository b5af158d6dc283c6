//! The one payment flow, top to bottom: plan and commit the opening, dispatch, plan and commit the
//! settlement, answer. Nothing may be sent before its attempt is committed, and no answer may claim
//! more than was committed.

mod entry;
mod opening;
mod permit;
pub(crate) mod window;

use crate::gateway::{Gateway, Merchant};
use crate::meaning::{Meaningful, meaning};
use crate::record::Follower;
use crate::refused::Refused;
use domain::account::AccountId;
use domain::idempotency::{Idempotency, IdempotencyKey};
use domain::order::Order;
use domain::pricing::Quote;
use domain::provider::{Outcome, Submission, UnknownCause};
use domain::reference::MerchantReference;
use domain::transaction::{Draft, News, Sending, State, Status, Transaction};
use entry::Confirmed;
use opening::Opened;
use permit::AttemptPermit;
use ports::PortError;
use ports::probe::Moment;
use ports::provider::Provider;
use ports::transactions::AttemptKey;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tracing::Instrument;
use window::Window;

/// A command and how the client makes retries recognisable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purchase<C> {
    /// What is asked for.
    pub command: C,
    /// The client's `Idempotency-Key`.
    pub retry_key: Option<IdempotencyKey>,
}

/// What a payment came to, so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// The transaction as committed.
    pub transaction: Transaction,
    /// Whether this request opened it.
    pub freshness: Freshness,
}

/// Whether a request opened the transaction it is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It did.
    New,
    /// An earlier request under the same idempotency key did.
    Replayed,
}

/// An order that was looked up and priced, and who delivers it.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) order: Order,
    pub(crate) quote: Quote,
    pub(crate) provider: Arc<dyn Provider>,
}

/// What the flow tells whoever waits.
enum Told {
    /// What is committed now.
    Stored(Transaction),
    /// The transaction that already had the reference or key; nothing was opened.
    MetBefore(Transaction),
    /// Why nothing was opened.
    Refused(Refused),
}

/// Most committed states between two looks of the waiting request; the flow never waits for it.
const PROGRESS_MAX: usize = 64;

impl Gateway {
    /// Pays: opens the transaction, has it delivered and settles it, in a task of its own; answers
    /// with what is committed once that is final, needs a person, or the answer window ends.
    ///
    /// What `prepared` was refused for is answered only where the reference is unused: a repeated
    /// request hears of its transaction, whatever has changed since.
    pub(crate) async fn pay<C: Meaningful>(
        &self,
        merchant: &Merchant,
        purchase: &Purchase<C>,
        prepared: Result<Prepared, Refused>,
    ) -> Result<Paid, Refused> {
        let account = &merchant.account.id;
        let reference = purchase.command.reference();
        let idempotency = self.idempotency(purchase);
        let Prepared {
            order,
            quote,
            provider,
        } = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => {
                let Some(earlier) = self.earlier(account, reference).await? else {
                    return Err(refused);
                };
                return self.met_before(earlier, idempotency.as_ref()).await;
            }
        };
        let draft = Draft {
            number: self.parts().ids.transaction_number(),
            account: account.clone(),
            reference: reference.clone(),
            idempotency: idempotency.clone(),
            order,
            quote,
            provider: provider.id().clone(),
        };
        let (progress, heard) = mpsc::channel(PROGRESS_MAX);
        let flow = Flow {
            gateway: self.clone(),
            provider,
            progress,
        };
        let span = tracing::Span::current();
        self.tasks()
            .start_payment(flow.run(draft).instrument(span))?;
        self.answer(heard, idempotency.as_ref()).await
    }

    /// Pays where preparing asks others, such as a biller whose meter it is: a repeated request is
    /// answered with its transaction before anything is asked, and whatever the others would say.
    pub(crate) async fn pay_once_asked<C: Meaningful>(
        &self,
        merchant: &Merchant,
        purchase: &Purchase<C>,
        asked: impl Future<Output = Result<Prepared, Refused>>,
    ) -> Result<Paid, Refused> {
        let reference = purchase.command.reference();
        if let Some(earlier) = self.earlier(&merchant.account.id, reference).await? {
            let idempotency = self.idempotency(purchase);
            return self.met_before(earlier, idempotency.as_ref()).await;
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

    fn idempotency<C: Meaningful>(&self, purchase: &Purchase<C>) -> Option<Idempotency> {
        let key = purchase.retry_key.clone()?;
        let meaning = meaning(&self.parts().pepper, &purchase.command);
        Some(Idempotency { key, meaning })
    }

    /// Waits for a final state until the window ends; then for whatever is committed.
    async fn answer(
        &self,
        mut heard: mpsc::Receiver<Told>,
        idempotency: Option<&Idempotency>,
    ) -> Result<Paid, Refused> {
        let window = self
            .parts()
            .clock
            .sleep(self.parts().settings.answer_window);
        tokio::pin!(window);
        // The window runs while the opening is being stored, too. Only until then there is nothing
        // true to answer, so the opening is waited for however long it takes.
        let (first, mut over) = tokio::select! {
            biased;
            first = heard.recv() => (first, false),
            () = &mut window => (heard.recv().await, true),
        };
        let mut last = match first {
            Some(Told::Stored(opened)) => opened,
            Some(Told::MetBefore(earlier)) => return self.met_before(earlier, idempotency).await,
            Some(Told::Refused(refused)) => return Err(refused),
            None => {
                return Err(PortError::new("payment", "the flow ended without a result").into());
            }
        };
        while !over && !is_answer(&last) {
            tokio::select! {
                biased;
                next = heard.recv() => match next {
                    Some(Told::Stored(transaction)) => last = transaction,
                    Some(Told::MetBefore(_) | Told::Refused(_)) | None => break,
                },
                () = &mut window => over = true,
            }
        }
        Ok(Paid {
            transaction: last,
            freshness: Freshness::New,
        })
    }
}

/// Whether waiting longer cannot help: the state is final, or only a person can go on.
pub(crate) fn is_answer(transaction: &Transaction) -> bool {
    match transaction.status() {
        Status::Successful | Status::Failed | Status::Reversed => true,
        Status::Pending => matches!(transaction.state, State::Review(_)),
    }
}

/// One payment under way.
struct Flow {
    gateway: Gateway,
    provider: Arc<dyn Provider>,
    progress: mpsc::Sender<Told>,
}

impl Flow {
    /// Runs a payment to its end or to the end of the answer window.
    async fn run(self, draft: Draft) {
        self.gateway.parts().probe.reached(Moment::BeforeOpen).await;
        let listed = self
            .gateway
            .under_way()
            .list(&draft.account, &draft.reference);
        let mut begun = listed.begin();
        let (mut transaction, first) = match self.open(draft).await {
            Ok(Opened::New(transaction, entry)) => (*transaction, entry),
            Ok(Opened::MetBefore(earlier)) => return self.tell(Told::MetBefore(*earlier)),
            Err(refused) => return self.tell(Told::Refused(refused)),
        };
        self.gateway.parts().probe.reached(Moment::AfterOpen).await;
        self.tell(Told::Stored(transaction.clone()));
        let (mut sent, mut entry) = (None, Some(first));
        while let State::Sending(sending) = transaction.state {
            // An attempt leaves once, whatever a store may answer.
            if sent >= Some(sending.attempt) {
                return;
            }
            sent = Some(sending.attempt);
            let outcome = self
                .submit(&transaction, (sending, entry.take()), begun)
                .await;
            // The next attempt, where there is one, is recorded together with this outcome.
            begun = listed.begin();
            match self.settle(transaction, sending, outcome).await {
                Some(after) => transaction = after,
                None => return,
            }
            self.tell(Told::Stored(transaction.clone()));
        }
        drop(listed);
        self.follow(transaction).await;
    }

    /// Plan 2 and COMMIT 2 of one attempt. `None` where the result could not be stored: recovery
    /// will ask the provider again.
    async fn settle(
        &self,
        transaction: Transaction,
        sending: Sending,
        outcome: Outcome,
    ) -> Option<Transaction> {
        let parts = self.gateway.parts();
        parts.probe.reached(Moment::AfterSubmit).await;
        let (number, attempt) = (transaction.number, sending.attempt);
        tracing::debug!(%number, %attempt, ?outcome, "answered");
        let news = News::Answer {
            attempt: sending.attempt,
            outcome,
        };
        let after = self
            .gateway
            .record(transaction, &news.into(), Follower::Flow)
            .await
            .ok()?;
        parts.probe.reached(Moment::AfterSettle).await;
        Some(after)
    }

    /// Dispatch of one attempt, recorded after the uptime `begun`. The provider's adapter asks for
    /// the permit once it is connected; nothing is sent without.
    async fn submit(
        &self,
        transaction: &Transaction,
        (sending, entry): (Sending, Option<Confirmed>),
        begun: Duration,
    ) -> Outcome {
        if !Confirmed::or_retried(entry, &self.gateway, transaction).await {
            return Outcome::NotSent;
        }
        let deadline = self.gateway.parts().settings.call_deadline;
        let submission = Submission {
            reference: transaction.provider_reference(sending.attempt),
            order: transaction.order.clone(),
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
            begun,
        };
        let answer = self.provider.submit(&submission, &permit);
        let answer = self.gateway.within(deadline, answer).await;
        answer.unwrap_or(Outcome::Unknown(UnknownCause::Timeout))
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
            let heard = self
                .gateway
                .ask(&self.provider, &transaction, in_doubt.attempt)
                .await;
            match self
                .gateway
                .record(transaction, &heard, Follower::Flow)
                .await
            {
                Ok(after) => transaction = after,
                Err(_) => return,
            }
            self.tell(Told::Stored(transaction.clone()));
        }
    }

    /// Tells whoever waits. When nobody does, or more is told than is read, the flow goes on all
    /// the same: the store has every state.
    fn tell(&self, news: Told) {
        let _ = self.progress.try_send(news);
    }
}
