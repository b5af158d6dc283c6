//! The provider itself: it records what arrives, delivers it at most once, and answers as the
//! number forces. It must not keep anything that is not in its journal: a restart changes no
//! answer.

use crate::answer;
use crate::catalogue::SandboxCatalogue;
use crate::draw::Draw;
use crate::entry_values::{other, whole_millis};
use crate::journal::{JournalLine, SandboxEntry, SandboxJournal, SandboxJournalError};
use crate::monotonic_clock::MonotonicClock;
use crate::outcome::{EntryOutcome, SandboxRefusal};
use crate::product::SandboxProduct;
use crate::reports;
use crate::script::{Course, Script, ScriptedOutcome};
use crate::settings::{ForcedOutcomes, InvalidSettings, JournalSync, SimSettings};
use async_trait::async_trait;
use domain::bill::Biller;
use domain::float::{ProviderBalance, ProviderStatementPage, StatementCursor, StatementPeriod};
use domain::order::Service;
use domain::paid_lookup::LookupDefinition;
use domain::phone::PhoneNumber;
use domain::pricing::UnitTerms;
use domain::provider::{
    AbsencePolicy, ProviderId, QueryOutcome, Submission, SubmitOutcome, UnknownCause,
};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use ports::PortError;
use ports::clock::Clock;
use ports::permit::{Granted, SendPermit, Withheld};
use ports::provider::{AttemptQuery, Changes, Provider, ProviderAnswer};
use std::future::{Future, ready};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The identity of the sandbox as a provider.
pub const PROVIDER_ID: &str = "sandbox";

/// How long a query waits for the journal's lock before it fails.
const LOOK_PATIENCE: Duration = Duration::from_secs(5);

/// First and longest pause between two tries to take the journal's lock.
const TURN_PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(8));

/// The sandbox provider.
#[derive(Debug)]
pub struct Simulator {
    id: ProviderId,
    pub(crate) settings: SimSettings,
    pub(crate) catalogue: SandboxCatalogue,
    pub(crate) journal: SandboxJournal,
    pub(crate) clock: MonotonicClock,
}

