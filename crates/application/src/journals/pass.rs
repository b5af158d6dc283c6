//! One comparison of every journal with the store, from the newest entries to the oldest, a page at
//! a time. It must not be taken for whole where the store was another one in between.

use super::{PAGE, must_be_stored};
use crate::gateway::Gateway;
use ports::PortError;
use ports::journal::{EntryId, JournalId, JournalStanding, JournalledAttempt};
use ports::reconciliation::{Clearance, ReferencedAttempt, SuspensionNumber};

/// How far a comparison has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// There is more.
    Some,
    /// It is whole.
    Done,
    /// It is whole, and there was nothing to compare.
    NothingJournalled,
}

/// A comparison under way.
#[derive(Debug)]
pub(super) struct Pass {
    journals: Vec<Part>,
    since: Option<SuspensionNumber>,
    entries: usize,
    reopened: bool,
}

/// What is known of one journal.
#[derive(Debug)]
struct Part {
    journal: JournalId,
    /// Entries before this one are still to be compared.
    before: Option<EntryId>,
    is_whole: bool,
    missing: u64,
}

impl Pass {
    pub(super) fn over(journals: Vec<JournalId>) -> Self {
        let part = |journal| Part {
            journal,
            before: None,
            is_whole: false,
            missing: 0,
        };
        Self {
            journals: journals.into_iter().map(part).collect(),
            since: None,
            entries: 0,
            reopened: false,
        }
    }

    /// The suspension that it belongs to.
    pub(super) const fn since(&self) -> Option<SuspensionNumber> {
        self.since
    }

    /// How many attempts of each journal have no row.
    pub(super) fn found(&self) -> impl Iterator<Item = (&JournalId, u64)> {
        self.journals
            .iter()
            .map(|part| (&part.journal, part.missing))
    }

    /// Whether an attempt was opened again.
    pub(super) const fn has_reopened(&self) -> bool {
        self.reopened
    }

    /// How many attempts have no row altogether.
    pub(super) fn missing(&self) -> u64 {
        self.journals.iter().map(|part| part.missing).sum()
    }

    /// Compares one page.
    pub(super) async fn page(&mut self, gateway: &Gateway) -> Result<Progress, PortError> {
        let Some(part) = self.journals.iter_mut().find(|part| !part.is_whole) else {
            return Ok(self.ended());
        };
        let journals = &gateway.parts().journal;
        let mut page = journals.page(&part.journal, part.before, PAGE).await?;
        let oldest = page.iter().map(|it| it.entry).min();
        let whole = page.len() < PAGE;
        page.retain(must_be_stored);
        let keys: Vec<_> = page.iter().map(key).collect();
        let compared = gateway.parts().reconciliation.compare(&keys).await?;
        self.entries = self.entries.saturating_add(page.len());
        let lacking: Vec<_> = compared
            .without_row
            .iter()
            .filter_map(|place| page.get(*place))
            .collect();
        let missing = reopened(gateway, &part.journal, &lacking).await?;
        part.missing = part.missing.saturating_add(missing);
        self.reopened |= usize::try_from(missing).is_ok_and(|missing| missing < lacking.len());
        part.before = oldest.or(part.before);
        part.is_whole = whole;
        if whole {
            let older = removed(gateway, &part.journal).await?;
            part.missing = part.missing.saturating_add(older);
        }
        if self.since.is_some_and(|since| since != compared.suspension) {
            self.begin_again();
            return Ok(Progress::Some);
        }
        self.since = Some(compared.suspension);
        if self.journals.iter().all(|part| part.is_whole) {
            return Ok(self.ended());
        }
        Ok(Progress::Some)
    }

    fn ended(&self) -> Progress {
        if self.entries == 0 {
            Progress::NothingJournalled
        } else {
            Progress::Done
        }
    }

    /// Payments were suspended in between: what was compared before says nothing any more.
    fn begin_again(&mut self) {
        self.since = None;
        for part in &mut self.journals {
            (part.before, part.is_whole, part.missing) = (None, false, 0);
        }
    }
}

pub(super) fn key(attempt: &JournalledAttempt) -> ReferencedAttempt {
    ReferencedAttempt {
        account: attempt.account.clone(),
        reference: attempt.reference.clone(),
        attempt: attempt.attempt,
        provider_reference: attempt.provider_reference.clone(),
    }
}

/// How many checkpoints of what a journal no longer holds name an attempt without a row: the store
/// is older than the journal, so what it lacks is in no journal.
async fn removed(gateway: &Gateway, journal: &JournalId) -> Result<u64, PortError> {
    let checkpoints = gateway.parts().journal.checkpoints(journal).await?;
    let newest = checkpoints.iter().filter_map(|it| it.newest.as_ref());
    let keys: Vec<_> = newest.map(key).collect();
    let reconciliation = &gateway.parts().reconciliation;
    let lacking = reconciliation.compare(&keys).await?.without_row.len();
    if lacking > 0 {
        let because = "the database is older than the journal of its payments reaches back";
        reconciliation.suspend(because, Clearance::Records).await?;
    }
    Ok(u64::try_from(lacking).unwrap_or(u64::MAX))
}

/// Opens attempts without a row again; answers how many could not be. Payments are suspended first
/// where an attempt had one: the store was set back, and more than payments may be lost.
async fn reopened(
    gateway: &Gateway,
    journal: &JournalId,
    lacking: &[&JournalledAttempt],
) -> Result<u64, PortError> {
    if lacking.is_empty() {
        return Ok(0);
    }
    let confirmed = lacking
        .iter()
        .filter(|it| it.standing == JournalStanding::Confirmed);
    let (count, confirmed) = (lacking.len(), confirmed.count());
    if confirmed > 0 {
        let because = "the database lacks payments that were stored in it: an older copy of it \
                       was put in place";
        let reconciliation = &gateway.parts().reconciliation;
        reconciliation.suspend(because, Clearance::Person).await?;
        tracing::error!(
            count,
            confirmed,
            "payments are suspended: the database was set back"
        );
    } else {
        tracing::warn!(count, "attempts of before a power failure are asked about");
    }
    let mut missing = 0_u64;
    // Oldest first, as they were opened.
    for attempt in lacking.iter().rev() {
        let reference = &attempt.provider_reference;
        match Box::pin(gateway.reopen(journal, attempt)).await {
            Ok(()) => {}
            Err(why) => {
                tracing::error!(%reference, %why, "a journalled attempt cannot be opened again");
                missing = missing.saturating_add(1);
            }
        }
    }
    Ok(missing)
}
