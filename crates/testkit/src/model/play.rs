//! Playing operations on two stores and comparing what they answer. What a port leaves open must be
//! compared as such: numbers of statement lines, and the order of what is due at one moment.

use super::agreement::{Agreement, EVERYTHING, PROVIDERS, Pair, agree, both, sort, working};
use super::operation::{ACCOUNTS, Missing, ModelOpening, ModelOperation, order_reference};
use crate::builders::{START, account, apply, key, kobo, number, provider_id, reference};
use crate::contract::storage::Stores;
use crate::strategies::ArbitraryObservation;
use domain::account::{AccountId, AccountStatus};
use domain::change_set::{ChangeSet, Funding, Origin, StateChange};
use domain::credential::{KeyId, KeyRecord};
use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};
use domain::money::{Currency, Money};
use domain::opening::Draft;
use domain::order::Order;
use domain::reference::ProviderReference;
use domain::reference_settlement::{ReferenceSettlement, ReferenceToSettle, SettledAs};
use domain::time::Timestamp;
use domain::transaction::{AttemptNumber, PreparedAttempt, Transaction};
use domain::user::{Recipient, UserOrder};
use ports::accounts::NewAccount;
use ports::ledger_store::CommitOutcome;
use ports::reconciliation::{Acknowledgement, Clearance};
use ports::transactions::Claim;
use proptest::test_runner::TestCaseError;
use std::collections::BTreeMap;
use std::time::Duration;

/// Two stores that must agree.
pub(super) struct ModelComparison {
    pub(super) pair: Pair,
    now: Timestamp,
    /// Every transaction opened so far, with each version it had, oldest first.
    opened: Vec<Vec<Transaction>>,
    last_change: Option<ChangeSet>,
    created: BTreeMap<u8, u8>,
}

/// The funding reference of the credits that accounts begin with: none that operations draw.
const OPENING_CREDITS: u8 = u8::MAX;

pub(super) fn named(account: u8) -> AccountId {
    AccountId::parse(&format!("shop-{account}")).expect("an identity")
}

fn provider_reference(missing: &Missing) -> ProviderReference {
    let attempt = AttemptNumber::try_new(1 + u8::from(missing.second)).expect("1 or 2");
    let under = order_reference(missing.name);
    ProviderReference::derive(&named(missing.account), &under, attempt)
}

impl ModelComparison {
    pub(super) fn new(reference: Stores, candidate: Stores) -> Self {
        Self {
            pair: Pair {
                reference,
                candidate,
            },
            now: START,
            opened: Vec::new(),
            last_change: None,
            created: BTreeMap::new(),
        }
    }

    pub(super) const fn now(&self) -> Timestamp {
        self.now
    }

    /// Opens every account but the last.
    pub(super) async fn prepare(&mut self) -> Agreement {
        for account in 0..ACCOUNTS - 1 {
            self.create(account, 3_000_000_000).await?;
            let credits = Money::from_minor(1_000_000_000, Currency::Crd);
            self.fund(account, OPENING_CREDITS, credits).await?;
        }
        Ok(())
    }

    pub(super) async fn play(&mut self, operation: &ModelOperation) -> Agreement {
        match operation {
            ModelOperation::Create { account, balance } => self.create(*account, *balance).await,
            ModelOperation::SetStatus { account, active } => {
                self.set_status(*account, *active).await
            }
            ModelOperation::SetMessageCurrency { account, currency } => {
                self.set_message_currency(*account, *currency).await
            }
            ModelOperation::AddKey { account, key } => self.add_key(*account, *key).await,
            ModelOperation::RevokeKeys { account, key } => self.revoke_keys(*account, *key).await,
            ModelOperation::Fund {
                account,
                name,
                amount,
            } => self.fund(*account, *name, *amount).await,
            ModelOperation::Open(opened) => self.open(opened).await,
            ModelOperation::Note(missing) => self.note(missing).await,
            ModelOperation::Settle {
                missing,
                settled_as,
            } => self.settle(missing, *settled_as).await,
            ModelOperation::Learn { which, observation } => {
                self.apply_observation(*which, observation).await
            }
            ModelOperation::Stale { which, observation } => self.stale(*which, observation).await,
            ModelOperation::Repeat => self.repeat().await,
            ModelOperation::Claim { lease } => self.claim(Duration::from_secs(*lease)).await,
            ModelOperation::Reclaim => self.reclaim().await,
            ModelOperation::Pass(duration) => {
                self.now = self.now.plus(*duration);
                Ok(())
            }
            ModelOperation::Statement { account, query } => {
                let account = named(*account);
                self.pair.statement(&account, query).await.map(drop)
            }
            ModelOperation::Move(movement) => self.move_money(movement).await,
            ModelOperation::ReadEverything => self.read_everything().await,
        }
    }

