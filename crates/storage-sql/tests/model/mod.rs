//! A store that applies plans to plain maps, to test what is shared without a database.

use domain::account::{AccountId, AccountStatus};
use domain::money::{Currency, Money};
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use domain::transaction::Transaction;
use domain::webhook::Topic;
use key_ring::KeyRing;
use std::collections::{BTreeMap, BTreeSet};
use storage_sql::field_cipher::FieldCipher;
use storage_sql::planner::{BatchPlan, ReadSet, VoucherRows, WalletState, WorkingSet};
use storage_sql::record::{
    AccountRow, AnnouncedRow, EventKey, FundingRow, NotedRow, StoredProgress, StoredPurchase,
    SubscriberRow, TransactionRow, attempts, direction_code, state_code,
};

/// The account of a transaction and the number it has there.
pub(crate) type Id = (String, i64);

/// Everything a plan can write, in a form that can be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ModelTables {
    /// By account and the code of the currency.
    pub(crate) wallets: BTreeMap<(String, String), AccountRow>,
    pub(crate) transactions: BTreeMap<Id, TransactionRow>,
    pub(crate) due: BTreeMap<Id, Option<i64>>,
    pub(crate) attempts: BTreeMap<(Id, u8), String>,
    pub(crate) transfers: Vec<String>,
    pub(crate) events: Vec<String>,
    pub(crate) subscribers: Vec<SubscriberRow>,
    /// What is to be delivered: to whom, of what kind, the numbers of its name, and the version of
    /// the transaction it shows.
    pub(crate) announced: Vec<(i64, Topic, EventKey, Option<i32>)>,
    /// Which transfer booked it, and how much it was.
    pub(crate) fundings: BTreeMap<(String, String), (usize, Money)>,
    /// References that only a provider knew.
    pub(crate) noted: Vec<NotedRow>,
    /// Whether nothing new may be opened.
    pub(crate) held: bool,
    /// Each provider that was registered, with its environment.
    pub(crate) environments: Vec<(String, String)>,
}

impl ModelTables {
    /// With so much in each of its wallets.
    pub(crate) fn with_account(mut self, id: &str, available: i64, status: AccountStatus) -> Self {
        for currency in Currency::ALL {
            let row = AccountRow {
                id: id.to_owned(),
                status: match status {
                    AccountStatus::Active => "active".to_owned(),
                    AccountStatus::Suspended => "suspended".to_owned(),
                },
                environment: "test".to_owned(),
                currency: currency.code().to_owned(),
                available,
                ..AccountRow::default()
            };
            self.wallets
                .insert((id.to_owned(), currency.code().to_owned()), row);
        }
        self
    }

    fn subscribers(&self, wanted: &BTreeSet<&AccountId>) -> Vec<SubscriberRow> {
        let wanted = |row: &&SubscriberRow| wanted.iter().any(|id| id.as_str() == row.account);
        self.subscribers.iter().filter(wanted).cloned().collect()
    }

    /// What of it a batch needs.
    pub(crate) fn working_set(&self, needs: &ReadSet<'_>) -> WorkingSet {
        let wanted = |row: &&TransactionRow| {
            let name = (row.account.as_str(), row.reference.as_str());
            let by_number = needs
                .numbers
                .iter()
                .any(|(id, n)| id.as_str() == row.account && signed(n.get()) == row.number);
            let by_reference = needs
                .references
                .iter()
                .any(|(id, it)| (id.as_str(), it.as_str()) == name);
            let by_key = needs.keys.iter().any(|(id, key)| {
                id.as_str() == row.account && row.idempotency_key.as_deref() == Some(key.as_str())
            });
            by_number || by_reference || by_key
        };
        let wallets = needs.wallets.keys().filter_map(|(id, currency)| {
            let name = (id.to_string(), currency.code().to_owned());
            self.wallets.get(&name)
        });
        let funded = |(id, name): &(&AccountId, &MerchantReference)| {
            let name = (id.to_string(), name.to_string());
            let (_, amount) = self.fundings.get(&name)?;
            Some(FundingRow {
                account: name.0,
                reference: name.1,
                amount: amount.minor(),
                currency: amount.currency().code().to_owned(),
            })
        };
        let mut known = WorkingSet {
            wallets: wallets.cloned().collect(),
            transactions: self.transactions.values().filter(wanted).cloned().collect(),
            batches: Vec::new(),
            fundings: needs.fundings.iter().filter_map(funded).collect(),
            subscribers: self.subscribers(&needs.hearing),
            held: self.held,
            noted: self.noted.clone(),
            environments: self.environments.clone(),
            vouchers: VoucherRows::default(),
            collected: Vec::new(),
        };
        let low = self.subscribers(&needs.may_fall_low(&known));
        known.subscribers.extend(low);
        known
    }

