//! The stored side of the world: real transactions that really learn, and real wallets their real
//! transfers are applied to. Equal ones share a number, so that a world needs only the number. It
//! must forget nothing about a transaction that any decision reads.

use crate::checks::Violation;
use crate::copy::{Copy, Lag, NOW, Passing};
use crate::ledger::SimulatedLedger;
use crate::reading::{facts, holder, kind, observation};
use crate::sample::{self, Product};
use crate::search::Setup;
use crate::world::{COPY_BITS, LAST_BEGINNING, MOMENTS, Observed, STORED_BITS};
use domain::change_set::{Opening, StateChange};
use domain::ledger::Transfer;
use domain::provider::{AbsencePolicy, ProviderId, Refusal, RefusalKind};
use domain::time::Timestamp;
use domain::transaction::{
    Approval, ApprovalVerdict, Queued, ReviewCause, State, Transaction, Transition,
};
use std::collections::HashMap;
use std::time::Duration;

/// Where a transaction stands, without the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Queued,
    Sending,
    InDoubt,
    Review,
    Successful,
    Failed,
    Reversed,
    Cancelled,
}

impl Kind {
    pub(crate) fn is_final(self) -> bool {
        matches!(
            self,
            Self::Successful | Self::Failed | Self::Reversed | Self::Cancelled
        )
    }

    /// Whether it never came to an attempt.
    pub(crate) fn is_unsent(self) -> bool {
        matches!(self, Self::Queued | Self::Cancelled)
    }
}

/// What the search asks of a stored transaction, read off once.
#[expect(
    clippy::struct_excessive_bools,
    reason = "answers to independent questions, each asked where its name says"
)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) kind: Kind,
    /// The current attempt, 0 or 1; 0 too where none was made.
    pub(crate) attempt: u8,
    /// When it began, in minutes.
    pub(crate) began: u16,
    /// How old it is in doubt, in minutes.
    pub(crate) age: u16,
    /// Whether persons decided it.
    pub(crate) ruled: bool,
    /// Whether a person must decide for the provider has said two things.
    pub(crate) mismatch: bool,
    /// Of which attempts a late delivery is booked, and not undone.
    pub(crate) loss_booked: [bool; 2],
    /// Whether an attempt before the current one is recorded as disproven.
    pub(crate) retried: bool,
    /// Whether the gateway gave the price back for what was delivered.
    pub(crate) refunded: bool,
    /// Whether the handset is known to have the whole message.
    pub(crate) arrived: bool,
}

#[derive(Debug)]
struct Stored {
    tx: u16,
    books: usize,
    broken: Option<Violation>,
}

/// A step that an observation led to.
#[derive(Debug)]
struct Step {
    tx: u16,
    transfers: Vec<Transfer>,
}

/// Every transaction met, and what each learns from what.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) profile: AbsencePolicy,
    transactions: Vec<(Copy, Facts)>,
    books: Vec<SimulatedLedger>,
    stored: Vec<Stored>,
    steps: Vec<Step>,
    /// By copy, observation and moment: what was learned, once it was.
    learned: Vec<u16>,
    committed: HashMap<(u16, u16), u16>,
    later: HashMap<(u16, Passing), u16>,
    opened: Option<u16>,
    product: Product,
    /// Whether what is refused for the fault of the account goes to another provider.
    has_other_route: bool,
}

/// It may be sent at once, and for as long as the search goes on.
const QUEUED: Queued = Queued {
    send_from: Timestamp::from_millis(0),
    expires_at: Timestamp::from_millis(i64::MAX),
};

const NOT_ASKED: u16 = 0;
const UNCHANGED: u16 = 1;
const FIRST_STEP: u16 = 2;

impl Machine {
    pub(crate) fn new(setup: &Setup) -> Self {
        let (product, profile) = (setup.behaviour.product, setup.profile);
        let slots = (1 << COPY_BITS) * 2 * Observed::ALL.len() * MOMENTS.len();
        Self {
            profile,
            transactions: Vec::new(),
            books: vec![SimulatedLedger::funded(product)],
            stored: Vec::new(),
            steps: Vec::new(),
            learned: vec![NOT_ASKED; slots],
            committed: HashMap::new(),
            later: HashMap::new(),
            opened: None,
            product,
            has_other_route: setup.second.is_some(),
        }
    }

    /// The facts of a copy.
    pub(crate) fn copy(&self, copy: u16) -> Facts {
        self.transactions[usize::from(copy)].1
    }

