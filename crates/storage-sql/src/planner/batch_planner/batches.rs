//! Batches that are stored or planned, by their names. A batch must be found under its reference by
//! whatever is opened, and under its key by other batches.

use super::Name;
use crate::record::BatchRow;
use domain::batch::Batch;
use ports::PortError;
use std::collections::HashMap;

/// The latest known form of a batch; it never changes.
#[derive(Clone, Copy)]
enum KnownBatch<'a> {
    Stored(&'a BatchRow),
    Planned(&'a Batch),
}

impl KnownBatch<'_> {
    fn batch(self) -> Result<Box<Batch>, PortError> {
        match self {
            Self::Stored(row) => row.restore().map(Box::new),
            Self::Planned(batch) => Ok(Box::new(batch.clone())),
        }
    }
}

/// The batches of accounts.
#[derive(Default)]
pub(super) struct PlannedBatches<'a> {
    references: HashMap<Name<'a>, KnownBatch<'a>>,
    keys: HashMap<Name<'a>, KnownBatch<'a>>,
}

impl<'a> PlannedBatches<'a> {
    pub(super) fn of(rows: &'a [BatchRow]) -> Self {
        let mut planned = Self::default();
        for row in rows {
            let (name, batch) = ((&*row.account, &*row.reference), KnownBatch::Stored(row));
            planned.references.insert(name, batch);
            let key = row.idempotency_key.as_deref();
            let key = key.map(|key| ((&*row.account, key), batch));
            planned.keys.extend(key);
        }
        planned
    }

    pub(super) fn insert(&mut self, batch: &'a Batch) {
        let account = batch.account.as_str();
        let known = KnownBatch::Planned(batch);
        self.references
            .insert((account, batch.reference.as_str()), known);
        let key = batch.idempotency.as_ref();
        let key = key.map(|it| ((account, it.key.as_str()), known));
        self.keys.extend(key);
    }

    /// The batch that has a reference.
    pub(super) fn under(&self, reference: Name<'_>) -> Result<Option<Box<Batch>>, PortError> {
        let found = self.references.get(&reference);
        found.map(|known| known.batch()).transpose()
    }

    /// The batch that was opened under the idempotency key of another.
    pub(super) fn under_key_of(&self, batch: &Batch) -> Result<Option<Box<Batch>>, PortError> {
        let key = batch.idempotency.as_ref();
        let key = key.map(|it| (batch.account.as_str(), it.key.as_str()));
        let found = key.and_then(|key| self.keys.get(&key));
        found.map(|known| known.batch()).transpose()
    }
}
