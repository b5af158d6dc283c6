//! I25: whether the rows of keys and users are as gateways wrote them. It must never mend one.

use super::seal::{is_key_sealed, is_user_sealed};
use crate::allowlists::allowlist_with_seal_checked;
use crate::freezes::freeze_with_seal_checked;
use crate::gateway::Gateway;
use crate::spending::with_seal_checked;
use domain::account::AccountId;
use domain::credential::KeyId;
use domain::freeze::FrozenServices;
use ports::PortError;
use ports::access_keys::AuditedRow;
use ports::allowlists::StoredAllowlist;
use ports::audit::{CheckOutcome, CheckResult, OFFENCES_MAX};
use ports::freezes::{AuditedFreezes, SealedFreeze, StoredFreeze};
use ports::spending_limits::StoredLimit;
use std::collections::BTreeMap;

const RULE: &str = "Every key that a merchant made, every user, limit, freeze and allowlist is \
                    stored as a gateway wrote it, no version of an allowlist is missing, and the \
                    keys of an account are of its environment.";

impl Gateway {
    /// The check of the keys and users that merchants make. It needs the pepper, so that no
    /// database can judge it.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn audit_access(&self) -> Result<CheckResult, PortError> {
        let rows = self.parts().access_keys.audited_rows().await?;
        let limits = self
            .parts()
            .spending_limits
            .spending_limit_versions()
            .await?;
        let freezes = self.parts().freezes.audited_freezes().await?;
        let lists = self.parts().allowlists.allowlist_versions().await?;
        let counts = [
            rows.len(),
            limits.len(),
            freezes.versions.len(),
            lists.len(),
        ];
        let examined = u64::try_from(counts.iter().sum::<usize>()).unwrap_or(u64::MAX);
        let mut offences: Vec<_> = rows.iter().filter_map(|row| self.offence(row)).collect();
        offences.extend(
            limits
                .into_iter()
                .filter_map(|limit| self.limit_offence(limit)),
        );
        offences.extend(self.freeze_offences(freezes));
        offences.extend(self.allowlist_offences(lists));
        offences.truncate(OFFENCES_MAX);
        let outcome = if offences.is_empty() {
            CheckOutcome::Holds { examined }
        } else {
            CheckOutcome::Broken { offences }
        };
        Ok(CheckResult {
            invariant: "I25",
            rule: RULE,
            outcome,
        })
    }

    /// Freezes that were altered, and wallets that are kept for other ones than were set.
    fn freeze_offences(&self, freezes: AuditedFreezes) -> Vec<String> {
        let mut offences = Vec::new();
        let mut set: BTreeMap<AccountId, FrozenServices> = BTreeMap::new();
        for stored in freezes.versions {
            match freeze_with_seal_checked(&self.parts().pepper, stored) {
                StoredFreeze::Unreadable { why, .. } => offences.push(why),
                StoredFreeze::Sealed(SealedFreeze { freeze, .. }) => {
                    let setting = freeze.setting();
                    let kept = set.entry(freeze.account).or_default();
                    *kept = std::mem::take(kept).with(setting);
                }
            }
        }
        for (account, kept) in freezes.wallets {
            let expected = set.get(&account).cloned().unwrap_or_default();
            if kept != expected {
                let [kept, expected] =
                    [kept, expected].map(|it| it.to_record().unwrap_or_default());
                offences.push(format!(
                    "a wallet of {account} is frozen for {kept:?}, and {expected:?} was set"
                ));
            }
        }
        offences
    }

    /// Allowlists that were altered, and those of which a version is missing before the latest.
    fn allowlist_offences(&self, lists: Vec<StoredAllowlist>) -> Vec<String> {
        let mut offences = Vec::new();
        let mut before: Option<(AccountId, KeyId, u32)> = None;
        for stored in lists {
            let sealed = match allowlist_with_seal_checked(&self.parts().pepper, stored) {
                StoredAllowlist::Sealed(sealed) => sealed,
                StoredAllowlist::Unreadable { version, why, .. } => {
                    offences.push(why);
                    before = before.map(|(account, key, _)| (account, key, version));
                    continue;
                }
            };
            let list = sealed.list;
            let expected = match &before {
                Some((account, key, version)) if (account, *key) == (&list.account, list.key) => {
                    version.saturating_add(1)
                }
                Some(_) | None => 1,
            };
            if list.version != expected {
                offences.push(format!(
                    "version {expected} of the allowlist of key {} of {} is missing",
                    list.key, list.account
                ));
            }
            before = Some((list.account, list.key, list.version));
        }
        offences
    }

    fn limit_offence(&self, stored: StoredLimit) -> Option<String> {
        match with_seal_checked(&self.parts().pepper, stored) {
            StoredLimit::Sealed(_) => None,
            StoredLimit::Unreadable(why) => Some(why),
        }
    }

    fn offence(&self, row: &AuditedRow) -> Option<String> {
        let pepper = &self.parts().pepper;
        match row {
            AuditedRow::Key(sealed, environment) => {
                let key = &sealed.key;
                let named = format!("key {} ({}) of {}", key.id, key.hint, key.account);
                if !is_key_sealed(pepper, sealed) {
                    return Some(format!("{named} is not as a gateway wrote it"));
                }
                let is_of_it = key.hint.starts_with(environment.key_prefix());
                (!is_of_it)
                    .then(|| format!("{named} is not of the {} environment", environment.code()))
            }
            AuditedRow::User(sealed) => {
                let user = &sealed.user;
                let is_sound = is_user_sealed(pepper, sealed);
                (!is_sound).then(|| {
                    format!(
                        "user {} of {} is not as a gateway wrote it",
                        user.id, user.account
                    )
                })
            }
            AuditedRow::Unreadable(error) => Some(error.to_string()),
        }
    }
}