    /// The facts of what is stored, if anything is.
    pub(crate) fn stored(&self, stored: u16) -> Option<Facts> {
        self.stored
            .get(usize::from(stored.checked_sub(1)?))
            .map(|stored| self.copy(stored.tx))
    }

    /// The copy a worker reads.
    pub(crate) fn read(&self, stored: u16) -> u16 {
        self.stored[usize::from(stored) - 1].tx
    }

    /// What is wrong with the money of what is stored.
    pub(crate) fn broken(&self, stored: u16) -> Option<Violation> {
        let index = stored.checked_sub(1)?;
        self.stored[usize::from(index)].broken
    }

    /// Opens the transaction, sending or in the queue.
    pub(crate) fn open(&mut self, is_queued: bool, awaits_approval: bool) -> u16 {
        if let Some(opened) = self.opened {
            return opened;
        }
        let draft = sample::draft(self.product);
        let opening = if is_queued {
            draft.queue(at(0), QUEUED)
        } else {
            draft.open(at(0), at(1))
        };
        let opening = if awaits_approval {
            opening.awaiting(Approval::awaited(holder(1)))
        } else {
            opening
        };
        let Opening {
            transaction,
            hold,
            event,
            ..
        } = opening;
        assert_eq!((transaction.version, transaction.sequence), (1, 1));
        assert_eq!(event.sequence, 1);
        let books = self.books[0].after(&[hold]);
        let tx = self.number_copy(Copy {
            tx: transaction,
            lag: Lag::Minutes(0),
            began: 0,
        });
        let opened = self.number_stored(tx, books);
        self.opened = Some(opened);
        opened
    }

    /// What a copy learns at a moment: the number of the step to commit, if there is one.
    pub(crate) fn learn(&mut self, copy: u16, reported: (Observed, u8), moment: u8) -> Option<u16> {
        let (received, attempt) = reported;
        let mut slot = usize::from(copy) * Observed::ALL.len() + received as usize;
        slot = (slot * 2 + usize::from(attempt)) * MOMENTS.len() + usize::from(moment);
        if self.learned[slot] == NOT_ASKED {
            self.learned[slot] = self.really_learn(copy, reported, moment);
        }
        self.learned[slot].checked_sub(FIRST_STEP)
    }

    fn really_learn(&mut self, copy: u16, (received, attempt): (Observed, u8), moment: u8) -> u16 {
        let read = self.transactions[usize::from(copy)].0.clone();
        let now = at(NOW);
        let before = read.at(now);
        let refusal = Refusal {
            kind: if self.has_other_route && attempt == 0 {
                RefusalKind::Account
            } else {
                RefusalKind::Order
            },
            ..sample::refusal()
        };
        let observation = observation(&before, (received, refusal), attempt);
        // Another provider is asked within the answer window alone.
        let next = match (self.has_other_route, moment <= LAST_BEGINNING) {
            _ if received == Observed::Due => Some(before.prepared.first().clone()),
            (false, _) => Some(sample::next(&before)),
            (true, true) => {
                let other = ProviderId::parse("other").unwrap();
                Some(sample::next_at(&before, other))
            }
            (true, false) => None,
        };
        let advance =
            match sample::applied(&before, &observation, (now, &self.profile), next.as_ref()) {
                Transition::Unchanged(same) => {
                    assert_eq!(
                        *same, before,
                        "observation that changes nothing changed something"
                    );
                    return UNCHANGED;
                }
                Transition::Changed(advance) => *advance,
            };
        check_numbers(&before, &advance);
        let StateChange {
            transaction,
            transfers,
            ..
        } = advance;
        let began = if transaction.attempt() == before.attempt() {
            read.began
        } else {
            MOMENTS[usize::from(moment)]
        };
        let tx = self.number_copy(Copy {
            lag: Lag::Minutes(0),
            tx: transaction,
            began,
        });
        self.steps.push(Step { tx, transfers });
        u16::try_from(self.steps.len() - 1).unwrap() + FIRST_STEP
    }

    /// Stores a step on top of what is stored: the transaction as it says, and its transfers.
    pub(crate) fn commit(&mut self, stored: u16, step: u16) -> u16 {
        if let Some(after) = self.committed.get(&(stored, step)) {
            return *after;
        }
        let Step { tx, transfers } = &self.steps[usize::from(step)];
        let before = &self.books[self.stored[usize::from(stored) - 1].books];
        let (tx, books) = (*tx, before.after(transfers));
        let after = self.number_stored(tx, books);
        self.committed.insert((stored, step), after);
        after
    }

