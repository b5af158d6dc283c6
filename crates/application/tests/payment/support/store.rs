//! The reference store, under fault injection. It must change nothing but what arrives.

use super::fault_injector::{FaultInjector, InjectedFault, Reads};
use async_trait::async_trait;
use domain::account::{AccountContact, AccountId, AccountIdentity, AccountStatus};
use domain::change_set::ChangeSet;
use domain::credential::KeyRecord;
use domain::environment::Environment;
use domain::event::Event;
use domain::ledger::{Transfer, Wallet};
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, ProviderReference, TransactionNumber};
use domain::statement::{StatementPage, StatementQuery};
use domain::time::Timestamp;
use domain::transaction::Transaction;
use ports::PortError;
use ports::accounts::{Accounts, ContactChange, Created, Credentials, NewAccount};
use ports::backlog::OpenState;
use ports::changes::{
    ChangeId, Cursor, CursorMove, DeadLetter, ProviderChanges, Retried, SetAside,
};
use ports::clock::Clock;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use ports::transactions::{
    AttemptKey, Claim, ClaimableTransfer, ClaimedPlace, Leases, TransactionRange, Transactions,
};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use testkit::clock::ManualClock;
use testkit::memory::MemoryStore;

/// A store under fault injection.
#[derive(Debug)]
pub(crate) struct ExposedStore {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) faults: Arc<FaultInjector>,
    pub(crate) clock: Arc<ManualClock>,
}

impl ExposedStore {
    async fn call<T>(
        &self,
        inside: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        self.after(self.faults.next_fault(), inside).await
    }

    /// A call that is made on a count of rounds.
    async fn background<T>(
        &self,
        inside: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        self.after(self.faults.random_fault(), inside).await
    }

    async fn after<T>(
        &self,
        fault: Option<InjectedFault>,
        inside: impl Future<Output = Result<T, PortError>>,
    ) -> Result<T, PortError> {
        let [there, back] = self.faults.journey();
        self.clock.sleep(there).await;
        let answer = match fault {
            None => inside.await,
            Some(InjectedFault::RequestLost) => {
                Err(PortError::new("faults", "the request was lost"))
            }
            Some(InjectedFault::ResponseLost) => {
                inside.await?;
                Err(PortError::new("faults", "the response was lost"))
            }
        };
        self.clock.sleep(back).await;
        answer
    }
}

#[async_trait]
impl LedgerStore for ExposedStore {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        self.call(self.store.commit(change)).await
    }
}

#[async_trait]
impl Transactions for ExposedStore {
    async fn by_reference(
        &self,
        account: &AccountId,
        reference: &MerchantReference,
    ) -> Result<Option<Transaction>, PortError> {
        match self.faults.reads() {
            Reads::Work => {}
            Reads::Fail => return Err(PortError::new("faults", "nothing can be read")),
            Reads::Take(duration) => self.clock.sleep(duration).await,
        }
        self.call(self.store.by_reference(account, reference)).await
    }

    async fn newest(
        &self,
        account: &AccountId,
        range: &TransactionRange,
    ) -> Result<Vec<Transaction>, PortError> {
        self.call(self.store.newest(account, range)).await
    }

    async fn by_provider_reference(
        &self,
        reference: &ProviderReference,
    ) -> Result<Option<Transaction>, PortError> {
        self.call(self.store.by_provider_reference(reference)).await
    }

    async fn wallets(&self, account: &AccountId) -> Result<Vec<Wallet>, PortError> {
        self.call(self.store.wallets(account)).await
    }

    async fn statement(
        &self,
        account: &AccountId,
        query: &StatementQuery,
    ) -> Result<StatementPage, PortError> {
        self.call(self.store.statement(account, query)).await
    }

