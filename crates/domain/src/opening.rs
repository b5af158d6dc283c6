//! The step that begins a transaction. It must be stored before a byte goes to the provider.

use crate::account::AccountId;
use crate::event::{Event, EventKind};
use crate::idempotency::Idempotency;
use crate::ledger::{self, Transfer};
use crate::money::Money;
use crate::order::Order;
use crate::pricing::Quote;
use crate::reference::{MerchantReference, TransactionNumber, UndatedReference};
use crate::spending::SpendingDay;
use crate::time::Timestamp;
use crate::transaction::{
    Approval, AttemptNumber, AttemptRoute, BookedAt, PreparedAttempt, PreparedAttempts, Queued,
    ReportedDetails, Sending, State, Transaction,
};
use crate::user::{Payee, Recipient};

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
    /// a byte goes to the provider. Recovery may take it over from `due_at` on. What no provider
    /// delivers is booked to its end in the same step.
    pub fn open(self, now: Timestamp, due_at: Timestamp) -> Opening {
        match self.order.recipient().cloned() {
            Some(Recipient::Account(payee)) => return self.pay(now, payee),
            Some(Recipient::Unclaimed { until }) => {
                let queued = Queued {
                    send_from: until,
                    expires_at: until,
                };
                return self.queue(now, queued);
            }
            None => {}
        }
        if let Some(arrives) = self.order.arrives() {
            return self.exchange(now, arrives);
        }
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

    /// The price buys what `arrives` in the wallet of the same account in another currency.
    fn exchange(self, now: Timestamp, arrives: Money) -> Opening {
        self.booked(now, None, |tx| ledger::exchange(tx, arrives, now))
    }

    /// The price is paid to another account.
    fn pay(self, now: Timestamp, payee: Payee) -> Opening {
        let account = payee.account.clone();
        self.booked(now, Some(payee), |tx| ledger::pay(tx, &account, now))
    }

    fn booked(
        self,
        now: Timestamp,
        payee: Option<Payee>,
        transfers: impl FnOnce(&Transaction) -> Vec<Transfer>,
    ) -> Opening {
        let booked = BookedAt { at: now, payee };
        let mut opening = self.opening(State::Booked(booked), now, now);
        let transaction = &mut opening.transaction;
        transaction.sequence = 2;
        let event = Event {
            transaction: transaction.number,
            sequence: 2,
            kind: EventKind::Successful,
            at: now,
        };
        let transfers = transfers(transaction);
        opening.booking = Some(Booking { transfers, event });
        opening
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
            approval: None,
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
            booking: None,
            due_at,
            origin: Origin::Request,
            undated: Vec::new(),
            day: SpendingDay::in_utc(now),
        }
    }
}

/// A transaction begins: it is stored with its first attempt under way or in the queue, and the
/// price is set aside; or it is booked to its end.
///
/// Guards, in order: the account exists, is active, the idempotency key is unused, the reference is
/// unused and waits for no settlement, the number is unused, the wallet holds the price, the limit
/// of the day leaves room for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The transaction, sending its first attempt, queued or booked.
    pub transaction: Transaction,
    /// The price set aside.
    pub hold: Transfer,
    /// The first event.
    pub event: Event,
    /// What ends it in the same step, where no provider takes part.
    pub booking: Option<Booking>,
    /// When recovery may take it over, or from when on it may leave the queue.
    pub due_at: Timestamp,
    /// Where it comes from.
    pub origin: Origin,
    /// What any provider would know an attempt under the merchant's reference by, where the form is
    /// the provider's own: it may wait to be settled as one that names no account.
    pub undated: Vec<UndatedReference>,
    /// The day that it counts in, with the limit of it: that of its own moment.
    pub day: SpendingDay,
}

impl Opening {
    /// The same, queued until another user approves it.
    #[must_use]
    pub fn awaiting(mut self, approval: Approval) -> Self {
        if let State::Queued(queued) = &self.transaction.state {
            self.due_at = queued.expires_at;
            self.transaction.approval = Some(approval);
        }
        self
    }

    /// The money it moves, in order.
    pub fn transfers(&self) -> impl Iterator<Item = &Transfer> {
        let booked = self.booking.iter().flat_map(|booking| &booking.transfers);
        std::iter::once(&self.hold).chain(booked)
    }

    /// What happened, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        std::iter::once(&self.event).chain(self.booking.iter().map(|booking| &booking.event))
    }
}

/// What ends a transaction as it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// The money that moves after the price was set aside.
    pub transfers: Vec<Transfer>,
    /// The last event.
    pub event: Event,
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
