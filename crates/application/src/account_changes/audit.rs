//! I33: whether the chains of changes are whole. It must never mend one.

use super::is_sound;
use crate::gateway::Gateway;
use domain::account::AccountId;
use domain::account_change::ChainHash;
use ports::PortError;
use ports::account_changes::ChainedChange;
use ports::audit::{CheckOutcome, CheckResult, OFFENCES_MAX};

const RULE: &str = "Every change of what an account may do is as a gateway wrote it, and follows \
                    the one before it.";

/// The last change that was looked at: its account, its number and its hash.
type Last = (AccountId, u64, ChainHash);

impl Gateway {
    /// The check of what was changed of accounts. It needs the pepper, so that no database can
    /// judge it.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn audit_account_changes(&self) -> Result<CheckResult, PortError> {
        let rows = self.parts().account_changes.audited_changes().await?;
        let examined = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        let mut offences = Vec::new();
        let mut last: Option<Last> = None;
        for row in rows {
            match row {
                Ok(row) => {
                    offences.extend(self.change_offence(last.as_ref(), &row));
                    last = Some((row.sealed.change.account, row.number, row.hash));
                }
                Err(unreadable) => {
                    offences.push(unreadable.to_string());
                    // What follows it is compared with it again after the next row.
                    last = last
                        .map(|(account, number, hash)| (account, number.saturating_add(1), hash));
                }
            }
        }
        offences.truncate(OFFENCES_MAX);
        let outcome = if offences.is_empty() {
            CheckOutcome::Holds { examined }
        } else {
            CheckOutcome::Broken { offences }
        };
        Ok(CheckResult {
            invariant: "I33",
            rule: RULE,
            outcome,
        })
    }

    fn change_offence(&self, last: Option<&Last>, row: &ChainedChange) -> Option<String> {
        let account = &row.sealed.change.account;
        let of_account = last.filter(|(of, ..)| of == account);
        let (before, hash) = of_account.map_or((0, ChainHash::NONE), |(_, n, hash)| (*n, *hash));
        let named = format!("change {} of {account}", row.number);
        if row.number != before.saturating_add(1) {
            return Some(format!("{named} does not follow change {before}"));
        }
        if row.previous != hash {
            return Some(format!(
                "{named} does not name the hash of the one before it"
            ));
        }
        (!is_sound(&self.parts().pepper, row))
            .then(|| format!("{named} is not as a gateway wrote it"))
    }
}
