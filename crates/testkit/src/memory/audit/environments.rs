//! I22: real money and test money stay apart.

use super::{Check, MemoryTables};
use ports::audit::CheckResult;

impl MemoryTables {
    pub(super) fn i22_attempts_stay_in_their_environment(&self) -> CheckResult {
        let rule = "Every attempt of an account was made at a provider of its environment, and \
                    its keys are of it.";
        let mut check = Check::new("I22", rule);
        for tx in self.all() {
            let owner = self.account(&tx.account).map(|it| it.account.environment);
            for attempt in tx.attempts() {
                let provider = tx.provider_of(attempt);
                check.row(owner == Some(self.environment(provider)), || {
                    format!("transaction {} has an attempt at {provider}", tx.number)
                });
            }
        }
        for owner in &self.accounts {
            let prefix = owner.account.environment.key_prefix();
            for key in &owner.keys {
                check.row(key.hint.starts_with(prefix), || {
                    format!("account {} has the key {}", owner.account.id, key.hint)
                });
            }
        }
        check.result()
    }
}