    async fn create(&mut self, index: u8, balance: i64) -> Agreement {
        let id = named(index);
        let again = self.created.entry(index).or_insert(0);
        *again += 1;
        let funding = (balance > 0).then(|| Funding {
            account: id.clone(),
            reference: reference("opening-balance"),
            amount: kobo(balance),
            narration: "Opening balance".into(),
            at: self.now,
        });
        let new = NewAccount {
            funding,
            ..account(id.as_str())
                .opened_at(self.now)
                .with_key(key(*again))
                .new_account()
        };
        agree(
            "create",
            both!(self.pair, |stores| stores.accounts.create(&new)),
        )?;
        self.pair.read_account(&id).await
    }

    async fn set_status(&mut self, index: u8, active: bool) -> Agreement {
        let status = if active {
            AccountStatus::Active
        } else {
            AccountStatus::Suspended
        };
        let id = named(index);
        let verdicts = both!(self.pair, |stores| stores.accounts.set_status(&id, status));
        agree("set status", verdicts)?;
        self.pair.read_account(&id).await
    }

    async fn set_message_currency(&mut self, index: u8, currency: Currency) -> Agreement {
        let id = named(index);
        let verdicts = both!(self.pair, |stores| stores
            .accounts
            .set_message_currency(&id, currency));
        agree("set the currency of messages", verdicts)?;
        self.pair.read_account(&id).await
    }

    async fn add_key(&mut self, index: u8, which: u8) -> Agreement {
        self.now = self.now.plus(Duration::from_millis(1));
        let id = named(index);
        let new = KeyRecord {
            // The same key is added again under another number, as no key ever is.
            id: KeyId(self.now.as_millis()),
            created_at: self.now,
            ..key(which)
        };
        agree(
            "add key",
            both!(self.pair, |stores| stores.accounts.add_key(&id, &new)),
        )?;
        self.pair.read_account(&id).await
    }

    async fn revoke_keys(&mut self, index: u8, which: Option<u8>) -> Agreement {
        let id = named(index);
        let hint = which.map(|which| key(which).hint);
        let (hint, now) = (hint.as_deref(), self.now);
        let counts = both!(self.pair, |stores| stores
            .accounts
            .revoke_keys(&id, hint, now));
        agree("revoke keys", counts)?;
        self.pair.read_account(&id).await
    }

    async fn fund(&mut self, index: u8, name: u8, amount: Money) -> Agreement {
        let funding = Funding {
            account: named(index),
            reference: reference(&format!("slip-{name}")),
            amount,
            narration: format!("Paid in {amount}"),
            at: self.now,
        };
        self.commit(ChangeSet::Fund(funding)).await?;
        self.pair.read_account(&named(index)).await
    }

    async fn open(&mut self, opened: &ModelOpening) -> Agreement {
        let draft = Draft {
            number: number(opened.number),
            account: named(opened.account),
            reference: order_reference(opened.name),
            idempotency: opened.key.map(|key| Idempotency {
                key: IdempotencyKey::parse(&format!("key {key}")).expect("a key"),
                fingerprint: RequestFingerprint([opened.name; 32]),
            }),
            order: paying_another(opened),
            quote: opened.quote.clone(),
            prepared: PreparedAttempt::derived(
                provider_id(PROVIDERS[usize::from(opened.elsewhere)]),
                (&named(opened.account), &order_reference(opened.name)),
                AttemptNumber::FIRST,
            ),
            route: None,
        };
        let mut opening = draft.open(self.now, self.now.plus(opened.due_in));
        if opened.journalled {
            opening.origin = Origin::Journal;
        }
        let transaction = opening.transaction.clone();
        let change = ChangeSet::Open(Box::new(opening));
        if self.commit(change).await? == CommitOutcome::Done {
            self.opened.push(vec![transaction.clone()]);
        }
        self.pair.read_transaction(&transaction).await
    }

    async fn note(&mut self, missing: &[Missing]) -> Agreement {
        let suspended = both!(self.pair, |stores| stores
            .reconciliation
            .suspend("a comparison", Clearance::Person));
        agree("suspend", suspended)?;
        let word = Acknowledgement {
            by: "a person".to_owned(),
            provider: provider_id(PROVIDERS[0]),
            compared: 9,
            missing: missing
                .iter()
                .map(|it| provider_reference(it).into())
                .collect(),
            wanted: Vec::new(),
        };
        let acknowledged = both!(self.pair, |stores| stores.reconciliation.acknowledge(&word));
        agree("acknowledge", acknowledged)?;
        self.pair.read_noted().await
    }