/// Why the sandbox cannot start.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Settings(#[from] InvalidSettings),
    #[error("cannot use {} as the journal of the sandbox", path.display())]
    Journal {
        path: PathBuf,
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Simulator {
    /// Opens the sandbox over its journal, which is made where there is none. All processes of one
    /// machine that hold a journal are one provider; anyone may read it with
    /// [`crate::journal::read`].
    pub fn open(
        path: &Path,
        settings: SimSettings,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, OpenError> {
        settings.check()?;
        let clock = MonotonicClock::new(clock);
        let journal =
            SandboxJournal::open(path, clock.clone()).map_err(|source| OpenError::Journal {
                path: path.to_owned(),
                source: source.into(),
            })?;
        Ok(Self {
            id: identity(),
            settings,
            catalogue: SandboxCatalogue::new(),
            journal,
            clock,
        })
    }

    /// The same sandbox under an identity of its own: one of several, each with its own journal.
    #[must_use]
    pub fn with_id(self, id: ProviderId) -> Self {
        Self { id, ..self }
    }

    /// The same sandbox, which also delivers for further billers.
    #[must_use]
    pub fn with_billers(mut self, billers: impl IntoIterator<Item = Biller>) -> Self {
        self.catalogue = self.catalogue.with_billers(billers);
        self
    }

    /// The same sandbox, which also answers further lookups.
    #[must_use]
    pub fn with_lookups(
        mut self,
        lookups: impl IntoIterator<Item = (LookupDefinition, UnitTerms)>,
    ) -> Self {
        self.catalogue = self.catalogue.with_lookups(lookups);
        self
    }

    /// Records a request on its course and answers; `took` is how long both travel. Recording it is
    /// the first byte that is written, so the permit is asked for right before it, and anew for
    /// each turn at the journal.
    async fn take(
        &self,
        (submission, permit): (&Submission, &dyn SendPermit),
        (course, answer): (Course, ScriptedOutcome),
        took: Duration,
    ) -> SubmitOutcome {
        let Some(product) = SandboxProduct::of(&submission.order, &self.catalogue) else {
            return SubmitOutcome::Declined(answer::refusal(SandboxRefusal::UnknownBiller));
        };
        let reference = &submission.reference;
        let latest = self.clock.now().plus(submission.deadline);
        // Half of what the journey takes is the way there.
        let ordered = (submission, &product);
        let entry_at = |now: Timestamp| self.entry(ordered, course, now.plus(took / 2));
        let append = || async {
            let granted = permit.ask().await?;
            self.journal.append((reference, granted), latest, entry_at)
        };
        let recorded = self.in_turn(latest, append).await;
        if let Ok(Some(_)) = recorded
            && let Err(error) = self.sync()
        {
            tracing::error!(%error, %reference, "the journal of the sandbox could not be synced");
            return SubmitOutcome::Unknown(UnknownCause::ServerError);
        }
        let outcome = match (recorded, answer) {
            (Ok(Some(entry)), ScriptedOutcome::Truthful) => {
                answer::outcome(&entry, &self.catalogue)
            }
            (Ok(Some(_)), ScriptedOutcome::Unknown(cause)) => SubmitOutcome::Unknown(cause),
            (Ok(None), _) => self.already_taken(reference).await,
            // Nothing was recorded and nothing will be, but the deadline has passed.
            (
                Err(
                    SandboxJournalError::Busy
                    | SandboxJournalError::Behind
                    | SandboxJournalError::Late,
                ),
                _,
            ) => {
                return SubmitOutcome::Unknown(UnknownCause::Timeout);
            }
            (Err(SandboxJournalError::Withheld(_)), _) => return SubmitOutcome::NotSent,
            (Err(SandboxJournalError::Reference(_)), _) => {
                SubmitOutcome::Declined(answer::refusal_of_reference())
            }
            (Err(error), _) => {
                tracing::error!(%error, %reference,
                    "the sandbox could not record a request and did not deliver it");
                SubmitOutcome::Unknown(UnknownCause::ServerError)
            }
        };
        let delivered = matches!(outcome, SubmitOutcome::Delivered(_));
        let works = if delivered && course == Course::DeliverSlowly {
            self.settings.slow
        } else {
            Duration::ZERO
        };
        self.answer(outcome, took.saturating_add(works), submission.deadline)
            .await
    }

    /// Runs an operation on the journal once its lock is free, retrying until a moment. While
    /// another process holds the lock, the task waits; a cancelled wait leaves nothing behind that
    /// would be recorded later.
    async fn in_turn<T, F>(
        &self,
        until: Timestamp,
        attempt: impl Fn() -> F,
    ) -> Result<T, SandboxJournalError>
    where
        F: Future<Output = Result<T, SandboxJournalError>>,
    {
        let (first, longest) = TURN_PAUSES;
        let mut pause = first;
        loop {
            let left = until.since(self.clock.now());
            match attempt().await {
                Err(SandboxJournalError::Busy) if !left.is_zero() => {}
                // The others write while we read: no time to lose.
                Err(SandboxJournalError::Behind) if !left.is_zero() => pause = first,
                done => return done,
            }
            self.clock.sleep(pause.min(left)).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    }

    /// Makes what was recorded outlast a crash of the machine, where that was asked for.
    pub(crate) fn sync(&self) -> Result<(), SandboxJournalError> {
        match self.settings.sync {
            JournalSync::Off => Ok(()),
            JournalSync::EachEntry => self.journal.sync(),
        }
    }

    /// Reads from the journal once its lock is free.
    pub(crate) async fn look<T>(
        &self,
        question: impl Fn() -> Result<T, SandboxJournalError>,
    ) -> Result<T, SandboxJournalError> {
        let until = self.clock.now().plus(LOOK_PATIENCE);
        self.in_turn(until, || ready(question())).await
    }

    /// The entry of a request that arrives at a moment.
    fn entry(
        &self,
        (submission, product): (&Submission, &SandboxProduct),
        course: Course,
        at: Timestamp,
    ) -> SandboxEntry {
        let ordered = submission.order.amount();
        let later = at.plus(self.settings.later);
        let (outcome, amount) = match course {
            Course::Deliver => (EntryOutcome::Delivered, ordered),
            Course::DeliverOther => (EntryOutcome::Delivered, other(ordered)),
            Course::Refuse(kind) => (EntryOutcome::Refused(kind), ordered),
            Course::DeliverLater => (EntryOutcome::Later { due: later }, ordered),
            Course::DeliverSlowly => {
                let due = at.plus(self.settings.slow);
                (EntryOutcome::Slow { due }, ordered)
            }
            Course::TokenLater => (EntryOutcome::TokenLater { due: later }, ordered),
            Course::Reverse => (EntryOutcome::Reversed { due: later }, ordered),
            Course::Never => (EntryOutcome::Never, ordered),
        };
        SandboxEntry {
            reference: submission.reference.clone(),
            product: product.clone(),
            ordered,
            amount,
            at,
            outcome,
            seed: self.settings.seed,
            later: whole_millis(self.settings.later),
        }
    }

    /// Answers after a while, or leaves the gateway without an answer at its deadline.
    async fn answer(
        &self,
        outcome: SubmitOutcome,
        after: Duration,
        deadline: Duration,
    ) -> SubmitOutcome {
        self.clock.sleep(after.min(deadline)).await;
        if after > deadline {
            return SubmitOutcome::Unknown(UnknownCause::Timeout);
        }
        outcome
    }

    fn script(&self, submission: &Submission) -> Script {
        if !SandboxProduct::is_served(&submission.order, &self.catalogue) {
            let refuse = Course::Refuse(SandboxRefusal::UnknownBiller);
            return Script::Recorded(refuse, ScriptedOutcome::Truthful);
        }
        let forced = match self.settings.forced {
            ForcedOutcomes::On => Script::forced(&submission.order),
            ForcedOutcomes::Off => None,
        };
        forced.unwrap_or_else(|| {
            let draw = self.draw("submit", submission.reference.as_str());
            Script::drawn(self.settings.faults, &draw)
        })
    }

    /// How long one request and its answer travel.
    pub(crate) fn latency(&self, of: &str, what: &str) -> Duration {
        self.settings.latency.drawn(&self.draw(of, what))
    }

    fn draw(&self, of: &str, what: &str) -> Draw {
        Draw::new(self.settings.seed, &[of, what])
    }
}

#[async_trait]
impl Provider for Simulator {
    fn id(&self) -> &ProviderId {
        &self.id
    }

    fn absence_policy(&self, _: Service) -> AbsencePolicy {
        self.settings.profile
    }

    async fn submit(
        &self,
        submission: &Submission,
        permit: &dyn SendPermit,
    ) -> ProviderAnswer<SubmitOutcome> {
        let outcome = self.dispatch(submission, permit).await;
        let details = self.details_of_submission(&outcome);
        ProviderAnswer { outcome, details }
    }

    async fn query(&self, attempt: &AttemptQuery<'_>) -> ProviderAnswer<QueryOutcome> {
        let outcome = self.find(attempt.reference).await;
        let details = self.details_of_finding(&outcome);
        ProviderAnswer { outcome, details }
    }

    fn reports_messages_of(&self, service: Service, number: &PhoneNumber) -> bool {
        reports::has_window(service, number)
    }

    async fn changes_since(&self, cursor: u64) -> Result<Changes, PortError> {
        self.reported_since(cursor).await
    }

    async fn balance(&self) -> Result<Option<ProviderBalance>, PortError> {
        self.left().await
    }

    async fn statement(
        &self,
        period: StatementPeriod,
        after: Option<&StatementCursor>,
    ) -> Result<Option<ProviderStatementPage>, PortError> {
        self.stated(period, after).await
    }
}

impl Simulator {
    async fn dispatch(&self, submission: &Submission, permit: &dyn SendPermit) -> SubmitOutcome {
        let took = self.latency("submit", submission.reference.as_str());
        match self.script(submission) {
            Script::NotSent => SubmitOutcome::NotSent,
            Script::Lost | Script::Dropped(_) if used(permit).await.is_err() => {
                SubmitOutcome::NotSent
            }
            // No answer will come before the deadline, so the timeout is answered at once.
            Script::Lost => SubmitOutcome::Unknown(UnknownCause::Timeout),
            Script::Dropped(cause) => {
                self.answer(SubmitOutcome::Unknown(cause), took, submission.deadline)
                    .await
            }
            Script::Recorded(course, answer) => {
                let request = (submission, permit);
                self.take(request, (course, answer), took).await
            }
        }
    }

    async fn find(&self, reference: &ProviderReference) -> QueryOutcome {
        let way = self.latency("query", reference.as_str()) / 2;
        self.clock.sleep(way).await;
        let finding = match self.look(|| self.journal.find(reference)).await {
            Ok(Some(JournalLine::Entry(entry))) if entry.reference == *reference => {
                answer::finding(&entry, self.clock.now(), &self.catalogue)
            }
            Ok(Some(JournalLine::Seal(sealed))) if sealed == *reference => {
                QueryOutcome::Declined(answer::refusal_of_seal())
            }
            Ok(Some(_)) => QueryOutcome::Unknown,
            Ok(None) => QueryOutcome::NotFound,
            Err(error) => {
                tracing::error!(%error, %reference, "the sandbox could not read its journal");
                QueryOutcome::Unknown
            }
        };
        self.clock.sleep(way).await;
        finding
    }
}

/// Asks for a permit and uses it: the request leaves, and is lost on its way.
async fn used(permit: &dyn SendPermit) -> Result<(), Withheld> {
    permit.ask().await.and_then(Granted::begin_writing)
}

#[expect(
    clippy::expect_used,
    reason = "a constant, read whenever the sandbox is opened"
)]
fn identity() -> ProviderId {
    // Panic safety: the constant is short and in the alphabet.
    ProviderId::parse(PROVIDER_ID).expect("a valid identity")
}
