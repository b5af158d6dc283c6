//! Removing what a journal need not keep any longer. An entry without a row must never be removed.

use super::PAGE;
use super::pass::key;
use crate::gateway::Gateway;
use ports::PortError;

impl Gateway {
    /// Removes the segments that are old enough, or too many, oldest first, as far as the store has
    /// a row for each attempt in them.
    pub(super) async fn prune_journal(&self) -> Result<(), PortError> {
        let parts = self.parts();
        while let Some(oldest) = parts.journal.oldest_segment(self.now()).await? {
            let keys: Vec<_> = oldest.entries.iter().map(key).collect();
            for page in keys.chunks(PAGE) {
                let compared = parts.reconciliation.compare(page).await?;
                if !compared.without_row.is_empty() {
                    let attempts = compared.without_row.len();
                    tracing::warn!(attempts, "old journal entries have no row and are kept");
                    return Ok(());
                }
            }
            parts
                .journal
                .remove_segment(oldest.segment, self.now())
                .await?;
        }
        Ok(())
    }
}
