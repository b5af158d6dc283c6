//! What the sandbox reports by itself: changes of attempts, and what people reply. It must report
//! the same from the same cursor, in every process.

use crate::answer;
use crate::change::Change;
use crate::journal::SandboxEntry;
use crate::simulator::{PROVIDER_ID, Simulator};
use domain::order::Service;
use domain::phone::PhoneNumber;
use domain::sandbox::TestNumber;
use ports::PortError;
use ports::provider::Changes;

/// Most changes reported at a time; the cursor leads to the rest.
const CHANGES_MAX: usize = 500;

/// Whether a person must have written lately to be sent a text. Every message that a person writes
/// here is reported; but most people would have to be written to first, so that is so of one number
/// alone.
pub(crate) fn has_window(service: Service, number: &PhoneNumber) -> bool {
    let test = TestNumber::of(number.digits());
    service == Service::Whatsapp && test == Some(TestNumber::ConversationClosed)
}

impl Simulator {
    /// What changed from a cursor on, and what people replied meanwhile.
    pub(crate) async fn reported_since(&self, cursor: u64) -> Result<Changes, PortError> {
        let reported = usize::try_from(cursor).unwrap_or(usize::MAX);
        let changes = self
            .look(|| self.journal.changes_due(reported, CHANGES_MAX))
            .await
            .map_err(|error| PortError::caused(PROVIDER_ID, "reading changes", error))?;
        let replies = changes.iter();
        let replies = replies.filter_map(|(entry, change)| answer::reply(entry, *change));
        let messages = replies.collect();
        let finding = |(entry, change): (SandboxEntry, Change)| {
            let finding = answer::reported(&entry, change, &self.catalogue);
            (entry.reference, finding)
        };
        Ok(Changes {
            messages,
            next: cursor.saturating_add(changes.len() as u64),
            findings: changes.into_iter().map(finding).collect(),
        })
    }
}
