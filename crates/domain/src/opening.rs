//! The step that begins a transaction. It must be stored before a byte goes to the provider.

use crate::account::AccountId;
use crate::event::{Event, EventKind};
use crate::idempotency::Idempotency;
use crate::ledger::{self, Transfer};
use crate::order::Order;
use crate::pricing::Quote;
use crate::reference::{MerchantReference, TransactionNumber, UndatedReference};
use crate::time::Timestamp;
use crate::transaction::{
    AttemptNumber, AttemptRoute, PreparedAttempt, PreparedAttempts, Queued, ReportedDetails,
    Sending, State, Transaction,
};

/// Everything a transaction is opened from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The gateway's number.
    pub number: TransactionNumber,
    /// Whose it is.
    pub account: AccountId,
    /// The merchant's reference.
    pub reference: MerchantReference,
    /// The client's retry key.
    pub idempotency: Option<Idempotency>,
    /// What is bought.
    pub order: Order,
    /// What it costs.
    pub quote: Quote,
    /// Its first attempt.
    pub prepared: PreparedAttempt,
    /// The route that it takes, where one was chosen.
    pub route: Option<AttemptRoute>,
}

impl Draft {
    /// The step that opens the transaction: its first attempt is recorded as under way **before**
    /// a byte goes to the provider. Recovery may take it over from `due_at` on.
    pub fn open(self, now: Timestamp, due_at: Timestamp) -> Opening {
        let sending = State::Sending(Sending {
            attempt: AttemptNumber::FIRST,
            started_at: now,
        });
        self.opening(sending, now, due_at)
    }

    /// The step that opens the transaction without an attempt: the price is set aside, and nothing
    /// is sent until a step of its own records the first attempt.
    pub fn queue(self, now: Timestamp, queued: Queued) -> Opening {
        self.opening(State::Queued(queued), now, queued.send_from)
    }

    fn opening(self, state: State, now: Timestamp, due_at: Timestamp) -> Opening {
        let transaction = Transaction {
            number: self.number,
            account: self.account,
            reference: self.reference,
            idempotency: self.idempotency,
            order: self.order,
            quote: self.quote,
            prepared: PreparedAttempts::new(self.prepared).routed(AttemptNumber::FIRST, self.route),
            reported: ReportedDetails::default(),
            state,
            earlier: Vec::new(),
            version: 1,
            sequence: 1,
            opened_at: now,
            updated_at: now,
        };
        let hold = ledger::hold(&transaction, now);
        let event = Event {
            transaction: transaction.number,
            sequence: 1,
            kind: EventKind::Opened,
            at: now,
        };
        Opening {
            transaction,
            hold,
            event,
            due_at,
            origin: Origin::Request,
            undated: Vec::new(),
        }
    }
}

/// A transaction begins: it is stored with its first attempt under way or in the queue, the price
/// is set aside.
///
/// Guards, in order: the account exists, is active, the idempotency key is unused, the reference is
/// unused and waits for no settlement, the number is unused, the wallet holds the price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The transaction, sending its first attempt or queued.
    pub transaction: Transaction,
    /// The price set aside.
    pub hold: Transfer,
    /// The first event.
    pub event: Event,
    /// When recovery may take it over, or from when on it may leave the queue.
    pub due_at: Timestamp,
    /// Where it comes from.
    pub origin: Origin,
    /// What any provider would know an attempt under the merchant's reference by, where the form is
    /// the provider's own: it may wait to be settled as one that names no account.
    pub undated: Vec<UndatedReference>,
}

/// Where an opening comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A merchant asks for it: it may be sent once it is stored.
    Request,
    /// It was stored before, and the store that is there now lacks it, says a journal. It is stored
    /// whether or not payments are suspended or its account is, and it is never sent.
    Journal,
}