    async fn transfers(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Transfer>, PortError> {
        self.call(self.store.transfers(account, number)).await
    }

    async fn events(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Vec<Event>, PortError> {
        self.call(self.store.events(account, number)).await
    }

    async fn unsettled(&self, state: OpenState, limit: u32) -> Result<Vec<Transaction>, PortError> {
        self.call(self.store.unsettled(state, limit)).await
    }

    async fn due_at(
        &self,
        account: &AccountId,
        number: TransactionNumber,
    ) -> Result<Option<Timestamp>, PortError> {
        self.call(self.store.due_at(account, number)).await
    }
}

#[async_trait]
impl Leases for ExposedStore {
    async fn claim_due(&self, claim: Claim) -> Result<Vec<Transaction>, PortError> {
        self.call(self.store.claim_due(claim)).await
    }

    async fn claim_queued(
        &self,
        claim: Claim,
        except: &[AccountId],
    ) -> Result<Vec<ClaimedPlace>, PortError> {
        self.call(self.store.claim_queued(claim, except)).await
    }

    async fn claimable(&self, limit: u32) -> Result<Vec<ClaimableTransfer>, PortError> {
        self.call(self.store.claimable(limit)).await
    }

    async fn unclaimed(&self, account: &AccountId) -> Result<u64, PortError> {
        self.call(self.store.unclaimed(account)).await
    }

    async fn reclaim_orphans(&self, now: Timestamp) -> Result<u64, PortError> {
        self.call(self.store.reclaim_orphans(now)).await
    }

    /// Never with a fault: it is called on a count of rounds, and would shift every later fault.
    async fn bound_due(&self, now: Timestamp, longest: Duration) -> Result<u64, PortError> {
        self.store.bound_due(now, longest).await
    }

    async fn may_send(&self, attempt: &AttemptKey) -> Result<bool, PortError> {
        self.call(self.store.may_send(attempt)).await
    }
}

#[async_trait]
impl ProviderChanges for ExposedStore {
    async fn cursor(&self, provider: &ProviderId) -> Result<Option<Cursor>, PortError> {
        self.background(self.store.cursor(provider)).await
    }

    async fn advance(&self, step: &CursorMove) -> Result<u64, PortError> {
        self.background(self.store.advance(step)).await
    }

    async fn set_aside(&self, letter: &DeadLetter, open_max: u64) -> Result<SetAside, PortError> {
        let inside = self.store.set_aside(letter, open_max);
        self.background(inside).await
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        self.background(self.store.due(now, limit)).await
    }

    async fn retried(&self, id: &ChangeId, retried: &Retried) -> Result<bool, PortError> {
        self.background(self.store.retried(id, retried)).await
    }

    async fn resolve(&self, id: &ChangeId, at: Timestamp) -> Result<bool, PortError> {
        self.background(self.store.resolve(id, at)).await
    }

    async fn open_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        self.background(self.store.open_letters(limit)).await
    }

    async fn make_due(&self, now: Timestamp) -> Result<u64, PortError> {
        self.background(self.store.make_due(now)).await
    }
}

#[async_trait]
impl Accounts for ExposedStore {
    async fn create(&self, new: &NewAccount) -> Result<Created, PortError> {
        self.call(self.store.create(new)).await
    }

    async fn credentials(&self, id: &AccountId) -> Result<Option<Credentials>, PortError> {
        self.call(self.store.credentials(id)).await
    }

    async fn account_by_identity(
        &self,
        environment: Environment,
        identity: &AccountIdentity,
    ) -> Result<Option<domain::account::Account>, PortError> {
        let found = self.store.account_by_identity(environment, identity);
        self.call(found).await
    }

    async fn list(&self) -> Result<Vec<(domain::account::Account, Vec<Wallet>)>, PortError> {
        self.call(self.store.list()).await
    }

    async fn set_status(&self, id: &AccountId, status: AccountStatus) -> Result<bool, PortError> {
        self.call(self.store.set_status(id, status)).await
    }

    async fn set_contact(
        &self,
        id: &AccountId,
        known: &AccountContact,
        contact: &AccountContact,
    ) -> Result<ContactChange, PortError> {
        self.call(self.store.set_contact(id, known, contact)).await
    }

    async fn set_message_currency(
        &self,
        id: &AccountId,
        currency: Currency,
    ) -> Result<bool, PortError> {
        let set = self.store.set_message_currency(id, currency);
        self.call(set).await
    }

    async fn set_low_balance(
        &self,
        id: &AccountId,
        currency: Currency,
        below: Option<Money>,
    ) -> Result<bool, PortError> {
        let set = self.store.set_low_balance(id, currency, below);
        self.call(set).await
    }

    async fn add_key(&self, id: &AccountId, key: &KeyRecord) -> Result<bool, PortError> {
        self.call(self.store.add_key(id, key)).await
    }

    async fn revoke_keys(
        &self,
        id: &AccountId,
        hint: Option<&str>,
        now: Timestamp,
    ) -> Result<u64, PortError> {
        self.call(self.store.revoke_keys(id, hint, now)).await
    }
}
