//! The slot that an instance has. It must be drawn from the database, never chosen.

use crate::error::PART;
use ports::PortError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering};

/// The place an instance has; a command that is no server has none.
#[derive(Debug, Default)]
pub struct InstanceSlot {
    pub(crate) slot: Arc<AtomicU8>,
    /// 0 where there is none.
    token: AtomicI64,
    pub(crate) skewed: AtomicBool,
}

impl InstanceSlot {
    /// The number that belongs into the transaction numbers this instance draws; it changes when
    /// the place was lost.
    pub fn slot(&self) -> Arc<AtomicU8> {
        Arc::clone(&self.slot)
    }

    /// What marks rows as this instance's.
    pub(crate) fn token(&self) -> Option<i64> {
        match self.token.load(Ordering::Relaxed) {
            0 => None,
            token => Some(token),
        }
    }

    /// The slot and the token of it, where there is one.
    pub(crate) fn identity(&self) -> Option<(i16, i64)> {
        let slot = i16::from(self.slot.load(Ordering::Relaxed));
        self.token().map(|token| (slot, token))
    }

    /// Whether our clock is one that claims may be made by.
    pub(crate) fn may_claim(&self) -> bool {
        !self.skewed.load(Ordering::Relaxed)
    }

    pub(crate) fn take(&self, slot: i16, token: i64) -> Result<(), PortError> {
        let slot = u8::try_from(slot)
            .map_err(|_| PortError::new(PART, format!("there is no place {slot}")))?;
        self.slot.store(slot, Ordering::Relaxed);
        self.token.store(token, Ordering::Relaxed);
        Ok(())
    }
}
