//! The log of what operators do, as a list.

use super::MemoryStore;
use async_trait::async_trait;
use domain::freeze::FreezeMaker;
use domain::operator::{Act, OperatorEntry};
use ports::PortError;
use ports::operators::{Appended, OperatorLog, SignedEffect};

#[async_trait]
impl OperatorLog for MemoryStore {
    async fn append(&self, entry: &OperatorEntry) -> Result<Appended, PortError> {
        let log = &mut self.tables().operator_log;
        if u64::try_from(log.len()).ok() != entry.number.checked_sub(1) {
            return Ok(Appended::Behind);
        }
        log.push(entry.clone());
        Ok(Appended::Done)
    }

    async fn last(&self) -> Result<Option<OperatorEntry>, PortError> {
        Ok(self.tables().operator_log.last().cloned())
    }

    async fn entries(&self, after: u64, limit: u32) -> Result<Vec<OperatorEntry>, PortError> {
        let tables = self.tables();
        let entries = tables.operator_log.iter().filter(|it| it.number > after);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(entries.take(limit).cloned().collect())
    }

    async fn of_acts(&self, acts: &[Act]) -> Result<Vec<OperatorEntry>, PortError> {
        let tables = self.tables();
        let wanted = |it: &&OperatorEntry| acts.contains(&it.order.act);
        let entries = tables.operator_log.iter().filter(wanted);
        Ok(entries.cloned().collect())
    }

    async fn effects(&self) -> Result<Vec<SignedEffect>, PortError> {
        let tables = self.tables();
        let mut effects = Vec::new();
        for row in &tables.accounts {
            let id = &row.account.id;
            let contact = row.account.contact.clone();
            effects.push(SignedEffect::Account(id.clone(), contact));
            let keys = row.keys.iter();
            effects.extend(keys.map(|key| SignedEffect::Key(id.clone(), key.hint.clone())));
        }
        effects.extend(
            tables.fundings.iter().map(|it| {
                SignedEffect::Funding(it.account.clone(), it.reference.clone(), it.amount)
            }),
        );
        let paid = tables.transactions.iter().filter_map(|row| {
            let (account, identity) = row.transaction.paid_by_address()?;
            Some(SignedEffect::Paid(account.clone(), identity.clone()))
        });
        effects.extend(paid);
        effects.extend(tables.decided.iter().cloned());
        let by_operators = tables.freezes.iter().map(|row| &row.freeze);
        let by_operators = by_operators.filter(|it| it.made_by == FreezeMaker::Operator);
        effects.extend(by_operators.map(|it| {
            let (account, reason) = (it.account.clone(), it.reason.clone());
            SignedEffect::Freeze(account, it.target, it.state, reason)
        }));
        effects.extend(tables.prefundings.iter().map(|it| {
            let (provider, reference) = (it.provider.clone(), it.reference.clone());
            SignedEffect::Prefunding(provider, reference, it.amount, it.by.clone())
        }));
        Ok(effects)
    }
}
