//! Sender identities of messages. What was registered must stay as it was registered.

use super::MemoryStore;
use async_trait::async_trait;
use domain::account::AccountId;
use domain::environment::Environment;
use domain::sms::{Sender, SenderName, SenderSerial, SenderStatus};
use domain::time::Timestamp;
use ports::PortError;
use ports::senders::{SenderRegistration, Senders};

#[async_trait]
impl Senders for MemoryStore {
    async fn register(&self, sender: &Sender) -> Result<SenderRegistration, PortError> {
        let mut tables = self.tables();
        if tables.account(&sender.account).is_none() {
            return Ok(SenderRegistration::AccountUnknown);
        }
        let same_name = |known: &Sender| {
            let (known_name, name) = (known.name.as_str(), sender.name.as_str());
            known.account == sender.account && known_name.eq_ignore_ascii_case(name)
        };
        if tables.senders.iter().any(same_name) {
            return Ok(SenderRegistration::NameTaken);
        }
        let same_serial = |known: &Sender| known.serial == sender.serial;
        if tables.senders.iter().any(same_serial) {
            return Ok(SenderRegistration::SerialTaken);
        }
        tables.senders.push(sender.clone());
        Ok(SenderRegistration::Done)
    }

    async fn sender(
        &self,
        account: &AccountId,
        serial: &SenderSerial,
    ) -> Result<Option<Sender>, PortError> {
        let tables = self.tables();
        let wanted = |sender: &&Sender| sender.account == *account && sender.serial == *serial;
        Ok(tables.senders.iter().find(wanted).cloned())
    }

    async fn decide(
        &self,
        serial: &SenderSerial,
        status: SenderStatus,
        now: Timestamp,
    ) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let mut senders = tables.senders.iter_mut();
        let Some(sender) = senders.find(|sender| sender.serial == *serial) else {
            return Ok(false);
        };
        sender.status = status;
        sender.decided_at = Some(now);
        Ok(true)
    }

    async fn senders(&self, account: Option<&AccountId>) -> Result<Vec<Sender>, PortError> {
        let tables = self.tables();
        let wanted = |sender: &&Sender| account.is_none_or(|account| sender.account == *account);
        let mut found: Vec<_> = tables.senders.iter().filter(wanted).cloned().collect();
        found
            .sort_by(|left, right| (&left.account, &left.name).cmp(&(&right.account, &right.name)));
        Ok(found)
    }

    async fn approved_under(
        &self,
        name: &SenderName,
        environment: Environment,
    ) -> Result<Vec<Sender>, PortError> {
        let tables = self.tables();
        let is_there = |account: &AccountId| {
            let row = tables.account(account);
            row.is_some_and(|row| row.account.environment == environment)
        };
        let wanted = |sender: &&Sender| {
            sender.status == SenderStatus::Approved
                && sender.name.as_str().eq_ignore_ascii_case(name.as_str())
                && is_there(&sender.account)
        };
        let found = tables.senders.iter().filter(wanted).take(2);
        Ok(found.cloned().collect())
    }
}
