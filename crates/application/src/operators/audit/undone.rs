//! What operators signed and what was not done, with the command that does it.

use super::{Acts, Credit, DONE_WITHIN};
use domain::reference::MerchantReference;
use domain::time::Timestamp;
use domain::top_up::confirms_top_up;
use ports::operators::SignedEffect;
use std::collections::BTreeSet;

impl Acts {
    /// What was signed and not done. A credit under a reference that was used before is refused,
    /// and nothing is left to do.
    pub(super) fn not_done(&self, effects: &[SignedEffect], now: Timestamp) -> Vec<String> {
        let used = effects.iter().filter_map(|effect| match effect {
            SignedEffect::Funding(id, reference, _) => Some((id.as_str(), reference.as_str())),
            SignedEffect::Account(..)
            | SignedEffect::Paid(..)
            | SignedEffect::Key(..)
            | SignedEffect::Settlement(..)
            | SignedEffect::Resumption(..)
            | SignedEffect::Freeze(..)
            | SignedEffect::Prefunding(..) => None,
        });
        let used: BTreeSet<_> = used.collect();
        let mut waiting = self.fundings.clone();
        waiting.retain(|(account, reference, minor, _), (_, at)| {
            // One downwards is refused where the money was spent meanwhile: nothing is left to do.
            let takes = *minor < 0;
            !takes
                && at.plus(DONE_WITHIN) < now
                && !used.contains(&(account.as_str(), reference.as_str()))
        });
        let not_done = |((account, reference, ..), (entry, _)): (Credit, (u64, Timestamp))| {
            let confirms =
                MerchantReference::parse(&reference).is_ok_and(|it| confirms_top_up(&it));
            let adjusts = reference.strip_prefix("adjustment:");
            let command = if let Some(named) = adjusts {
                format!("`manilla account adjust --identity {account} --reference {named}`")
            } else if confirms {
                format!(
                    "`manilla account topup confirm --identity {account}`, for the top-up of this \
                     number that `manilla account topup list --expired` shows"
                )
            } else {
                format!("`manilla account credit --identity {account} --reference {reference}`")
            };
            format!(
                "entry {entry} pays in to {account} under {reference}, which was not done; do it \
                 with {command}"
            )
        };
        waiting.into_iter().map(not_done).collect()
    }
}