    async fn settle(&mut self, missing: &Missing, settled_as: SettledAs) -> Agreement {
        let of = ReferenceToSettle::new(provider_reference(missing), provider_id(PROVIDERS[0]));
        let decided = ("a person".to_owned(), self.now);
        let settlement = ReferenceSettlement::try_new(of, settled_as, decided);
        let settlement = settlement.expect("the reference is ours");
        self.commit(ChangeSet::Settle(Box::new(settlement))).await?;
        self.pair.read_account(&named(missing.account)).await?;
        self.pair.read_noted().await
    }

    async fn apply_observation(
        &mut self,
        which: usize,
        observation: &ArbitraryObservation,
    ) -> Agreement {
        let Some(place) = self.place(which) else {
            return Ok(());
        };
        let current = self.opened[place].last().expect("it was opened").clone();
        let Some(step) = apply(&current, &observation.about(&current), self.now) else {
            return Ok(());
        };
        self.step(place, step).await
    }

    async fn stale(&mut self, which: usize, observation: &ArbitraryObservation) -> Agreement {
        let Some(place) = self.place(which) else {
            return Ok(());
        };
        let first = self.opened[place][0].clone();
        let Some(step) = apply(&first, &observation.about(&first), self.now) else {
            return Ok(());
        };
        self.step(place, step).await
    }

    async fn step(&mut self, place: usize, step: StateChange) -> Agreement {
        let after = step.transaction.clone();
        let change = ChangeSet::Advance(Box::new(step));
        if self.commit(change).await? == CommitOutcome::Done {
            self.opened[place].push(after.clone());
        }
        self.pair.read_transaction(&after).await
    }

    async fn repeat(&mut self) -> Agreement {
        let Some(change) = self.last_change.clone() else {
            return Ok(());
        };
        // An opening that was refused for what has changed since may succeed now.
        let opening = match &change {
            ChangeSet::Open(opening) => Some(opening.transaction.clone()),
            ChangeSet::Fund(_)
            | ChangeSet::OpenBatch(_)
            | ChangeSet::Advance(_)
            | ChangeSet::Settle(_)
            | ChangeSet::Collect(_)
            | ChangeSet::Voucher(_) => None,
        };
        let verdict = self.commit(change).await?;
        self.opened.extend(
            opening
                .filter(|_| verdict == CommitOutcome::Done)
                .map(|tx| vec![tx]),
        );
        Ok(())
    }

    async fn claim(&mut self, lease: Duration) -> Agreement {
        let claim = Claim {
            now: self.now,
            lease,
            limit: EVERYTHING,
        };
        let (mut expected, mut answered) =
            both!(self.pair, |stores| stores.leases.claim_due(claim));
        sort(&mut expected);
        sort(&mut answered);
        agree("claim", (expected, answered)).map(drop)
    }

    async fn reclaim(&mut self) -> Agreement {
        let now = self.now;
        let counts = both!(self.pair, |stores| stores.leases.reclaim_orphans(now));
        agree("reclaim", counts).map(drop)
    }

    pub(super) async fn commit(
        &mut self,
        change: ChangeSet,
    ) -> Result<CommitOutcome, TestCaseError> {
        self.last_change = Some(change.clone());
        let verdicts = both!(self.pair, |stores| stores.books.commit(change.clone()));
        agree("commit", verdicts)
    }

    fn place(&self, which: usize) -> Option<usize> {
        which.checked_rem(self.opened.len())
    }

    /// Compares everything there is to read.
    pub(super) async fn read_everything(&self) -> Agreement {
        for index in 0..ACCOUNTS {
            self.read_movements(&named(index)).await?;
            for currency in Currency::ALL {
                self.pair.read_statement(&named(index), currency).await?;
            }
        }
        for versions in &self.opened {
            let last = versions.last().expect("it was opened");
            self.pair.read_transaction(last).await?;
        }
        self.pair.read_lists(self.now).await
    }
}

/// The order of an opening; one for another account pays one of the model's.
fn paying_another(opened: &ModelOpening) -> Order {
    let mut order = opened.order.clone();
    if let Order::User(UserOrder {
        recipient: Recipient::Account(payee),
        ..
    }) = &mut order
    {
        payee.account = named((opened.account + 1) % ACCOUNTS);
    }
    order
}