    /// Whether the transfers of a step fit into a wallet that is full.
    pub(crate) fn fits_when_full(&self, stored: u16, step: u16) -> bool {
        let books = &self.books[self.stored[usize::from(stored) - 1].books];
        books.fit_when_full(&self.steps[usize::from(step)].transfers)
    }

    /// Stores a step without its transfers: the rule against that is broken.
    pub(crate) fn commit_without_money(&mut self, stored: u16, step: u16) -> u16 {
        let books = self.stored[usize::from(stored) - 1].books;
        self.number_with(self.steps[usize::from(step)].tx, books)
    }

    /// What is stored, once time went on or seemed to.
    pub(crate) fn changed(&mut self, stored: u16, passing: Passing) -> u16 {
        let Stored { tx, books, .. } = self.stored[usize::from(stored) - 1];
        let later = self.copy_changed(tx, passing);
        if later == tx {
            stored
        } else {
            self.number_with(later, books)
        }
    }

    /// A copy, once time went on or seemed to.
    pub(crate) fn copy_changed(&mut self, copy: u16, passing: Passing) -> u16 {
        if let Some(later) = self.later.get(&(copy, passing)) {
            return *later;
        }
        let mut changed = self.transactions[usize::from(copy)].0.clone();
        changed.pass(passing, self.profile);
        let later = self.number_copy(changed);
        self.later.insert((copy, passing), later);
        later
    }

    /// The same copy with a contradiction taken for mere silence: the rule against that is broken.
    pub(crate) fn without_contradiction(&mut self, copy: u16) -> u16 {
        let mut forgetful = self.transactions[usize::from(copy)].0.clone();
        if let State::Review(review) = &mut forgetful.tx.state {
            review.cause = ReviewCause::Unresolved;
        }
        self.number_copy(forgetful)
    }

    fn number_copy(&mut self, copy: Copy) -> u16 {
        let canonical = copy.canonical(self.profile.not_found_spacing);
        let known = self
            .transactions
            .iter()
            .position(|(known, _)| *known == canonical);
        let number = known.unwrap_or_else(|| {
            let facts = facts(&canonical);
            self.transactions.push((canonical, facts));
            self.transactions.len() - 1
        });
        assert!(
            number < 1 << COPY_BITS,
            "more transactions than a world holds"
        );
        u16::try_from(number).unwrap()
    }

    fn number_stored(&mut self, tx: u16, books: SimulatedLedger) -> u16 {
        let known = self.books.iter().position(|known| *known == books);
        let books = known.unwrap_or_else(|| {
            self.books.push(books);
            self.books.len() - 1
        });
        self.number_with(tx, books)
    }

    fn number_with(&mut self, tx: u16, books: usize) -> u16 {
        let known = self
            .stored
            .iter()
            .position(|known| known.tx == tx && known.books == books);
        let number = 1 + known.unwrap_or_else(|| {
            let (copy, facts) = &self.transactions[usize::from(tx)];
            let broken = self.books[books].broken(&copy.tx, *facts);
            let broken = broken.or_else(|| without_approval(&copy.tx));
            self.stored.push(Stored { tx, books, broken });
            self.stored.len() - 1
        });
        assert!(
            number < (1 << STORED_BITS) - 1,
            "more stored states than a world holds"
        );
        u16::try_from(number).unwrap()
    }
}

/// A moment of the world as a timestamp.
pub(crate) fn at(minutes: u16) -> Timestamp {
    Timestamp::from_millis(0).plus(Duration::from_mins(minutes.into()))
}

pub(crate) fn minutes(length: Duration) -> u16 {
    u16::try_from(length.as_secs() / 60).unwrap()
}

/// Every step raises the version by one, and the event number by one exactly where it has an event;
/// money never moves and no state is left or entered without one.
fn check_numbers(before: &Transaction, advance: &StateChange) {
    let after = &advance.transaction;
    assert_eq!(after.version, before.version + 1);
    assert_eq!(advance.expected_version(), before.version);
    let events = u32::from(advance.event.is_some());
    assert_eq!(after.sequence, before.sequence + events);
    if let Some(event) = &advance.event {
        assert_eq!(event.sequence, after.sequence);
    } else {
        assert!(advance.transfers.is_empty());
        assert_eq!(kind(before), kind(after));
    }
}

/// Whether an attempt was recorded of a payment that was not approved.
fn without_approval(tx: &Transaction) -> Option<Violation> {
    let decision = tx.approval?.decision.map(|decision| decision.verdict);
    let is_sent = tx.attempt().is_some() && decision != Some(ApprovalVerdict::Approved);
    is_sent.then_some(Violation::SentWithoutApproval)
}
