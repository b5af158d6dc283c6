//! Cursors of providers' changes and the dead-letter list. A letter must stay in its list, resolved
//! or not.

use super::{MemoryStore, MemoryTables};
use async_trait::async_trait;
use domain::provider::ProviderId;
use domain::time::Timestamp;
use ports::PortError;
use ports::changes::{
    ChangeId, ChangeStatus, Cursor, CursorMove, DeadLetter, ProviderChanges, Retried, SetAside,
};

#[async_trait]
impl ProviderChanges for MemoryStore {
    async fn cursor(&self, provider: &ProviderId) -> Result<Option<Cursor>, PortError> {
        Ok(self.tables().cursors.get(provider).copied())
    }

    async fn advance(&self, step: &CursorMove) -> Result<u64, PortError> {
        if i64::try_from(step.to).is_err() {
            return Err(PortError::new("memory", "a position beyond 63 bits"));
        }
        let mut tables = self.tables();
        let stored = tables.cursors.get(&step.provider);
        let position = stored.map_or(0, |cursor| cursor.position);
        if position < step.from || position >= step.to {
            return Ok(position);
        }
        let moved = Cursor {
            position: step.to,
            read_at: step.read_at,
        };
        tables.cursors.insert(step.provider.clone(), moved);
        Ok(step.to)
    }

    async fn set_aside(&self, letter: &DeadLetter, open_max: u64) -> Result<SetAside, PortError> {
        let mut tables = self.tables();
        if tables.open_letter(&letter.id).is_some() {
            return Ok(SetAside::Known);
        }
        let open = tables.dead_letters.iter().filter(|it| is_open(it)).count();
        if open as u64 >= open_max {
            return Ok(SetAside::Full);
        }
        let mut letters = tables.dead_letters.iter_mut();
        if let Some(known) = letters.find(|known| known.id == letter.id) {
            *known = DeadLetter {
                finding: known.finding.clone(),
                first_seen_at: known.first_seen_at,
                ..letter.clone()
            };
        } else {
            tables.dead_letters.push(letter.clone());
        }
        Ok(SetAside::Done)
    }

    async fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        let tables = self.tables();
        let due_at = |letter: &DeadLetter| match letter.status {
            ChangeStatus::Open { due_at } => Some(due_at),
            ChangeStatus::Resolved { .. } => None,
        };
        let is_due = |letter: &&DeadLetter| due_at(letter).is_some_and(|due| due <= now);
        let mut due: Vec<_> = tables.dead_letters.iter().filter(is_due).cloned().collect();
        due.sort_by_key(|letter| (due_at(letter), letter.id.clone()));
        due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(due)
    }

    async fn retried(&self, id: &ChangeId, retried: &Retried) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let Some(letter) = tables.open_letter(id) else {
            return Ok(false);
        };
        letter.tries += 1;
        letter.tried_at = retried.at;
        letter.reason.clone_from(&retried.reason);
        letter.status = ChangeStatus::Open {
            due_at: retried.due_at,
        };
        Ok(true)
    }

    async fn resolve(&self, id: &ChangeId, at: Timestamp) -> Result<bool, PortError> {
        let mut tables = self.tables();
        let Some(letter) = tables.open_letter(id) else {
            return Ok(false);
        };
        letter.status = ChangeStatus::Resolved { at };
        Ok(true)
    }

    async fn open_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, PortError> {
        let tables = self.tables();
        let open = tables.dead_letters.iter().filter(|it| is_open(it));
        let mut open: Vec<_> = open.cloned().collect();
        open.sort_by_key(|letter| (letter.first_seen_at, letter.id.clone()));
        open.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(open)
    }

    async fn make_due(&self, now: Timestamp) -> Result<u64, PortError> {
        let mut tables = self.tables();
        let mut open = 0;
        for letter in &mut tables.dead_letters {
            if let ChangeStatus::Open { due_at } = letter.status {
                open += 1;
                let due_at = due_at.min(now);
                letter.status = ChangeStatus::Open { due_at };
            }
        }
        Ok(open)
    }
}

pub(super) fn is_open(letter: &DeadLetter) -> bool {
    matches!(letter.status, ChangeStatus::Open { .. })
}

impl MemoryTables {
    fn open_letter(&mut self, id: &ChangeId) -> Option<&mut DeadLetter> {
        let mut letters = self.dead_letters.iter_mut();
        letters.find(|letter| letter.id == *id && is_open(letter))
    }
}
