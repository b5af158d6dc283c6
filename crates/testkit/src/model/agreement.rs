//! Asking two stores the same and comparing what they answer. What a port leaves open must be
//! compared as such: numbers of statement lines, and the order of what is due at one moment.

use crate::builders::provider_id;
use crate::contract::storage::Stores;
use domain::account::AccountId;
use domain::money::Currency;
use domain::statement::{Sort, StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::audit::{CheckOutcome, Serving};
use ports::backlog::OpenState;
use proptest::prop_assert;
use proptest::test_runner::TestCaseError;
use std::fmt::Debug;

/// Whether a comparison goes on.
pub(super) type Agreement = Result<(), TestCaseError>;

/// More than a sequence can ever make due or under review: which of those due at one moment come
/// first under a smaller limit is left open by the port.
pub(super) const EVERYTHING: u32 = 10_000;

/// The providers of a sequence.
pub(super) const PROVIDERS: [&str; 2] = ["sandbox", "airwave"];

/// Two stores that must agree.
pub(super) struct Pair {
    pub(super) reference: Stores,
    pub(super) candidate: Stores,
}

/// Asks both stores the same and compares what they answer. A part that fails, fails the
/// comparison.
macro_rules! both {
    ($pair:expr, |$stores:ident| $ask:expr) => {{
        let expected = {
            let $stores = &$pair.reference;
            working($ask.await)?
        };
        let answered = {
            let $stores = &$pair.candidate;
            working($ask.await)?
        };
        (expected, answered)
    }};
}
pub(super) use both;

pub(super) fn working<T>(answer: Result<T, PortError>) -> Result<T, TestCaseError> {
    answer.map_err(|error| TestCaseError::fail(format!("a store failed: {error:?}")))
}

pub(super) fn agree<T: Debug + PartialEq>(
    what: &str,
    (expected, answered): (T, T),
) -> Result<T, TestCaseError> {
    prop_assert!(
        expected == answered,
        "{what}:\n reference {expected:?}\n candidate {answered:?}"
    );
    Ok(expected)
}

/// Puts transactions into one order, whatever order a store lists them in.
pub(super) fn sort(transactions: &mut [Transaction]) {
    transactions.sort_by(|left, right| {
        let accounts = left.account.cmp(&right.account);
        accounts.then(left.number.cmp(&right.number))
    });
}

impl Pair {
    pub(super) async fn read_account(&self, id: &AccountId) -> Agreement {
        agree(
            "credentials",
            both!(self, |stores| stores.accounts.credentials(id)),
        )?;
        agree(
            "wallets",
            both!(self, |stores| stores.transactions.wallets(id)),
        )
        .map(drop)
    }

    pub(super) async fn read_transaction(&self, tx: &Transaction) -> Agreement {
        let (account, under, number) = (&tx.account, &tx.reference, tx.number);
        let found = both!(self, |stores| stores
            .transactions
            .by_reference(account, under));
        agree("transaction", found)?;
        agree(
            "wallets",
            both!(self, |stores| stores.transactions.wallets(account)),
        )?;
        agree(
            "events",
            both!(self, |stores| stores.transactions.events(account, number)),
        )?;
        let transfers = both!(self, |stores| stores
            .transactions
            .transfers(account, number));
        agree("transfers", transfers).map(drop)
    }

    pub(super) async fn statement(
        &self,
        account: &AccountId,
        query: &StatementQuery,
    ) -> Result<StatementPage, TestCaseError> {
        let pages = both!(self, |stores| stores.transactions.statement(account, query));
        agree("statement", pages)
    }

    /// Compares the references that only the provider knew, and what they were settled as.
    pub(super) async fn read_noted(&self) -> Agreement {
        let provider = provider_id(PROVIDERS[0]);
        let (mut expected, mut answered) =
            both!(self, |stores| stores.reconciliation.noted(&provider));
        expected.sort_by(|left, right| left.reference.cmp(&right.reference));
        answered.sort_by(|left, right| left.reference.cmp(&right.reference));
        agree("noted references", (expected, answered)).map(drop)
    }

    /// Compares what is listed of all accounts together.
    pub(super) async fn read_lists(&self, now: Timestamp) -> Agreement {
        agree("accounts", both!(self, |stores| stores.accounts.list()))?;
        for state in OpenState::ALL {
            agree(
                "not final",
                both!(self, |stores| stores
                    .transactions
                    .unsettled(state, EVERYTHING)),
            )?;
        }
        self.read_noted().await?;
        self.audit(now).await
    }

    /// Compares the whole statement of one of an account's wallets, page by page.
    pub(super) async fn read_statement(
        &self,
        account: &AccountId,
        currency: Currency,
    ) -> Agreement {
        let mut page = StatementQuery {
            currency,
            offset: 0,
            length: 100,
            sort: Sort::Ascending,
            reference: None,
            direction: None,
        };
        while page.offset < self.statement(account, &page).await?.total {
            page.offset += u64::from(page.length);
        }
        Ok(())
    }

    /// Compares the attempts; both audits must be clean.
    async fn audit(&self, now: Timestamp) -> Agreement {
        for name in PROVIDERS {
            let provider = provider_id(name);
            let (mut expected, mut answered) =
                both!(self, |stores| stores.audit.attempts(&provider));
            expected.sort_by(|left, right| left.reference.cmp(&right.reference));
            answered.sort_by(|left, right| left.reference.cmp(&right.reference));
            agree("attempts", (expected, answered))?;
        }
        let checks = both!(self, |stores| stores.audit.audit(now, Serving::No));
        for check in checks.0.into_iter().chain(checks.1) {
            let broken = matches!(check.outcome, CheckOutcome::Broken { .. });
            prop_assert!(!broken, "audit: {check:?}");
        }
        Ok(())
    }
}
