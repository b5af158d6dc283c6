//! What can be done to a store, with names drawn from few, so that sequences meet themselves again:
//! the same accounts, references, keys and numbers, used twice. An operation must be playable in
//! any state.

use super::movement::{ModelMovement, movements};
use crate::builders::reference;
use crate::strategies::{ArbitraryObservation, elapsed, observations, orders, quotes};
use domain::money::{Currency, Money};
use domain::order::Order;
use domain::pricing::Quote;
use domain::reference::MerchantReference;
use domain::reference_settlement::SettledAs;
use domain::statement::{Direction, Sort, StatementQuery};
use proptest::prelude::*;
use std::time::Duration;

/// How many accounts a sequence knows; the last of them does not exist at first.
pub(super) const ACCOUNTS: u8 = 3;
/// How many references and keys an account draws from.
const NAMES: u8 = 12;
/// How many transaction numbers a sequence draws from: accounts often have one in common, and an
/// account sometimes meets one of its own again.
const NUMBERS: u64 = 30;
/// How many keys with different hints there are.
const KEYS: u8 = 5;

/// One thing done to both stores.
#[derive(Debug, Clone)]
pub enum ModelOperation {
    /// Opens an account.
    Create {
        /// Which account.
        account: u8,
        /// Its opening balance in minor units; none where zero.
        balance: i64,
    },
    /// Suspends an account or lifts the suspension.
    SetStatus {
        /// Which account.
        account: u8,
        /// Whether it may buy.
        active: bool,
    },
    /// Says which wallet messages are charged to.
    SetMessageCurrency {
        /// Of which account.
        account: u8,
        /// Which wallet.
        currency: Currency,
    },
    /// Adds a key.
    AddKey {
        /// To which account.
        account: u8,
        /// Which key.
        key: u8,
    },
    /// Revokes one key or all.
    RevokeKeys {
        /// Of which account.
        account: u8,
        /// Which key; all where none.
        key: Option<u8>,
    },
    /// Pays money in.
    Fund {
        /// To which account.
        account: u8,
        /// Under which reference.
        name: u8,
        /// How much, of money or credits.
        amount: Money,
    },
    /// Opens a transaction.
    Open(Box<ModelOpening>),
    /// A person acknowledges attempts that the provider knows and the store lacks.
    Note(Vec<Missing>),
    /// Settles an attempt, whether or not it was noted.
    Settle {
        /// Which attempt.
        missing: Missing,
        /// What it is settled as.
        settled_as: SettledAs,
    },
    /// Applies an observation to a transaction and commits the step, if it makes one.
    Learn {
        /// Which of the transactions opened so far, counted around.
        which: usize,
        /// What is observed.
        observation: ArbitraryObservation,
    },
    /// Commits a step made from an older version.
    Stale {
        /// Which of the transactions opened so far, counted around.
        which: usize,
        /// What is observed.
        observation: ArbitraryObservation,
    },
    /// Repeats the last change that was committed, whatever became of it.
    Repeat,
    /// Claims what is due.
    Claim {
        /// For how long, in seconds.
        lease: u64,
    },
    /// Makes due what a dead process held.
    Reclaim,
    /// Time passes.
    Pass(Duration),
    /// Reads a part of a statement.
    Statement {
        /// Whose.
        account: u8,
        /// Which part.
        query: StatementQuery,
    },
    /// Money moves beside purchases.
    Move(ModelMovement),
    /// Compares everything there is to read.
    ReadEverything,
}

/// An attempt that a provider may know and the store may lack.
#[derive(Debug, Clone)]
pub struct Missing {
    /// Of which account.
    pub account: u8,
    /// Under which reference.
    pub name: u8,
    /// Whether it is the second.
    pub second: bool,
}

/// What a transaction is opened from.
#[derive(Debug, Clone)]
pub struct ModelOpening {
    /// By which account.
    pub account: u8,
    /// Under which reference.
    pub name: u8,
    /// Under which retry key.
    pub key: Option<u8>,
    /// Under which number.
    pub number: u64,
    /// What is bought.
    pub order: Order,
    /// At which price.
    pub quote: Quote,
    /// Whether a journal says that it was stored before.
    pub journalled: bool,
    /// Whether from the other provider.
    pub elsewhere: bool,
    /// How long until recovery may take it over.
    pub due_in: Duration,
}

/// Any operation, weighted so that most of a sequence is buying and settling.
pub(super) fn operations() -> impl Strategy<Value = ModelOperation> {
    prop_oneof![
        1 => create(),
        1 => set_status(),
        1 => set_message_currency(),
        1 => keys(),
        2 => fund(),
        8 => opened().prop_map(|opened| ModelOperation::Open(Box::new(opened))),
        1 => proptest::collection::vec(missing(), 1..4).prop_map(ModelOperation::Note),
        2 => settle(),
        14 => (any::<usize>(), observations())
            .prop_map(|(which, observation)| ModelOperation::Learn { which, observation }),
        1 => (any::<usize>(), observations())
            .prop_map(|(which, observation)| ModelOperation::Stale { which, observation }),
        1 => Just(ModelOperation::Repeat),
        2 => (1..5_000_u64).prop_map(|lease| ModelOperation::Claim { lease }),
        1 => Just(ModelOperation::Reclaim),
        4 => elapsed().prop_map(ModelOperation::Pass),
        2 => statement(),
        12 => movements().prop_map(ModelOperation::Move),
        1 => Just(ModelOperation::ReadEverything),
    ]
}

