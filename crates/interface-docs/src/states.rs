//! Sample transactions in every state they can be in, made by the domain rules themselves, and
//! other sample answers. It must not make up the form of an answer: the views define it.

use domain::percent::Percent;
use domain::pricing::Terms;
use domain::statement::Sort;
use domain::transaction::{State, Status, Transaction};
use testkit::builders::naira;
use testkit::builders::{
    PurchaseBuilder, START, account, advance, declined, delivered, mismatched, not_sent, pending,
    reversed, takeover, unfinished,
};
use wire::own_address;
use wire::page::LENGTH_MAX;
use wire::transaction_list::{self, ListPart, TransactionsQuery};
use wire::tree::Object;
use wire::zone::Zone;

/// A sample answer, from which the schema is inferred and which may be shown as an example.
#[derive(Debug, Clone)]
pub struct Sample {
    pub status: u16,
    /// The message of the answer.
    pub message: &'static str,
    /// Its name among the examples; `None` where it is used for the schema only.
    pub shown_as: Option<&'static str>,
    pub fields: Object,
}

/// A transaction in one of its states.
#[derive(Debug, Clone)]
pub struct StateCheck {
    shown_as: Option<&'static str>,
    pub(crate) transaction: Transaction,
}

impl StateCheck {
    /// A transaction that is shown under a name.
    pub(crate) const fn of(shown_as: &'static str, transaction: Transaction) -> Self {
        Self {
            shown_as: Some(shown_as),
            transaction,
        }
    }
}

/// The host named in the examples.
const HOST: &str = "127.0.0.1:8443";

/// An answer of 200.
pub(crate) fn sample(shown_as: &'static str, message: &'static str, mut fields: Object) -> Sample {
    own_address::in_full(&mut fields, HOST);
    Sample {
        status: 200,
        message,
        shown_as: Some(shown_as),
        fields,
    }
}

impl Sample {
    /// The same answer, for the schema only.
    #[must_use]
    pub fn unseen(self) -> Self {
        let shown_as = None;
        Self { shown_as, ..self }
    }
}

/// A purchase in every state.
pub(crate) fn in_every_state(purchase: PurchaseBuilder) -> Vec<StateCheck> {
    after_opening(purchase.transaction())
}

/// An opened transaction in every state it can reach: what the gateway books alone is over.
pub(crate) fn after_opening(opened: Transaction) -> Vec<StateCheck> {
    if matches!(opened.state, State::Booked(_)) {
        return vec![StateCheck::of("successful", opened)];
    }
    let after = |tx: &Transaction, observation| advance(tx, &observation, START).transaction;
    let successful = after(&opened, delivered(&opened));
    let resent = after(&opened, not_sent(&opened));
    let states = [
        (Some("successful"), successful.clone()),
        (Some("failed"), after(&opened, declined(&opened))),
        (Some("pending"), after(&opened, pending(&opened))),
        (Some("reversed"), after(&successful, reversed(&successful))),
        (None, after(&opened, unfinished(&opened))),
        (None, after(&opened, takeover(&opened))),
        (None, after(&opened, mismatched(&opened))),
        (None, after(&resent, not_sent(&resent))),
        (None, opened),
    ];
    let state = |(shown_as, transaction)| StateCheck {
        shown_as,
        transaction,
    };
    states.into_iter().map(state).collect()
}

/// A list of the first two, as an example, and one of all of them, for the schema.
pub(crate) fn listed(states: Vec<StateCheck>) -> Vec<Sample> {
    let all: Vec<_> = states.into_iter().map(|state| state.transaction).collect();
    let list = |transactions: &[Transaction]| {
        let count = u64::try_from(transactions.len()).expect("a few");
        let part = ListPart {
            transactions,
            total: count,
            found: count,
        };
        let query = TransactionsQuery {
            reference: None,
            status: None,
            offset: 0,
            length: LENGTH_MAX,
            sort: Sort::Ascending,
        };
        let fields = transaction_list::view(part, &query, &lagos());
        sample("transactions", "The transactions.", fields)
    };
    vec![list(all.get(..2).unwrap_or(&all)), list(&all).unseen()]
}

/// Terms with a commission in percent.
pub(crate) fn terms(commission: &str) -> Terms {
    Terms {
        commission: Percent::parse(commission).expect("a percentage"),
        discount: Percent::ZERO,
        fee: naira("0.00"),
    }
}

/// Dates of samples are those of Lagos.
pub(crate) fn lagos() -> Zone {
    Zone::for_account(&account("shop").build())
}

/// The events of the transactions of a family.
pub(crate) struct EventSchema {
    /// The name of the schema of their payloads.
    pub(crate) name: &'static str,
    /// The family whose glossary entries describe it.
    pub(crate) stem: &'static str,
    pub(crate) transactions: Vec<Transaction>,
}

impl EventSchema {
    /// The events of purchases, in every state they can reach.
    pub(crate) fn of(
        name: &'static str,
        stem: &'static str,
        purchases: impl IntoIterator<Item = PurchaseBuilder>,
    ) -> Self {
        let purchases = purchases.into_iter();
        let states = purchases.flat_map(in_every_state);
        Self {
            name,
            stem,
            transactions: states.map(|state| state.transaction).collect(),
        }
    }
}

impl StateCheck {
    /// The same state, for the schema only.
    #[must_use]
    pub fn unseen(self) -> Self {
        let shown_as = None;
        Self { shown_as, ..self }
    }

    /// The answer to the request that created the transaction: 202 while it is pending. A
    /// transaction is never reversed that early, so that is not shown.
    pub(crate) fn answer(self) -> Sample {
        let status = self.transaction.status();
        Sample {
            status: if status == Status::Pending { 202 } else { 200 },
            message: wire::transaction::outcome(&self.transaction),
            shown_as: self.shown_as.filter(|_| status != Status::Reversed),
            fields: wire::transaction::answer(&self.transaction, &lagos()),
        }
    }

    pub(crate) fn report(self) -> Sample {
        Sample {
            status: 200,
            message: wire::transaction::outcome(&self.transaction),
            shown_as: self.shown_as,
            fields: wire::transaction::report(&self.transaction, &lagos()),
        }
    }
}
