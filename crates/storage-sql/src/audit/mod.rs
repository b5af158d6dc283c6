//! What an audit asks: each invariant as a question to the tables, answered with the rows that
//! break it, one readable line each. The questions must only read, and share nothing with the code
//! that writes.

pub mod outcome;

/// Whether a check can be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// At any time.
    Always,
    /// Only while a server works on the store. `$1` of its question is the moment before which
    /// nothing may have been due, in milliseconds.
    WhileServing,
}

/// One invariant as SQL.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The invariant, such as `I1`.
    pub invariant: &'static str,
    /// What must hold.
    pub rule: &'static str,
    /// Counts the rows that are looked at.
    pub examined: &'static str,
    /// Returns the offending rows as text in a column `line`.
    pub offences: &'static str,
    /// When it can be judged.
    pub applies: Applies,
}

/// How long a due transaction may wait before recovery counts as missing, in milliseconds.
pub const OVERDUE_MS: i64 = 120_000;

/// Every invariant that SQL can judge, in order.
pub const CHECKS: [Check; 28] = [
    Check {
        invariant: "I1",
        rule: "Every transfer moves an amount above zero between the two accounts of its kind.",
        examined: TRANSFERS,
        offences: include_str!("i01_legs.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I2",
        rule: "No wallet is below zero, each equals its transfers in its currency, and held is the \
               price of what is open.",
        examined: "SELECT count(*) FROM wallets",
        offences: include_str!("i02_wallets.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I3",
        rule: "Each transaction has one hold, and one capture, release or transfer out exactly \
               when it is final.",
        examined: TRANSACTIONS,
        offences: include_str!("i03_holds.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I4",
        rule: "An open transaction has exactly one undecided attempt, a final one has none; a \
               queued one has a place in the queue instead.",
        examined: TRANSACTIONS,
        offences: include_str!("i04_open_attempts.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I5",
        rule: "An attempt is followed by another only when it is disproven, with evidence.",
        examined: ATTEMPTS,
        offences: include_str!("i05_evidence.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I6",
        rule: "A transaction is successful or reversed exactly when one attempt was delivered.",
        examined: TRANSACTIONS,
        offences: include_str!("i06_delivered.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I8",
        rule: "Every attempt was stored by the commit that opened its transaction or took it out \
               of the queue, before it could be sent.",
        examined: ATTEMPTS,
        offences: include_str!("i08_recorded.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I9",
        rule: "Every transaction has an owner who can ask for it.",
        examined: TRANSACTIONS,
        offences: include_str!("i09_owned.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I10",
        rule: "No number, reference or key is used twice.",
        examined: TRANSACTIONS,
        offences: include_str!("i10_unique.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I11",
        rule: "The events of a transaction are numbered from 1 without a gap up to its sequence.",
        examined: "SELECT count(*) FROM events",
        offences: include_str!("i11_events.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I12",
        rule: "Nothing is missing from the ledger, and every funding and settled reference is \
               booked once.",
        examined: TRANSFERS,
        offences: include_str!("i12_gapless.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I13",
        rule: "While a server runs, nothing is due for more than two minutes, or in more than an \
               hour.",
        examined: "SELECT count(*) FROM transactions WHERE due_at IS NOT NULL",
        offences: include_str!("i13_due.sql"),
        applies: Applies::WhileServing,
    },
    Check {
        invariant: "I14",
        rule: "After the final event of a transaction come reversals, late deliveries and \
               receipts only.",
        examined: "SELECT count(*) FROM events",
        offences: include_str!("i14_final.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I15",
        rule: "The balances of all accounts together are zero in each currency.",
        examined: TRANSFERS,
        offences: include_str!("i15_zero.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I16",
        rule: "What was held, captured, released and shared out is what was quoted.",
        examined: TRANSACTIONS,
        offences: include_str!("i16_quoted.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I17",
        rule: "Every delivery shows an event of a transaction or an entry of the statement, to an \
               endpoint of its account.",
        examined: "SELECT count(*) FROM deliveries",
        offences: include_str!("i17_deliveries.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I18",
        rule: "Every change that a provider reported is applied; none waits as a dead letter.",
        examined: "SELECT count(*) FROM dead_letters",
        offences: include_str!("i18_changes.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I22",
        rule: "Every attempt of an account was made at a provider of its environment, and its keys \
               are of it.",
        examined: ATTEMPTS,
        offences: include_str!("i22_environments.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I23",
        rule: "Every batch has all its payments, each in one place, and they come to its total and \
               price.",
        examined: "SELECT count(*) FROM batches",
        offences: include_str!("i23_batches.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I24",
        rule: "What left one account for another arrived there, once and whole, and nothing else \
               did.",
        examined: "SELECT count(*) FROM user_credits",
        offences: include_str!("i24_transit.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I26",
        rule: "What counts against the limit of a day is no less than the payments of the day that \
               have not failed.",
        examined: "SELECT count(*) FROM wallets",
        offences: include_str!("i26_spending.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I27",
        rule: "Every funding that confirms a top-up belongs to one that its account announced, in \
               its currency.",
        examined: "SELECT count(*) FROM top_ups",
        offences: include_str!("i27_top_ups.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I28",
        rule: "Every refund of a delivered payment was asked for, was approved by operators who \
               signed it, and is taken back where the provider gives the price back.",
        examined: "SELECT count(*) FROM refunds",
        offences: include_str!("i28_refunds.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I29",
        rule: "What codes hold is what the ledger says of them, and each movement there is that of \
               one step of a code.",
        examined: "SELECT count(*) FROM vouchers",
        offences: include_str!("i29_vouchers.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I30",
        rule: "Every run of a subscription that is recorded as bought has its payment, and none \
               was begun twice.",
        examined: "SELECT count(*) FROM subscriptions",
        offences: include_str!("i30_subscriptions.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I31",
        rule: "Every payment to a collection is booked once, with its charges, and was recorded by \
               an operator who signed it, or is of the sandbox and to a test account.",
        examined: "SELECT count(*) FROM collected_payments",
        offences: include_str!("i31_collections.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I32",
        rule: "The opened invoices of an account are numbered from 1 without a gap, and each has \
               its collection, of its amount and under its reference.",
        examined: "SELECT count(*) FROM invoices",
        offences: include_str!("i32_invoices.sql"),
        applies: Applies::Always,
    },
    Check {
        invariant: "I34",
        rule: "No two appointments take the same time of one person or service, but those that \
               share it.",
        examined: "SELECT count(*) FROM appointments",
        offences: include_str!("i34_appointments.sql"),
        applies: Applies::Always,
    },
];

const TRANSFERS: &str = "SELECT count(*) FROM transfers";
const TRANSACTIONS: &str = "SELECT count(*) FROM transactions";
const ATTEMPTS: &str = "SELECT count(*) FROM attempts";