fn create() -> impl Strategy<Value = ModelOperation> {
    let balance = prop_oneof![Just(0), 1..10_000_000_000_i64];
    (0..ACCOUNTS, balance)
        .prop_map(|(account, balance)| ModelOperation::Create { account, balance })
}

fn set_status() -> impl Strategy<Value = ModelOperation> {
    let active = proptest::bool::weighted(0.7);
    (0..ACCOUNTS, active)
        .prop_map(|(account, active)| ModelOperation::SetStatus { account, active })
}

fn set_message_currency() -> impl Strategy<Value = ModelOperation> {
    (0..ACCOUNTS, currencies())
        .prop_map(|(account, currency)| ModelOperation::SetMessageCurrency { account, currency })
}

fn currencies() -> impl Strategy<Value = Currency> {
    proptest::sample::select(&Currency::ALL[..])
}

fn keys() -> impl Strategy<Value = ModelOperation> {
    prop_oneof![
        3 => (0..ACCOUNTS, 0..KEYS)
            .prop_map(|(account, key)| ModelOperation::AddKey { account, key }),
        1 => (0..ACCOUNTS, proptest::option::of(0..KEYS))
            .prop_map(|(account, key)| ModelOperation::RevokeKeys { account, key }),
    ]
}

fn fund() -> impl Strategy<Value = ModelOperation> {
    let amount = (1..1_000_000_000_i64, currencies());
    let amount = amount.prop_map(|(minor, currency)| Money::from_minor(minor, currency));
    (0..ACCOUNTS, 0..NAMES, amount).prop_map(|(account, name, amount)| ModelOperation::Fund {
        account,
        name,
        amount,
    })
}

fn opened() -> impl Strategy<Value = ModelOpening> {
    let names = (
        0..ACCOUNTS,
        0..NAMES,
        proptest::option::weighted(0.3, 0..NAMES),
    );
    let number = 1..=NUMBERS;
    let bought = orders().prop_flat_map(|order| (quotes(&order), Just(order)));
    let bought = (
        bought,
        proptest::bool::weighted(0.2),
        proptest::bool::weighted(0.1),
    );
    let due_in = (0..300_u64).prop_map(Duration::from_secs);
    (names, number, bought, due_in).prop_map(|(names, number, bought, due_in)| {
        let ((account, name, key), ((quote, order), elsewhere, journalled)) = (names, bought);
        ModelOpening {
            account,
            name,
            key,
            number,
            order,
            quote,
            journalled,
            elsewhere,
            due_in,
        }
    })
}

fn missing() -> impl Strategy<Value = Missing> {
    let missing = (0..ACCOUNTS, 0..NAMES, proptest::bool::weighted(0.3));
    missing.prop_map(|(account, name, second)| Missing {
        account,
        name,
        second,
    })
}

fn settle() -> impl Strategy<Value = ModelOperation> {
    let amount = (1..1_000_000_i64).prop_map(|minor| Money::from_minor(minor, Currency::Ngn));
    let settled_as = prop_oneof![
        2 => amount.clone().prop_map(SettledAs::Charged),
        2 => amount.prop_map(SettledAs::Absorbed),
        1 => Just(SettledAs::NotDelivered),
        1 => Just(SettledAs::Reopened),
    ];
    (missing(), settled_as).prop_map(|(missing, settled_as)| ModelOperation::Settle {
        missing,
        settled_as,
    })
}

fn statement() -> impl Strategy<Value = ModelOperation> {
    let part = (0..40_u64, 1..=100_u32);
    let sort = prop_oneof![Just(Sort::Ascending), Just(Sort::Descending)];
    let reference = proptest::option::weighted(0.3, (0..NAMES).prop_map(order_reference));
    let direction = prop_oneof![Just(Direction::Debit), Just(Direction::Credit)];
    let direction = proptest::option::weighted(0.3, direction);
    (
        0..ACCOUNTS,
        part,
        (sort, currencies()),
        reference,
        direction,
    )
        .prop_map(
            |(account, (offset, length), (sort, currency), reference, direction)| {
                ModelOperation::Statement {
                    account,
                    query: StatementQuery {
                        currency,
                        offset,
                        length,
                        sort,
                        reference,
                        direction,
                    },
                }
            },
        )
}

/// The reference an account buys under by one of its names.
pub(super) fn order_reference(name: u8) -> MerchantReference {
    reference(&format!("order-{name}"))
}