    /// Writes a plan.
    pub(crate) fn apply(&mut self, plan: &BatchPlan<'_>) {
        for opening in &plan.openings {
            self.put(&opening.transaction);
            let id = id_of(&opening.transaction);
            self.due.insert(id, Some(opening.due_at.as_millis()));
        }
        for movement in &plan.movements {
            let tx = &movement.advance.transaction;
            let stored = self.transactions.get(&id_of(tx)).expect("it was opened");
            assert_eq!(stored.version, i64::from(movement.from_version));
            self.put(tx);
            self.due
                .insert(id_of(tx), movement.advance.due_at.map(Timestamp::as_millis));
        }
        let first = self.transfers.len();
        for entry in &plan.entries {
            let line = entry.line.map(|line| {
                let direction = direction_code(line.direction);
                (
                    direction,
                    line.position,
                    line.nth,
                    line.available_after.minor(),
                )
            });
            let (owner, account) = (entry.owner, entry.account());
            assert!(account.is_none_or(|account| account == owner));
            self.transfers
                .push(format!("{owner} {:?} {account:?} {line:?}", entry.transfer));
        }
        let reported = plan.events.iter();
        self.events
            .extend(reported.map(|reported| format!("{} {:?}", reported.account, reported.event)));
        self.announced.extend(plan.announced.iter().map(|it| {
            let AnnouncedRow {
                number,
                sequence,
                currency,
                version,
                ..
            } = AnnouncedRow::of(it, &cipher()).expect("a row");
            let key = EventKey {
                number,
                sequence,
                currency: domain::money::Currency::from_code(currency),
            };
            (it.endpoint, it.topic, key, version)
        }));
        for (funding, entry) in &plan.fundings {
            let name = (funding.account.to_string(), funding.reference.to_string());
            let booked = (first + entry, funding.amount);
            assert_eq!(self.fundings.insert(name, booked), None);
        }
        for settled in &plan.settlements {
            let waits = |it: &&mut NotedRow| {
                it.provider_reference == settled.reference().as_str() && it.settlement.is_none()
            };
            let row = self.noted.iter_mut().find(waits).expect("it waited");
            let amount = settled.settled_as().amount();
            row.settlement = Some(settled.settled_as().code().to_owned());
            row.amount = amount.map(Money::minor);
            row.currency = amount.map(|amount| amount.currency().code().to_owned());
        }
        for state in &plan.wallet_states {
            self.keep(state);
        }
    }

    fn put(&mut self, tx: &Transaction) {
        for attempt in attempts(tx) {
            self.attempts
                .insert((id_of(tx), attempt.number), attempt.state.to_owned());
        }
        self.transactions.insert(id_of(tx), row_of(tx));
    }

    fn keep(&mut self, state: &WalletState) {
        let wallet = &state.wallet;
        let name = (
            wallet.account.to_string(),
            wallet.currency().code().to_owned(),
        );
        let row = self.wallets.get_mut(&name).expect("it was read");
        row.available = wallet.available.minor();
        row.held = wallet.held.minor();
        row.debits = i64::try_from(state.debits).expect("a count");
        row.credits = i64::try_from(state.credits).expect("a count");
    }
}

fn id_of(tx: &Transaction) -> Id {
    (tx.account.to_string(), signed(tx.number.get()))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).expect("below 2^53")
}

fn row_of(tx: &Transaction) -> TransactionRow {
    TransactionRow {
        id: signed(tx.number.get()),
        number: signed(tx.number.get()),
        account: tx.account.to_string(),
        reference: tx.reference.to_string(),
        idempotency_key: tx.idempotency.as_ref().map(|it| it.key.as_str().to_owned()),
        request_fingerprint: tx.idempotency.as_ref().map(|it| it.fingerprint.0.to_vec()),
        provider: tx.prepared.first().provider.to_string(),
        state: state_code(&tx.state).to_owned(),
        purchase: serde_json::to_string(&StoredPurchase::of(tx)).expect("a record"),
        progress: serde_json::to_string(&StoredProgress::of(tx)).expect("a record"),
        version: i64::from(tx.version),
        token: None,
        sequence: i64::from(tx.sequence),
        opened_at: tx.opened_at.as_millis(),
        updated_at: tx.updated_at.as_millis(),
        ..TransactionRow::default()
    }
}

fn cipher() -> FieldCipher {
    FieldCipher::new(&KeyRing::generate([7; 32], ""), [1; 16])
}
